import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { OneProjectAtATime } from './test/support/file-order.ts';

// The workers, and the programs that tests start, load the compiled code of their modules from here instead of compiling it.
process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/compiled');

/** Files that mock modules, or load them anew: they must not share the modules of their process with other files. */
const isolated = ['test/**/*.isolated.test.ts'];

/** What the projects have in common whose files share one whole service, started once. */
const onMachine = {
  exclude: isolated,
  isolate: false,
  globalSetup: ['test/support/shared-machine.ts'],
  hookTimeout: 60_000,
};

/** Packages are resolved to their ES builds, as bundles have them (infra/bundling/bundling.ts): crashes are played on the code that ships. */
const asBundled = { mainFields: ['module', 'main'] };

/**
 * `fast`, `infra` and `isolated` need nothing but their process. The files of `machine` share one whole service, started once, and so do
 * those of `faults` and of `operations`. `infra`, `faults` and `operations` are not part of `npm test`. The files of one project share the modules of their process, except
 * isolated ones: loading them once per file took a quarter of the processor time of `fast`. All run in random order: no test may depend on
 * another.
 */
export default defineConfig({
  test: {
    sequence: { shuffle: { tests: true }, sequencer: OneProjectAtATime },
    testTimeout: 60_000, // of a busy machine: no test asserts a time
    setupFiles: ['test/cost/measure.ts'],
    maxWorkers: 3, // more than the two cores: tests of the machine project often wait for the service
    // aws-cdk-lib is CommonJS with thousands of lazy exports: the interop would load every one of them.
    deps: { interopDefault: false },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['test/unit/**/*.test.ts'],
          exclude: isolated,
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'infra', include: ['test/infra/**/*.test.ts'], exclude: isolated, isolate: false },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
      {
        extends: true,
        test: { name: 'machine', include: ['test/integration/**/*.test.ts'], ...onMachine },
      },
      {
        extends: true,
        environments: { ssr: { resolve: asBundled } },
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          ...onMachine,
          server: { deps: { inline: [/@aws-lambda-powertools/] } }, // otherwise Node would load another client for it
        },
      },
      {
        extends: true,
        test: {
          name: 'operations',
          include: ['test/operations/**/*.test.ts'],
          ...onMachine,
          globalSetup: ['test/support/operations/operations-machine.ts'],
        },
      },
    ],
  },
});
