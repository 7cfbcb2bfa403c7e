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

/** The modules of the library that programs import, by their names in the package. The others are parts of these. */
export const entryPoints = { client: 'index', webhooks: 'receiver' } as const;

/**
 * Bundles each entry point of the library as one file without imports, as an ES module or for `require`. With `neutral`, an import
 * of a Node module is an error.
 */
export async function bundleLibrary(root: string, outdir: string, format: 'esm' | 'cjs'): Promise<void> {
  await build({
    ...common,
    format,
    absWorkingDir: root,
    entryPoints: Object.values(entryPoints).map((name) => `client/${name}.ts`),
    outdir,
    platform: 'neutral',
    target: ['es2022', oldestNode],
    plugins: [valuesInPlaceOf([`${root}client/contract.ts`])],
  });
}

/**
 * Bundles the command line and its packages as one program, which begins with `#!` as main.ts does. Returns the bundled
 * files, relative to `root`.
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
    // CommonJS packages use `require`, `__filename` and `__dirname`, which an ES module does not have.
    banner: {
      js: [
        "import { createRequire as createRequireOfBundle } from 'node:module';",
        'const require = createRequireOfBundle(import.meta.url);',
        'const { filename: __filename, dirname: __dirname } = import.meta;',
      ].join('\n'),
    },
    plugins: [valuesInPlaceOf(['contract.ts', 'cli/parameters.ts'].map((file) => `${root}client/${file}`))],
    metafile: true,
  });
  return Object.keys(metafile.inputs);
}
