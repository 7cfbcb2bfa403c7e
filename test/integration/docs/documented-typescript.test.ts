import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import * as client from '#client/index.ts';
import { errorStatuses } from '#shared/contracts/common/errors.ts';
import { installedPackage } from '../../support/client/package.ts';
import { run } from '../../support/client/run-program.ts';
import { blocksOf, documents } from '../../support/docs/documents.ts';

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

/** Compiles programs that use the package as it is installed, and returns what the compiler prints. */
async function compile(programs: Readonly<Record<string, string>>, lib: readonly string[]): Promise<string> {
  const files = Object.keys(programs);
  for (const [file, program] of Object.entries(programs)) await writeFile(path.join(folder, file), program);
  const project = path.join(folder, `${lib.join('-')}.json`);
  await writeFile(project, JSON.stringify({ compilerOptions: { ...settings, lib }, files }));
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  const { stdout, stderr } = await run(process.execPath, [tsc, '--project', project], { folder });
  return stdout + stderr;
}

const pages = documents.filter((page) => blocksOf(page, 'ts').length > 0);

test.each([{ lib: ['es2023'] }, { lib: ['es2023', 'dom'] }])(
  'the TypeScript of every page compiles with $lib, and a wrong line added to it does not',
  {
    timeout: 60_000,
  },
  async ({ lib }) => {
    const programs = pages.flatMap((page) => {
      const program = blocksOf(page, 'ts').join('\n');
      const name = path.basename(page, '.md');
      const wrong = `${program}\nnew Roomscribe({ apiUrl: 1, token: '' });`;
      return [[`${name}.mts`, program] as const, [`${name}-wrong.mts`, wrong] as const];
    });
    const errors = (await compile(Object.fromEntries(programs), lib)).trimEnd().split('\n').sort();
    const expected = programs.map(([file]) => file).filter((file) => file.endsWith('-wrong.mts'));
    expect(errors).toEqual(
      expected.sort().map((file) => expect.stringMatching(new RegExp(`^${file}\\(.* error TS2322`))),
    );
  },
);

test('docs/client.md knows every class of error, and every code', () => {
  const page = readFileSync('docs/client.md', 'utf8');
  const table = page.slice(page.indexOf('| Class | `code` |'));
  const classes = Object.entries(client)
    .filter(([, value]) => value.prototype instanceof client.RoomscribeError)
    .map(([name]) => name);
  const names = [...classes.filter((name) => name !== 'ApiError'), ...Object.keys(errorStatuses)];
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});
