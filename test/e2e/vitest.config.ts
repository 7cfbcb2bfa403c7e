import path from 'node:path';
import { defineConfig } from 'vitest/config';

process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/compiled');

/** Configures `npm run test:start`. It starts the whole program several times, so it is not part of `npm test`. */
export default defineConfig({
  test: {
    name: 'e2e',
    include: ['test/e2e/**/*.test.ts'],
    deps: { interopDefault: false },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
