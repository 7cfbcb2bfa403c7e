import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleOptions } from '#infra/bundling.ts';
import { leanSdk, withLateZlib, withPlainKeys } from '#infra/lean-sdk.ts';

/** The files that the plugin rewrites, of each client that is installed. */
const files = globSync('@aws-sdk/client-*/dist-es/schemas/schemas_*.js', { cwd: 'node_modules' });

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-lean-sdk-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Bundles a file of the SDK, with or without the plugin, and loads it. */
async function loaded(file: string, plugins = [leanSdk]): Promise<Readonly<Record<string, unknown>>> {
  const outfile = path.join(folder, `${file.replaceAll(/\W/g, '-')}-${plugins.length}.mjs`);
  const entryPoints = [`node_modules/${file}`];
  await build({ entryPoints, outfile, plugins, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}

/** The text of what a module exports, with its functions. */
function textOf(exported: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(exported, (_, value) => (typeof value === 'function' ? String(value) : value));
}

describe.each(files)('the descriptions of operations in %s', (file) => {
  test('stay the same', async () => {
    const [lean, original] = [await loaded(file), await loaded(file, [])];
    expect(textOf(lean)).toBe(textOf(original));
    expect(Object.keys(lean).length).toBeGreaterThan(10);
  });
});

test('a bundle has only the descriptions of the operations that it uses', async () => {
  const { entryPoints, ...options } = bundleOptions;
  const contents = "export { S3Client, GetObjectCommand } from '@aws-sdk/client-s3';";
  const bytesWith = async (plugins: (typeof leanSdk)[]): Promise<number> => {
    const stdin = { contents, resolveDir: process.cwd() };
    const { metafile } = await build({ ...options, stdin, plugins, metafile: true });
    const sources = Object.entries(Object.values(metafile.outputs)[0]?.inputs ?? {});
    return (
      sources.find(([source]) => source.endsWith('client-s3/dist-es/schemas/schemas_0.js'))?.[1].bytesInOutput ?? 0
    );
  };
  const [lean, original] = [await bytesWith([leanSdk]), await bytesWith([])];
  expect(lean).toBeGreaterThan(0);
  expect(lean).toBeLessThan(original / 4);
});

test('the CRC-32 of the SDK is that of Node, which is loaded at the first checksum', async () => {
  type Checksum = { readonly update: (data: Uint8Array) => void; readonly digestSync: () => number };
  const file = '@smithy/core/dist-es/submodules/checksum/crc32/Crc32Node.js';
  for (const plugins of [[leanSdk], []]) {
    const { Crc32Node } = (await loaded(file, plugins)) as { readonly Crc32Node: new () => Checksum };
    const checksum = new Crc32Node();
    checksum.update(Buffer.from('12345'));
    checksum.update(Buffer.from('6789'));
    expect(checksum.digestSync()).toBe(0xcbf43926); // the check value of CRC-32/ISO-HDLC
  }
});

test('a package file keeps its version', async () => {
  const lean = await loaded('@aws-sdk/client-s3/package.json');
  const { default: original } = await import('../../node_modules/@aws-sdk/client-s3/package.json', {
    with: { type: 'json' },
  });
  expect(lean.default).toEqual({ version: original.version });
});

test('keys are replaced by the text of their constants, and others stay', () => {
  expect(withPlainKeys('const _a = "x-y";\nconst b = { [_a]: 1, [_c]: 2 };')).toBe(
    'const _a = "x-y";\nconst b = { "x-y": 1, [_c]: 2 };',
  );
});

test('a CRC-32 that has changed is an error', () => {
  expect(() => withLateZlib('export class Crc32Node {}')).toThrow("The SDK's CRC-32 has changed");
});
