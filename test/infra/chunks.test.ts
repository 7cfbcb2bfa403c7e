import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundleOptions } from '#infra/bundling.ts';
import { envNames } from '#shared/names.ts';

const file = 'mediabunny.chunk.cjs';
const withMedia = ['prepare-media', 'start-transcription'];
const withoutMedia = 'delete-transcriptions';

/** Loads a bundle, and then its chunk. Prints whether the bundle has loaded the chunk, and the names that the chunk exports. */
const program = `
  require(process.argv[1]);
  const chunk = require('node:path').resolve(process.argv[1], '../${file}');
  const early = chunk in require.cache;
  process.stdout.write(JSON.stringify({ early, names: Object.keys(require(chunk)) }));
  process.exit();`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-chunks-'));
  const names = [...withMedia, withoutMedia];
  const entryPoints = names.map((name) => ({ in: `functions/workers/${name}/index.ts`, out: `${name}/index` }));
  await build({ ...bundleOptions, entryPoints, outdir: folder, write: true });
}, 60_000);

afterAll(() => rm(folder, { recursive: true }));

test.each(withMedia)('the library of media files is beside the bundle of %s, which loads without it', async (name) => {
  const env = Object.fromEntries(Object.values(envNames).map((variable) => [variable, '100']));
  const args = ['--eval', program, path.join(folder, name, 'index.js')];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...env, AWS_REGION: 'eu-west-1' } });
  const { early, names } = JSON.parse(stdout);
  expect(early).toBe(false);
  expect(names).toEqual(expect.arrayContaining(['Input', 'CustomSource', 'Output', 'EncodedAudioPacketSource']));
  expect((await stat(path.join(folder, name, file))).size / 1024).toBeLessThanOrEqual(318);
});

test('a function that reads no media files has no library for them', async () => {
  await expect(access(path.join(folder, withoutMedia, file))).rejects.toThrow('ENOENT');
});

/** Bundles a function from a folder with these files. It loads those that are chunks. */
async function bundled(files: Readonly<Record<string, string>>): Promise<void> {
  const sources = await mkdtemp(path.join(folder, 'sources-'));
  const chunks = Object.keys(files).filter((name) => name.endsWith('.chunk.ts'));
  const index = `export const load = [${chunks.map((name) => `() => import('./${name}')`)}];`;
  for (const [name, content] of Object.entries({ ...files, 'index.ts': index })) {
    await mkdir(path.dirname(path.join(sources, name)), { recursive: true });
    await writeFile(path.join(sources, name), content);
  }
  const entryPoints = [path.join(sources, 'index.ts')];
  await build({ ...bundleOptions, entryPoints, outdir: path.join(sources, 'out'), write: true, logLevel: 'silent' });
}

const value = 'export const value = 1;';

test('a chunk may have a package', async () => {
  await bundled({ 'a.chunk.ts': "export { value } from 'a-package';", 'node_modules/a-package/index.js': value });
});

test.each([
  ['a module of our own', { 'a.chunk.ts': "export { value } from './own.ts';", 'own.ts': value }, /own\.ts/],
  ['another chunk', { 'a.chunk.ts': "export { value } from './b.chunk.ts';", 'b.chunk.ts': value }, /b\.chunk\.ts/],
  ['a module that replaces a package', { 'a.chunk.ts': "export { string } from 'zod/mini';" }, /late-schemas\.ts/],
])('a chunk with %s is an error', async (_, files, other) => {
  const result = bundled(files);
  await expect(result).rejects.toThrow(/a\.chunk\.ts may import only packages/);
  await expect(result).rejects.toThrow(other);
});

test('two chunks with one file name are an error', async () => {
  await expect(bundled({ 'a/same.chunk.ts': value, 'b/same.chunk.ts': value })).rejects.toThrow(
    /both become same\.chunk\.cjs/,
  );
});
