import { defineConfig } from 'vitest/config';

/** Configures `npm run test:emulator`. The tests follow one deployment through its life, so they run in order. */
export default defineConfig({
  test: {
    name: 'emulator',
    include: ['test/emulator/**/*.test.ts'],
    deps: { interopDefault: false },
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
