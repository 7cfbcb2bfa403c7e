import path from 'node:path';
import { defineConfig } from 'vitest/config';

process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/compiled');

/**
 * Configures `npm run test:media`. Hours of media are made and recognized, which takes minutes, so it is not part of `npm test`. All
 * files share one local runner.
 */
export default defineConfig({
  test: {
    name: 'media',
    include: ['test/media/**/*.test.ts'],
    globalSetup: ['test/media/media-machine.ts'],
    deps: { interopDefault: false },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 4, // more than the two cores: the tests wait for the recognizer
  },
});
