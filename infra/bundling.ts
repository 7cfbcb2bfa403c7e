import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { BuildOptions } from 'esbuild';
import { builtValues } from './built-values.ts';
import { chunks } from './chunks.ts';
import { leanContracts } from './lean-contracts.ts';
import { leanSdk } from './lean-sdk.ts';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));

/** The folders of all functions, relative to `functions/`. */
export const functionFolders: readonly string[] = globSync('**/index.ts', { cwd: `${projectRoot}functions` }).map(
  (file) => path.posix.dirname(file.replaceAll('\\', '/')),
);

/**
 * The esbuild options of all functions: CommonJS output, ES-module sources first, SDK included, only the credential provider
 * of the environment, no event streams. A bundle loads in about half the time of CDK's default bundle
 * (docs/decisions/0004-bundling.md).
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
    '@aws-sdk/credential-provider-node': `${projectRoot}shared/adapters/credentials-from-environment.ts`,
    '@aws-sdk/endpoint-cache': `${projectRoot}shared/adapters/no-endpoint-discovery.ts`,
    '@aws-lambda-powertools/jmespath': `${projectRoot}shared/adapters/top-level-fields.ts`,
    '@aws-lambda-powertools/jmespath/functions': `${projectRoot}shared/adapters/top-level-fields.ts`,
    '@aws-sdk/lib-dynamodb': `${projectRoot}shared/adapters/plain-commands.ts`,
    'zod/mini': `${projectRoot}shared/adapters/late-schemas.ts`,
    '@smithy/core/event-streams': `${projectRoot}shared/adapters/no-event-streams.ts`,
  },
  plugins: [leanSdk, leanContracts, builtValues, chunks],
  metafile: true,
  logLevel: 'error',
} as const satisfies BuildOptions;

/** The name of the bundle in the code of a function. */
export const bundleFile = 'bundle.cjs';

/**
 * The module that Lambda loads, `index.mjs`. The bundle is CommonJS, which cannot wait. So this module opens the connections of the bundle, and
 * waits until they are open (docs/decisions/0093-opened-connections.md).
 */
export function entryModule(bundle: string): string {
  return [
    "import { createRequire } from 'node:module';", // faster than an import, which looks for the names of what the bundle exports
    `const { handler } = createRequire(import.meta.url)('./${bundle}');`,
    'await globalThis.openConnections?.();',
    'export { handler };\n',
  ].join('\n');
}

type Files = ReadonlyMap<string, Uint8Array>;

let bundles: ReadonlyMap<string, Files> | undefined;

/** Bundles all functions at once: esbuild reads the modules that they share only once, and starts only once. */
function bundleAll(): ReadonlyMap<string, Files> {
  const folder = mkdtempSync(path.join(tmpdir(), 'roomscribe-bundles-'));
  try {
    const program = `${projectRoot}infra/bundle-functions.ts`;
    execFileSync(process.execPath, [program, folder], { stdio: ['ignore', 'inherit', 'inherit'] });
    return new Map(functionFolders.map((name) => [name, filesIn(path.join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function filesIn(folder: string): Files {
  return new Map(readdirSync(folder).map((file) => [file, readFileSync(path.join(folder, file))]));
}

/** Writes the bundle of a function, its chunks, and the module that loads it. Throws for a folder without a function. */
function writeFunction(folder: string, outputFolder: string): void {
  bundles ??= bundleAll();
  const files = bundles.get(folder);
  if (!files) throw new Error(`functions/${folder} has no index.ts.`);
  for (const [file, content] of files)
    writeFileSync(`${outputFolder}/${file === 'index.js' ? bundleFile : file}`, content);
  writeFileSync(`${outputFolder}/index.mjs`, entryModule(bundleFile));
}

/** The code of the function in `functions/<folder>/`: its bundle, which esbuild makes during synthesis, and the module that loads it. */
export function functionCode(folder: string): Code {
  return Code.fromAsset(`${projectRoot}functions/${folder}`, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('none'), // never used: bundling is always local
      local: {
        tryBundle(outputFolder) {
          writeFunction(folder, outputFolder);
          return true;
        },
      },
    },
  });
}
