import { fileURLToPath } from 'node:url';
import { AssetHashType, DockerImage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync } from 'esbuild';

const projectRoot = fileURLToPath(new URL('../', import.meta.url));

/**
 * The esbuild options of every function: CommonJS output, ES-module sources first, SDK included, only the credential provider
 * of the environment, no event streams. It loads in about half the time of CDK's default bundle (docs/decisions/0004-bundling.md).
 */
export function bundleOptions(folder: string): BuildOptions {
  return {
    entryPoints: [`${projectRoot}functions/${folder}/index.ts`],
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
      '@smithy/core/event-streams': `${projectRoot}shared/adapters/no-event-streams.ts`,
    },
    logLevel: 'error',
  };
}

/** The code of the function in `functions/<folder>/`. esbuild bundles it in this process during synthesis. */
export function functionCode(folder: string): Code {
  return Code.fromAsset(`${projectRoot}functions/${folder}`, {
    assetHashType: AssetHashType.OUTPUT,
    bundling: {
      image: DockerImage.fromRegistry('none'), // never used: bundling is always local
      local: {
        tryBundle(outputFolder) {
          buildSync({ ...bundleOptions(folder), outfile: `${outputFolder}/index.js` });
          return true;
        },
      },
    },
  });
}
