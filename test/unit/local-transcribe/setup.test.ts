import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const SETUP = fileURLToPath(new URL('../../../tools/local/setup.ts', import.meta.url));
const hasEnglishModel = existsSync('/usr/share/pocketsphinx/model/en-us');

let programs: string;
beforeEach(async () => {
  programs = await mkdtemp(join(tmpdir(), 'setup-'));
});
afterEach(() => rm(programs, { recursive: true }));

async function addProgram(name: string, script = ''): Promise<void> {
  await writeFile(join(programs, name), `#!/bin/sh\n${script}\n`);
  await chmod(join(programs, name), 0o755);
}

function runSetup(...flags: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [SETUP, ...flags], {
    env: { PATH: programs },
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('nothing is done where the recognizer is there', async () => {
  await addProgram('pocketsphinx_continuous');
  const { status, output } = runSetup();
  expect(status).toBe(0);
  expect(output).toContain('The speech recognizer is installed: nothing to do.');
});

test('without apt-get it says what to install', () => {
  const { status, output } = runSetup();
  expect(status).toBe(1);
  expect(output).toContain('there is no apt-get');
  expect(output).toContain('brew install');
});

test.runIf(hasEnglishModel)('on a fresh Debian the package lists are fetched before the packages', async () => {
  const calls = join(programs, 'calls');
  const recognizer = join(programs, 'pocketsphinx_continuous');
  await addProgram('sudo', 'exec "$@"');
  await addProgram('env', 'shift; exec "$@"');
  await addProgram(
    'apt-get',
    `echo "$@" >> ${calls}
case "$1" in
  update) : > ${programs}/lists ;;
  install) [ -e ${programs}/lists ] || exit 100; : > ${recognizer}; /bin/chmod +x ${recognizer} ;;
esac`,
  );
  const { status, output } = runSetup();
  expect(output).toContain('The speech recognizer is installed.');
  expect(status).toBe(0);
  const install = 'install -y --no-install-recommends pocketsphinx pocketsphinx-en-us';
  expect(await readFile(calls, 'utf8')).toBe(`${install}\nupdate\n${install}\n`);
});

test('an apt-get that fails is said, with what to do by hand', async () => {
  await addProgram('sudo', 'exec "$@"');
  await addProgram('env', 'shift; exec "$@"');
  await addProgram('apt-get', 'exit 100');
  const { status, output } = runSetup();
  expect(status).toBe(1);
  expect(output).toContain('could not be installed');
});

test('the browser is asked for by --tests alone', async () => {
  await addProgram('pocketsphinx_continuous');
  expect(runSetup()).toMatchObject({ status: 0, output: expect.not.stringContaining('browser') });

  const missing = runSetup('--tests');
  expect(missing.status).toBe(1);
  expect(missing.output).toMatch(/browser of the tests is missing.*Install Chromium/s);

  await addProgram('chromium');
  await addProgram('curl');
  const { status, output } = runSetup('--tests');
  expect(status).toBe(0);
  expect(output).toContain('The browser of the tests is installed: nothing to do.');
});

test('a flag that is unknown is said', () => {
  const { status, output } = runSetup('--test');
  expect(status).toBe(1);
  expect(output).toMatch(/Unknown option '--test'.*npm run setup \[-- --tests\]/s);
});

test('help installs nothing, and is no failure', () => {
  const { status, output } = runSetup('--help');
  expect(status).toBe(0);
  expect(output.trim().split('\n')[0]).toBe('npm run setup [-- --tests]');
  expect(output).not.toContain('installed');
});
