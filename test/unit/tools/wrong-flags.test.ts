import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runOrganization } from '#operations/organization/run.ts';
import { readFlags } from '#tools/local/flags.ts';
import { UserError } from '#tools/shared/user-error.ts';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

// The tests of the other commands call their functions.
test.each(['synth', 'release:tables', 'describe', 'build', 'bench'])(
  'npm run %s refuses a wrong flag with one sentence and its usage, and does nothing',
  (script) => {
    const program = String(scripts[script]).replace('node ', '');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--hepl'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^(error: )?unknown option '--hepl'.*^Usage: npm run ${script}`, 'ims'));
    expect(stderr).not.toMatch(/^ +at /m);
  },
);

const read = async (args: readonly string[]): Promise<unknown> => readFlags(args);
/** The commands have no dependencies, so that one which runs fails with another error. */
const run = (args: readonly string[]) => runOrganization(args, {} as Parameters<typeof runOrganization>[1]);
const inProd = ['--stage', 'prod'];

test.each([
  ['--port is given more than once', read, ['--port', '1', '--port=2']],
  ['--fresh is given more than once', read, ['--fresh', '--fresh']],
  ['--participant-id is', run, ['erase', 'acme', '--participant-id', 'alice', '--participant-id', 'bob', ...inProd]],
  ['--stage is given more than once', run, ['erase', 'acme', '--stage', 'dev', ...inProd]],
  ['--role is given', run, ['people', 'add', 'acme', 'a@b.example', '--role', 'reader', '--role=editor', ...inProd]],
  ['--data-dir has no value. If --fresh is meant', read, ['--data-dir', '--fresh']],
  ['--data-dir has no value', read, ['--data-dir', '--']],
  ['--participant-id has no value', run, ['erase', 'acme', '--participant-id', '--yes', ...inProd]],
  ['--data-dir must not be empty', read, ['--data-dir', '']],
  ['--data-dir must not be empty', read, ['--data-dir=']],
  ['--data-dir must not be empty', run, ['connections', 'acme', '--data-dir', '']],
])('"%s" and the help answer a wrong use of an option', async (problem, use, args) => {
  const error = await use(args).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UserError);
  expect(String(error)).toMatch(new RegExp(`^UserError: ${problem}[^]*^Usage: npm (start|run organization)`, 'm'));
});

test.each([
  ['-x', ['--data-dir', '-x']],
  ['--y=--z', ['--data-dir=--y=--z']],
])('%s can be the value of an option', async (dataDir, args) => {
  expect(await read(args)).toMatchObject({ dataDir });
});
