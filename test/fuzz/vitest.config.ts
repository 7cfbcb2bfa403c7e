import { defineConfig } from 'vitest/config';

/** Configures `npm run fuzz`. The fuzzers run one after the other against one local runner. */
export default defineConfig({
  test: {
    name: 'fuzz',
    include: ['test/fuzz/**/*.test.ts'],
    globalSetup: ['test/support/shared-machine.ts'],
    fileParallelism: false,
    deps: { interopDefault: false },
    testTimeout: 600_000,
  },
});
