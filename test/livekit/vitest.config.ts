import path from 'node:path';
import { defineConfig } from 'vitest/config';

process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/compiled');

/** Configures `npm run test:livekit`. It builds a LiveKit server and waits for its timeouts, so it is not part of `npm test`. */
export default defineConfig({
  test: {
    name: 'livekit',
    include: ['test/livekit/**/*.test.ts'],
    globalSetup: ['test/livekit/livekit-machine.ts'],
    deps: { interopDefault: false },
    testTimeout: 180_000,
    hookTimeout: 300_000,
    maxWorkers: 4, // the files wait for real time most of the time, so they run side by side
  },
});
