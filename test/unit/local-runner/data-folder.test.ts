import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDataFolder } from '#tools/local/data-folder.ts';
import { UserError } from '#tools/shared/user-error.ts';

const parent = await mkdtemp(path.join(tmpdir(), 'data-folder-'));
afterAll(() => rm(parent, { recursive: true }));

test('openDataFolder creates the data directory and its parents', async () => {
  const { dynamodb, release } = await openDataFolder(path.join(parent, 'a', 'b', 'c'), false);
  release();
  expect((await stat(dynamodb)).isDirectory()).toBe(true);
});

test.each([
  ['below a file', () => path.join(parent, 'file', 'x')],
  ['that is a file', () => path.join(parent, 'file')],
  ['in a file system without writable folders', () => '/proc/x/y'],
])('openDataFolder rejects a data directory %s with a message for the user', async (_where, directory) => {
  await writeFile(path.join(parent, 'file'), '');
  const opening = openDataFolder(directory(), false);
  await expect(opening).rejects.toThrow(UserError);
  await expect(opening).rejects.toThrow(`Cannot write to ${directory()}`);
});
