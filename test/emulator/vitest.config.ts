import { defineConfig } from 'vitest/config';

/** `npm run test:emulator`. Its tests tell the life of one deployment, so they run in their order. */
export default defineConfig({
  test: {
    name: 'emulator',
    include: ['test/emulator/**/*.test.ts'],
    deps: { interopDefault: false },
    testTimeout: 120_000,
    hookTimeout: 240_000,
  },
});
