import { globSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleOptions, functionFolders } from '#infra/bundling.ts';
import { functionAccess } from '#infra/function-access.ts';
import type { Access } from '#shared/access.ts';

const descriptionFolder = 'api/description/get-api-description';
const authorizerFolder = 'authorizers/authorize-request';
/** Functions that call webhooks, or decide which addresses may be stored. */
const callingFolders = functionFolders.filter((folder) => accessOf(folder)?.callsWebhooks);
/** Functions that read media files. */
const mediaFolders = ['workers/prepare-media', 'workers/start-transcription'];
const apiFolders = functionFolders.filter((folder) => folder.startsWith('api/'));

function accessOf(folder: string): Access | undefined {
  return Object.entries<Access>(functionAccess).find(([name]) => name === path.posix.basename(folder))?.[1];
}

/** The code of a function's bundle, the bytes from each source file, and the modules that it loads at run time. */
type Bundle = {
  readonly code: Uint8Array;
  readonly bytesOf: ReadonlyMap<string, number>;
  readonly loads: readonly { readonly path: string; readonly kind: string }[];
  /** The modules that each source file imports and that are not bundled. */
  readonly builtinsOf: ReadonlyMap<string, readonly string[]>;
};

const bundles = new Map<string, Bundle>();
let outdir: string;

beforeAll(bundleAll, 60_000);
afterAll(() => rm(outdir, { recursive: true }));

async function bundleAll(): Promise<void> {
  outdir = await mkdtemp(path.join(tmpdir(), 'roomscribe-bundles-'));
  const { metafile } = await build({ ...bundleOptions, outdir, write: true });
  for (const folder of functionFolders) {
    const file = path.join(outdir, folder, 'index.js');
    const output = metafile.outputs[path.relative(bundleOptions.absWorkingDir, file).replaceAll('\\', '/')];
    if (!output) throw new Error(`${folder} has no bundle.`);
    const sources = Object.keys(output.inputs);
    bundles.set(folder, {
      code: readFileSync(file),
      bytesOf: new Map(Object.entries(output.inputs).map(([source, { bytesInOutput }]) => [source, bytesInOutput])),
      loads: output.imports,
      builtinsOf: new Map(sources.map((source) => [source, builtinsIn(metafile.inputs[source])])),
    });
  }
}

function builtinsIn(source: Metafile['inputs'][string] | undefined): readonly string[] {
  return (source?.imports ?? []).filter(({ external }) => external).map(({ path }) => path);
}

function bundleOf(folder: string): Bundle {
  const found = bundles.get(folder);
  if (!found) throw new Error(`${folder} was not bundled.`);
  return found;
}

const hasBytesOf = ({ bytesOf }: Bundle, part: string) =>
  [...bytesOf].some(([source, bytes]) => source.includes(part) && bytes > 0);

const withoutSdk = 275;
const withDynamodb = 252;
/** Functions whose budget is larger than that of their clients, and why. */
const exceptions: Readonly<Record<string, number>> = {
  'workers/prepare-media': 453, // reads and writes media of every container
  'workers/finish-transcription': 441, // renders transcripts and names speakers
  'workers/record-room-events': 435, // has the schemas and the rules of all events
  'workers/merge-transcription': 427, // joins what was heard in the parts
};

/** The maximum size of a bundle in KiB, which depends on its AWS clients. */
function budgetOf(folder: string, bundle: Bundle): number {
  const clients = new Set([...bundle.bytesOf].filter(([, bytes]) => bytes > 0).flatMap(([source]) => clientOf(source)));
  const exception = exceptions[folder];
  if (exception !== undefined) return exception;
  if (clients.has('s3')) return 419;
  if (clients.size > 1) return 315;
  return clients.size === 1 ? withDynamodb : withoutSdk;
}

function clientOf(source: string): readonly string[] {
  return /@aws-sdk\/client-([^/]+)\//.exec(source)?.slice(1) ?? [];
}

/** A line for each file that a function has, with its size in whole KiB, rounded up. */
function sizes(): string {
  const files = globSync('**/*.{js,cjs}', { cwd: outdir }).map((file) => file.replaceAll('\\', '/'));
  const lines = files.map((file) => `${file} ${Math.ceil(statSync(path.join(outdir, file)).size / 1024)}\n`);
  return lines.toSorted().join('');
}

test('the bundle and the chunks of each function have the sizes that are checked in', async () => {
  await expect(sizes()).toMatchFileSnapshot('bundle-sizes.txt');
});

describe.each(functionFolders)('the size of the bundle of %s', (folder) => {
  test('is within its budget', () => {
    const bundle = bundleOf(folder);
    expect(bundle.code.length / 1024).toBeLessThanOrEqual(budgetOf(folder, bundle));
  });

  test('is at most 85 KiB compressed if its only AWS client is DynamoDB', () => {
    const bundle = bundleOf(folder);
    if (budgetOf(folder, bundle) === withDynamodb)
      expect(gzipSync(bundle.code, { level: 9 }).length / 1024).toBeLessThanOrEqual(85);
  });
});

test('the bundle of the public description function contains the description, but no SDK and no schemas', () => {
  const bundle = bundleOf(descriptionFolder);
  expect(hasBytesOf(bundle, 'get-api-description/description.built.ts')).toBe(true);
  expect(hasBytesOf(bundle, '@aws-sdk/')).toBe(false);
  expect(hasBytesOf(bundle, 'shared/contracts/fields.ts')).toBe(false);
  expect(bundle.loads.map(({ path: loaded }) => loaded)).not.toContain('node:crypto');
});

test('the bundle of the authorizer is small, because every request waits for it', () => {
  expect(bundleOf(authorizerFolder).code.length / 1024).toBeLessThanOrEqual(27);
});

test.each([
  ['Transcribe', 'transcribe', ['api/transcriptions/delete-transcription']],
  ['S3', 's3', ['api/events/receive-hook', 'api/transcriptions/delete-transcription']],
  [
    'Secrets Manager',
    'secrets-manager',
    [
      'api/events/receive-hook',
      'api/webhooks/create-webhook',
      'api/webhooks/rotate-webhook-secret',
      'api/webhooks/test-webhook',
    ],
  ],
])('few bundles of the API contain the client of %s', (_, client, expected) => {
  const heavy = apiFolders.filter((folder) => hasBytesOf(bundleOf(folder), `@aws-sdk/client-${client}/`));
  expect(heavy.toSorted()).toEqual(expected);
});

test('only start-transcription can start many jobs, and it has the pace of their starts', () => {
  const paced = functionFolders.filter((folder) => hasBytesOf(bundleOf(folder), 'shared/pace.ts'));
  expect(paced).toEqual(['workers/start-transcription']);
});

describe.each(functionFolders)('the bundle of %s', (folder) => {
  test.each([
    ['X-Ray', /aws-xray/],
    ['root module of zod', /\/zod\/(index|v4\/index|v4\/classic|v3)/],
    ['locales of zod', /\/zod\/.*\/locales\//],
    ['AWS client in CommonJS', /\/(@aws-sdk|@smithy)\/.*\/dist-cjs\//],
    ['credential provider except that of the environment', /\/(@aws-sdk|@smithy)\/credential-provider-(?!env\/)/],
    ['document client of the SDK', /\/@aws-sdk\/lib-dynamodb\//],
    ['token providers', /\/@aws-sdk\/token-providers\//],
    ['event streams', /\/(event-streams|eventstream-[a-z-]+)\//],
    ['code of the tests or the stack', /^(test|infra)\/|\/(aws-cdk-lib|constructs|vitest)\//],
    ['AWS permissions', /(^|\/)access\.ts$/],
  ])('contains no %s', (_name, pattern) => {
    const found = [...bundleOf(folder).bytesOf].filter(([source, bytes]) => pattern.test(source) && bytes > 0);
    expect(found).toEqual([]);
  });

  test('contains the environment credential provider and zod/mini, unless the function needs neither', () => {
    const usesNeither = folder === descriptionFolder || folder === authorizerFolder;
    expect(hasBytesOf(bundleOf(folder), '@aws-sdk/credential-provider-env/')).toBe(!usesNeither);
    expect(hasBytesOf(bundleOf(folder), 'zod/v4/mini/')).toBe(!usesNeither);
  });

  test('builds schemas when they are first used, and loads compression when it is first used', () => {
    const { bytesOf, builtinsOf } = bundleOf(folder);
    expect(hasBytesOf(bundleOf(folder), 'shared/adapters/late-schemas.ts')).toBe(hasBytesOf(bundleOf(folder), '/zod/'));
    const own = [...bytesOf.keys()].filter((source) => !source.includes('node_modules/'));
    expect(own.filter((source) => builtinsOf.get(source)?.some((name) => /^(node:)?zlib$/.test(name)))).toEqual([]);
  });

  test('loads modules only with require, because an import of node:http loads all of it', () => {
    const { loads } = bundleOf(folder);
    expect(loads).not.toEqual([]);
    expect(loads.filter(({ kind }) => kind !== 'require-call')).toEqual([]);
  });

  test('uses HTTP only in the SDK, in the authorizer to fetch keys, and to call webhooks', () => {
    const askers = [...bundleOf(folder).builtinsOf]
      .filter(([, builtins]) => builtins.some((name) => /^(node:)?https?2?$/.test(name)))
      .map(([source]) => source);
    const others = askers.filter((source) => !/node_modules\/@(smithy|aws-sdk)\//.test(source));
    const caller = /^shared\/adapters\/webhooks\/|node_modules\/request-filtering-agent\//;
    const expected = callingFolders.includes(folder) ? others.filter((source) => caller.test(source)) : [];
    if (folder !== authorizerFolder) expect(others).toEqual(expected);
    else expect(others).toEqual([expect.stringMatching(/node_modules\/aws-jwt-verify\/dist\/esm\/https-node\.js$/)]);
  });

  test('loads only built-in modules at run time, and the library of media files where it is needed', () => {
    const foreign = bundleOf(folder).loads.filter((load) => !/^(node:)?[a-z_0-9/]+$/.test(load.path));
    const expected = mediaFolders.includes(folder) ? ['./mediabunny.chunk.cjs'] : [];
    expect([...new Set(foreign.map((load) => load.path))]).toEqual(expected);
    expect(hasBytesOf(bundleOf(folder), '/mediabunny/')).toBe(false);
  });
});
