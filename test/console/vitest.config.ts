import path from 'node:path';
import { defineConfig } from 'vitest/config';

process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/compiled');

/**
 * Configures `npm run test:console`. All files share one service, one world of rooms and transcripts, and the modules that make it. So they
 * run one after the other in one process. `npm run screenshots` takes the pictures of the documentation in the same world.
 */
export default defineConfig({
  test: {
    name: 'console',
    include: [process.env.SCREENSHOTS === 'true' ? 'test/console/screenshots.ts' : 'test/console/**/*.test.ts'],
    globalSetup: ['test/console/console-machine.ts'],
    deps: { interopDefault: false },
    isolate: false,
    fileParallelism: false,
    testTimeout: 120_000, // of a busy machine: no test asserts a time
    hookTimeout: 600_000, // the first file makes the world, with a day of a thousand people
  },
});
