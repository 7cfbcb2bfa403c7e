import { type BuildOptions, build } from 'esbuild';
import { valuesInPlaceOf } from './values.ts';

const common = {
  bundle: true,
  format: 'esm',
  charset: 'utf8',
  legalComments: 'none', // they are in THIRD-PARTY-NOTICES
  logLevel: 'error',
} as const satisfies BuildOptions;

const oldestNode = 'node20.12';

/** Bundles the library as one file that imports nothing: `neutral` resolves neither packages' Node parts nor Node's own. */
export async function bundleLibrary(root: string, outfile: string): Promise<void> {
  await build({
    ...common,
    absWorkingDir: root,
    entryPoints: ['client/index.ts'],
    outfile,
    platform: 'neutral',
    target: ['es2022', oldestNode],
    plugins: [valuesInPlaceOf([`${root}client/contract.ts`])],
  });
}

/**
 * Bundles the command line with its libraries as one program, which begins as main.ts does, with `#!`. Returns the files,
 * from `root`, that it was made of.
 */
export async function bundleCommandLine(root: string, outfile: string): Promise<readonly string[]> {
  const { metafile } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: ['client/cli/main.ts'],
    outfile,
    platform: 'node',
    target: oldestNode,
    mainFields: ['module', 'main'],
    // What is CommonJS asks for Node's own modules by `require`, which an ES module lacks.
    banner: {
      js: [
        "import { createRequire as createRequireOfBundle } from 'node:module';",
        'const require = createRequireOfBundle(import.meta.url);',
      ].join('\n'),
    },
    plugins: [valuesInPlaceOf(['contract.ts', 'cli/parameters.ts'].map((file) => `${root}client/${file}`))],
    metafile: true,
  });
  return Object.keys(metafile.inputs);
}
