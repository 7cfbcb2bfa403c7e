import { globSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleOptions } from '#infra/bundling.ts';

const folders = globSync('functions/**/index.ts').map((file) =>
  path.posix.dirname(file.replaceAll('\\', '/')).slice(10),
);
const descriptionFolder = 'api/description/get-api-description';
const authorizerFolder = 'authorizers/authorize-request';
const apiFolders = folders.filter((folder) => folder.startsWith('api/'));

/** What a function's bundle is made of: the bytes that each source gives to it, and what it loads when it runs. */
type Bundle = {
  readonly code: Uint8Array;
  readonly bytesOf: ReadonlyMap<string, number>;
  readonly loads: readonly { readonly path: string; readonly kind: string }[];
  /** Of each source, what it imports that is not bundled. */
  readonly builtinsOf: ReadonlyMap<string, readonly string[]>;
};

const bundles = new Map<string, Bundle>();

beforeAll(async () => {
  await Promise.all(folders.map(async (folder) => bundles.set(folder, await bundle(folder))));
}, 60_000);

async function bundle(folder: string): Promise<Bundle> {
  const outfile = 'bundle/index.js';
  const { metafile, outputFiles } = await build({ ...bundleOptions(folder), outfile, write: false, metafile: true });
  const [output] = Object.values(metafile.outputs);
  const [file] = outputFiles;
  if (!output || !file) throw new Error(`${folder} has no bundle.`);
  return {
    code: file.contents,
    bytesOf: new Map(Object.entries(output.inputs).map(([source, { bytesInOutput }]) => [source, bytesInOutput])),
    loads: output.imports,
    builtinsOf: new Map(
      Object.keys(output.inputs).map((source) => [
        source,
        (metafile.inputs[source]?.imports ?? []).filter(({ external }) => external).map((imported) => imported.path),
      ]),
    ),
  };
}

function bundleOf(folder: string): Bundle {
  const found = bundles.get(folder);
  if (!found) throw new Error(`${folder} was not bundled.`);
  return found;
}

const hasBytesOf = ({ bytesOf }: Bundle, part: string) =>
  [...bytesOf].some(([source, bytes]) => source.includes(part) && bytes > 0);

/** KiB that a bundle may have, by the clients in it. */
function budgetOf(bundle: Bundle): number {
  const isWith = (client: string) => hasBytesOf(bundle, `@aws-sdk/client-${client}/`);
  // One exception: delete removes files and the job before it answers, so it carries Transcribe besides S3.
  if (isWith('s3')) return isWith('transcribe') ? 460 : 430;
  return isWith('sqs') || isWith('sts') ? 340 : 260;
}

describe.each(apiFolders)('the bundle of %s', (folder) => {
  test('is within its budget', () => {
    const bundle = bundleOf(folder);
    expect(bundle.code.length / 1024).toBeLessThanOrEqual(budgetOf(bundle));
  });

  test('is within 90 KiB compressed, with DynamoDB alone', () => {
    const bundle = bundleOf(folder);
    if (budgetOf(bundle) === 260) expect(gzipSync(bundle.code, { level: 9 }).length / 1024).toBeLessThanOrEqual(90);
  });
});

test('the function that anybody may call carries no SDK and no schemas, only the description', () => {
  const bundle = bundleOf(descriptionFolder);
  expect(hasBytesOf(bundle, 'docs/openapi.json')).toBe(true);
  expect(hasBytesOf(bundle, '@aws-sdk/')).toBe(false);
  expect(hasBytesOf(bundle, 'shared/contracts/fields.ts')).toBe(false);
});

test('the authorizer, which every request waits for, is small', () => {
  expect(bundleOf(authorizerFolder).code.length / 1024).toBeLessThanOrEqual(60);
});

test('only one function of the API carries Transcribe or the client of S3', () => {
  const heavy = apiFolders.filter((folder) =>
    ['s3', 'transcribe'].some((client) => hasBytesOf(bundleOf(folder), `@aws-sdk/client-${client}/`)),
  );
  expect(heavy).toEqual(['api/transcriptions/delete-transcription']);
});

describe.each(folders)('in the bundle of %s', (folder) => {
  test.each([
    ['X-Ray', /aws-xray/],
    ['the root of zod', /\/zod\/(index|v4\/index|v4\/classic|v3)/],
    ['the locales of zod', /\/zod\/.*\/locales\//],
    ['a client in CommonJS', /\/(@aws-sdk|@smithy)\/.*\/dist-cjs\//],
    ['a credential provider but that of the environment', /\/(@aws-sdk|@smithy)\/credential-provider-(?!env\/)/],
    ['token providers', /\/@aws-sdk\/token-providers\//],
    ['event streams', /\/(event-streams|eventstream-[a-z-]+)\//],
    ['code of the tests or the stack', /^(test|infra)\/|\/(aws-cdk-lib|constructs|vitest)\//],
    ['AWS permissions', /(^|\/)access\.ts$/],
  ])('there is no byte of %s', (_name, pattern) => {
    const found = [...bundleOf(folder).bytesOf].filter(([source, bytes]) => pattern.test(source) && bytes > 0);
    expect(found).toEqual([]);
  });

  test('there is the credential provider of the environment, and zod in its small form', () => {
    const usesNeither = folder === descriptionFolder || folder === authorizerFolder;
    expect(hasBytesOf(bundleOf(folder), '@aws-sdk/credential-provider-env/')).toBe(!usesNeither);
    expect(hasBytesOf(bundleOf(folder), 'zod/v4/mini/')).toBe(!usesNeither);
  });

  test('nothing is imported as a module: importing node:http so would load all of it', () => {
    const { loads } = bundleOf(folder);
    expect(loads).not.toEqual([]);
    expect(loads.filter(({ kind }) => kind !== 'require-call')).toEqual([]);
  });

  test('nothing asks for HTTP but the connection of the SDK, and the authorizer for the keys of tokens', () => {
    const askers = [...bundleOf(folder).builtinsOf]
      .filter(([, builtins]) => builtins.some((name) => /^(node:)?https?2?$/.test(name)))
      .map(([source]) => source);
    expect(askers.filter((source) => !/node_modules\/@(smithy|aws-sdk)\//.test(source))).toEqual(
      folder === authorizerFolder ? ['node_modules/aws-jwt-verify/dist/esm/https-node.js'] : [],
    );
  });

  test('nothing is left to be found at run time but what Node brings', () => {
    const foreign = bundleOf(folder).loads.filter((load) => !/^(node:)?[a-z_0-9/]+$/.test(load.path));
    expect(foreign).toEqual([]);
  });
});
