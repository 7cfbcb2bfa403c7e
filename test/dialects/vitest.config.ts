import { defineConfig } from 'vitest/config';

/** Configures `npm run test:dialects`. */
export default defineConfig({
  test: {
    name: 'dialects',
    include: ['test/dialects/**/*.test.ts'],
    globalSetup: ['test/support/shared-machine.ts'],
    deps: { interopDefault: false },
    hookTimeout: 60_000,
    testTimeout: 600_000,
  },
});
