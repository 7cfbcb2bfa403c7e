import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { bundleOptions, functionFolders } from '#infra/bundling/bundling.ts';
import { functionAccess } from '#infra/functions/function-access.ts';
import type { Access } from '#shared/runtime/access.ts';

const root = bundleOptions.absWorkingDir;
const descriptionFolder = 'api/common/get-api-description';
const authorizerFolder = 'authorizers/authorize-request';
/** Functions that call webhooks, or decide which addresses may be stored. */
const callingFolders = functionFolders.filter((folder) => accessOf(folder)?.callsWebhooks);
const apiFolders = functionFolders.filter((folder) => folder.startsWith('api/'));

function accessOf(folder: string): Access | undefined {
  return Object.entries<Access>(functionAccess).find(([name]) => name === path.posix.basename(folder))?.[1];
}

/** What esbuild says of its bundles, and the content of each file in them as esbuild has read it. */
type Bundles = { readonly metafile: Metafile; readonly contents: ReadonlyMap<string, string> };

/** Bundles with source maps, which have the whole content of each file before it is minified. */
async function bundled(options: BuildOptions = bundleOptions): Promise<Bundles> {
  const { metafile, outputFiles } = await build({ ...options, metafile: true, sourcemap: 'external', write: false });
  const contents = new Map<string, string>();
  for (const { path: file, text } of outputFiles.filter((output) => output.path.endsWith('.map'))) {
    const { sources, sourcesContent }: { readonly sources: string[]; readonly sourcesContent: string[] } =
      JSON.parse(text);
    for (const [index, source] of sources.entries())
      contents.set(path.relative(root, path.resolve(path.dirname(file), source)), sourcesContent[index] ?? '');
  }
  return { metafile, contents };
}

/** The folder of the package that a file belongs to. Nothing for a file of ours. */
function packageOf(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

/** The folder of the package in which Node finds what a file imports. */
function packageForNode(specifier: string, importer: string): string | undefined {
  if (/^[.#]/.test(specifier)) return packageOf(importer);
  const manifest = findPackageJSON(specifier, pathToFileURL(path.join(root, importer)));
  return manifest && path.relative(root, path.dirname(manifest));
}

/** Files whose content is not that on disk, and imports that do not lead to the package in which Node finds them. */
function differences({ metafile, contents }: Bundles): readonly string[] {
  const changed = filesOf(metafile).filter((file) => {
    const onDisk = readFileSync(path.join(root, file));
    // A package with source maps of its own has its TypeScript in the map, so the bytes are counted.
    return (contents.get(file) ?? metafile.inputs[file]?.bytes) !== (contents.has(file) ? `${onDisk}` : onDisk.length);
  });
  const elsewhere = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports.flatMap(({ path: found, original, external }) =>
      external || original === undefined || packageOf(found) === packageForNode(original, file)
        ? []
        : [`${original} is ${found}`],
    ),
  );
  return [...new Set([...changed, ...elsewhere])];
}

/** The files of which a bundle has at least a byte. */
function filesOf({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return [...new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file))];
}

const theAlias = '@aws-sdk/credential-provider-node is shared/adapters/common/credentials-from-environment.ts';

let all: Bundles;
beforeAll(async () => {
  all = await bundled();
}, 120_000);

describe('what ships is what is tested:', () => {
  test('each file in a bundle is the file on disk of the package that Node loads, with one exception', () => {
    expect(filesOf(all.metafile).length).toBeGreaterThan(1000);
    expect(differences(all)).toEqual([theAlias]);
  });

  test('no option of esbuild changes the code of a module', () => {
    expect(Object.keys(bundleOptions.alias)).toEqual(['@aws-sdk/credential-provider-node']);
    const changing = [
      'plugins',
      'loader',
      'inject',
      'define',
      'pure',
      'drop',
      'dropLabels',
      'mangleProps',
      'banner',
      'footer',
    ];
    for (const option of changing) expect(bundleOptions).not.toHaveProperty(option);
  });

  const entryPoints = ['functions/workers/webhooks/relay-notices/index.ts'];
  test('a plugin that changes a byte of a package is found', async () => {
    const file = 'node_modules/@aws-sdk/lib-dynamodb/dist-es/commands/QueryCommand.js';
    const rewriting: Plugin = {
      name: 'rewriting',
      setup: ({ onLoad }) =>
        onLoad({ filter: /lib-dynamodb\/.*\/QueryCommand\.js$/ }, () => ({ contents: `${readFileSync(file)} ` })),
    };
    expect(differences(await bundled({ ...bundleOptions, entryPoints, plugins: [rewriting] }))).toEqual([
      file,
      theAlias,
    ]);
  });

  test('another alias, or another version of a package, is found', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'roomscribe-version-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const other = path.join(folder, 'node_modules/zod');
    cpSync(path.join(root, 'node_modules/zod'), other, { recursive: true });
    const alias = { ...bundleOptions.alias, zod: other };
    const expected = `zod/mini is ${path.relative(root, other)}/mini/index.js`;
    expect(differences(await bundled({ ...bundleOptions, entryPoints, alias }))).toContain(expected);
  });
});

/** The bytes from each file in a function's bundle, and the modules that it loads at run time. */
type Bundle = {
  readonly bytesOf: ReadonlyMap<string, number>;
  readonly loads: readonly { readonly path: string; readonly kind: string }[];
};

function bundleOf(folder: string): Bundle {
  const output = all.metafile.outputs[`${bundleOptions.outdir}/${folder}/index.js`];
  if (!output) throw new Error(`${folder} was not bundled.`);
  const bytesOf = new Map(Object.entries(output.inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput]));
  return { bytesOf, loads: output.imports };
}

function builtinsIn(file: string): readonly string[] {
  return (all.metafile.inputs[file]?.imports ?? []).filter(({ external }) => external).map((load) => load.path);
}

const hasBytesOf = (folder: string, part: string) =>
  [...bundleOf(folder).bytesOf].some(([file, bytes]) => file.includes(part) && bytes > 0);

test('the bundles of the authorizer and of the public description contain no SDK and no schemas', () => {
  for (const folder of [descriptionFolder, authorizerFolder])
    for (const part of ['@aws-sdk/', '/zod/', 'shared/contracts/common/fields.ts'])
      expect([folder, part, hasBytesOf(folder, part)]).toEqual([folder, part, false]);
});

test.each([
  ['Transcribe', '@aws-sdk/client-transcribe/', ['api/transcriptions/delete-transcription']],
  ['S3', '@aws-sdk/client-s3/', ['api/platforms/receive-hook', 'api/transcriptions/delete-transcription']],
  [
    'Secrets Manager',
    '@aws-sdk/client-secrets-manager/',
    [
      'api/platforms/receive-hook',
      'api/webhooks/create-webhook',
      'api/webhooks/rotate-webhook-secret',
      'api/webhooks/test-webhook',
    ],
  ],
])('few bundles of the API contain the client of %s', (_, client, expected) => {
  expect(apiFolders.filter((folder) => hasBytesOf(folder, client)).toSorted()).toEqual(expected);
});

test('only functions that read media files contain the library for them', () => {
  const withMedia = functionFolders.filter((folder) => hasBytesOf(folder, '/mediabunny/'));
  expect(withMedia.toSorted()).toEqual([
    'workers/transcriptions/prepare-media',
    'workers/transcriptions/start-transcription',
  ]);
});

test('no worker contains what operations of the API take and return', () => {
  const workers = functionFolders.filter((folder) => folder.startsWith('workers/'));
  expect(workers.filter((folder) => hasBytesOf(folder, '-operations.ts'))).toEqual([]);
});

test('only start-transcription can start many jobs, and it has the pace of their starts', () => {
  expect(functionFolders.filter((folder) => hasBytesOf(folder, 'shared/runtime/pace.ts'))).toEqual([
    'workers/transcriptions/start-transcription',
  ]);
});

describe.each(functionFolders)('the bundle of %s', (folder) => {
  test.each([
    ['X-Ray', /aws-xray/],
    ['root module of zod', /\/zod\/(index|v4\/index|v4\/classic|v3)/],
    ['locales of zod', /\/zod\/.*\/locales\//],
    ['AWS client in CommonJS', /\/(@aws-sdk|@smithy)\/.*\/dist-cjs\//],
    ['credential provider except that of the environment', /\/(@aws-sdk|@smithy)\/credential-provider-(?!env\/)/],
    ['token providers', /\/@aws-sdk\/token-providers\//],
    ['code of the tests or the stack', /^(test|infra)\/|\/(aws-cdk-lib|constructs|vitest)\//],
    ['AWS permissions', /(^|\/)access\.ts$/],
  ])('contains no %s', (_name, pattern) => {
    const found = [...bundleOf(folder).bytesOf].filter(([file, bytes]) => pattern.test(file) && bytes > 0);
    expect(found).toEqual([]);
  });

  test("loads only Node's own modules at run time, and with require, because an import of node:http loads all of it", () => {
    const { loads } = bundleOf(folder);
    expect(loads).not.toEqual([]);
    expect(loads.filter((load) => load.kind !== 'require-call' || !/^(node:)?[a-z_0-9/]+$/.test(load.path))).toEqual(
      [],
    );
  });

  test('uses HTTP only in the SDK, in the authorizer to fetch keys, and to call webhooks', () => {
    const askers = [...bundleOf(folder).bytesOf.keys()].filter((file) =>
      builtinsIn(file).some((name) => /^(node:)?https?2?$/.test(name)),
    );
    const others = askers.filter((source) => !/node_modules\/@(smithy|aws-sdk)\//.test(source));
    const caller = /^shared\/adapters\/webhooks\/|node_modules\/request-filtering-agent\//;
    const expected = callingFolders.includes(folder) ? others.filter((source) => caller.test(source)) : [];
    if (folder !== authorizerFolder) expect(others).toEqual(expected);
    else expect(others).toEqual([expect.stringMatching(/node_modules\/aws-jwt-verify\/dist\/esm\/https-node\.js$/)]);
  });
});
