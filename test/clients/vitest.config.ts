import { defineConfig } from 'vitest/config';

/** Configures `npm run generated-clients`. The clients run one after the other against one local runner. */
export default defineConfig({
  test: {
    name: 'generated clients',
    include: ['test/clients/**/*.test.ts'],
    globalSetup: ['test/support/shared-machine.ts'],
    deps: { interopDefault: false },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
