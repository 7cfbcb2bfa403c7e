import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

/** The folders of all functions, relative to `functions/`. */
export const functionFolders: readonly string[] = globSync('**/index.ts', { cwd: `${projectRoot}functions` }).map(
  (file) => path.posix.dirname(file.replaceAll('\\', '/')),
);

const foldersByName = new Map(functionFolders.map((folder) => [path.posix.basename(folder), folder]));

/** The folder of a function below `functions/`, by the name that no two functions share. */
export function functionFolder(name: string): string {
  const folder = foldersByName.get(name);
  if (!folder) throw new Error(`functions/ has no folder ${name} with an index.ts.`);
  return folder;
}

/**
 * The esbuild options of all functions: CommonJS with the SDK, from ES modules, which esbuild can leave out unused parts of. Packages are bundled
 * as they are, except for the SDK's providers of credentials (docs/decisions/0023-bundles-and-memory.md).
 */
export const bundleOptions = {
  entryPoints: functionFolders.map((folder) => ({ in: `functions/${folder}/index.ts`, out: `${folder}/index` })),
  outdir: 'bundles',
  write: false,
  absWorkingDir: projectRoot,
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
  // `import()` of a CommonJS bundle loads Node's own modules as ES modules: twice the time of the first call.
  supported: { 'dynamic-import': false },
  legalComments: 'none',
  alias: {
    '@aws-sdk/credential-provider-node': `${projectRoot}shared/adapters/common/credentials-from-environment.ts`,
  },
  logLevel: 'error',
} as const satisfies BuildOptions;

/** The `package.json` beside a bundle. Without one, `import()` compiles the file once more to learn its format. */
export const bundleFormat = '{"type":"commonjs"}';

let bundles: ReadonlyMap<string, Uint8Array> | undefined;

/** Bundles all functions at once: esbuild starts only once, and reads the modules that they share only once. */
function bundleAll(): ReadonlyMap<string, Uint8Array> {
  const { outputFiles } = buildSync(bundleOptions);
  const outdir = path.join(projectRoot, bundleOptions.outdir);
  return new Map(
    outputFiles.map((file) => [path.relative(outdir, path.dirname(file.path)).replaceAll('\\', '/'), file.contents]),
  );
}

/** The code of the function in `functions/<folder>/`: `index.js`, which esbuild makes during synthesis, and its format. */
export function functionCode(folder: string): Code {
  return Code.fromAsset(`${projectRoot}functions/${folder}`, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('none'), // never used: bundling is always local
      local: {
        tryBundle(outputFolder) {
          bundles ??= bundleAll();
          const bundle = bundles.get(folder);
          if (!bundle) throw new Error(`functions/${folder} has no index.ts.`);
          writeFileSync(`${outputFolder}/index.js`, bundle);
          writeFileSync(`${outputFolder}/package.json`, bundleFormat);
          return true;
        },
      },
    },
  });
}
