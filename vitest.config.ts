import { defineConfig } from 'vitest/config';

/** Files that mock modules, or load them anew: they must not share the modules of their process with other files. */
const isolated = ['test/**/*.isolated.test.ts'];

/**
 * `fast` and `isolated` need nothing but their process; the files of `machine` share one whole service, started once. The
 * files of `fast` and `machine` share the modules of their process: loading them per file took a third of all time. All
 * run in random order: no test may lean on another.
 */
export default defineConfig({
  test: {
    sequence: { shuffle: true },
    setupFiles: ['test/cost/measure.ts'],
    maxWorkers: 2, // the machine under test works in a third process and mostly waits
    // aws-cdk-lib is CommonJS with thousands of lazy exports: the interop would load every one of them.
    deps: { interopDefault: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/{unit,infra}/**/*.test.ts'],
          exclude: isolated,
          isolate: false,
          testTimeout: 20_000,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated, testTimeout: 20_000 } },
      {
        extends: true,
        test: {
          name: 'machine',
          include: ['test/{integration,faults,e2e}/**/*.test.ts'],
          exclude: isolated,
          isolate: false,
          globalSetup: ['test/support/shared-machine.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
