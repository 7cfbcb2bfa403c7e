import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { errorStatuses } from '#shared/contracts/errors.ts';
import * as client from '../../../client/index.ts';
import { blocksOf, documents } from '../../support/documents.ts';
import { installedPackage } from '../../support/package.ts';

let folder = '';
beforeAll(async () => {
  ({ folder } = await installedPackage());
}, 120_000);

const settings = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  target: 'es2023',
  module: 'nodenext',
  types: ['node'],
  typeRoots: [path.resolve('node_modules/@types')],
};

/** The compiler's errors for a program that uses the installed package. */
async function compilerErrors(name: string, program: string, lib: readonly string[]): Promise<string> {
  const file = `${name}-${lib.join('-')}`;
  await writeFile(path.join(folder, `${file}.mts`), program);
  const project = path.join(folder, `${file}.json`);
  await writeFile(project, JSON.stringify({ compilerOptions: { ...settings, lib }, files: [`${file}.mts`] }));
  return new Promise((resolve) => {
    const tsc = path.resolve('node_modules/typescript/bin/tsc');
    execFile(process.execPath, [tsc, '--project', project], (error, stdout) => resolve(error ? stdout : ''));
  });
}

const pages = documents.filter((page) => blocksOf(page, 'ts').length > 0);

describe.each(pages)('the TypeScript of %s', (page) => {
  const program = blocksOf(page, 'ts').join('\n');
  const name = path.basename(page, '.md');

  test.each([{ lib: ['es2023'] }, { lib: ['es2023', 'dom'] }])(
    'compiles with $lib',
    {
      timeout: 60_000,
    },
    async ({ lib }) => {
      expect(await compilerErrors(name, program, lib)).toBe('');
      const wrong = `${program}\nnew Roomscribe({ apiUrl: 1, token: '' });`;
      expect(await compilerErrors(`${name}-wrong`, wrong, lib)).toMatch(/^\S*-wrong\S* error TS2322.*\n$/);
    },
  );
});

test('docs/client.md lists every class of error and every error code', () => {
  const page = readFileSync('docs/client.md', 'utf8');
  const table = page.slice(page.indexOf('| Class | `code` |'));
  const classes = Object.entries(client)
    .filter(([, value]) => value.prototype instanceof client.RoomscribeError)
    .map(([name]) => name);
  const names = [...classes.filter((name) => name !== 'ApiError'), ...Object.keys(errorStatuses)];
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});
