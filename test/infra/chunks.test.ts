import { execFile } from 'node:child_process';
import { access, mkdtemp, rm, stat } from 'node:fs/promises';
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
