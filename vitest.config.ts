import { defineConfig } from 'vitest/config';

/**
 * `fast` needs nothing but this process; `machine` shares one whole service on one machine, started once for all its
 * files. Both run in random order: no test may lean on another.
 */
export default defineConfig({
  test: {
    sequence: { shuffle: true },
    maxWorkers: 2, // the machine under test works in a third process and mostly waits
    // aws-cdk-lib is CommonJS with thousands of lazy exports: the interop would load every one of them.
    deps: { interopDefault: false },
    projects: [
      {
        extends: true,
        test: { name: 'fast', include: ['test/{unit,infra}/**/*.test.ts'], testTimeout: 20_000 },
      },
      {
        extends: true,
        test: {
          name: 'machine',
          include: ['test/{integration,faults,e2e}/**/*.test.ts'],
          globalSetup: ['test/support/shared-machine.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
