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

const installed = ['pocketsphinx_continuous', 'ffmpeg', 'ffprobe', 'flite', 'opusenc'];

test('installs nothing if everything is installed, and builds the console', async () => {
  await Promise.all(installed.map((name) => addProgram(name)));
  const { status, output } = runSetup();
  expect(status).toBe(0);
  expect(output).toBe(
    'PocketSphinx is already installed.\nffmpeg is already installed.\nFlite is already installed.\nopus-tools is already installed.\nThe console is built.\n',
  );
});

test('prints what to install if there is no apt-get', () => {
  const { status, output } = runSetup();
  expect(status).toBe(1);
  expect(output).toContain('PocketSphinx is missing, and apt-get is not available');
  expect(output).toContain('brew install cmu-pocketsphinx');
  expect(output).toContain('ffmpeg is missing, and apt-get is not available');
  expect(output).toContain('apt-get install ffmpeg');
});

test.runIf(hasEnglishModel)('fetches the package lists if the first attempt fails, as on a new Debian', async () => {
  const calls = join(programs, 'calls');
  await Promise.all(installed.filter((name) => name !== 'ffprobe').map((name) => addProgram(name)));
  const ffprobe = join(programs, 'ffprobe');
  await addProgram('sudo', 'exec "$@"');
  await addProgram('env', 'shift; exec "$@"');
  await addProgram(
    'apt-get',
    `echo "$@" >> ${calls}
case "$1" in
  update) : > ${programs}/lists ;;
  install) [ -e ${programs}/lists ] || exit 100; : > ${ffprobe}; /bin/chmod +x ${ffprobe} ;;
esac`,
  );
  const { status, output } = runSetup();
  expect(output).toContain('ffmpeg is installed.');
  expect(status).toBe(0);
  const install = 'install -y --no-install-recommends ffmpeg';
  expect(await readFile(calls, 'utf8')).toBe(`${install}\nupdate\n${install}\n`);
});

test('prints what to install if apt-get fails', async () => {
  await addProgram('sudo', 'exec "$@"');
  await addProgram('env', 'shift; exec "$@"');
  await addProgram('apt-get', 'exit 100');
  const { status, output } = runSetup();
  expect(status).toBe(1);
  expect(output).toContain('apt-get could not install ffmpeg');
});

test('installs Chromium for --tests only', async () => {
  await Promise.all(installed.map((name) => addProgram(name)));
  expect(runSetup()).toMatchObject({ status: 0, output: expect.not.stringContaining('Chromium') });

  const missing = runSetup('--tests');
  expect(missing.status).toBe(1);
  expect(missing.output).toMatch(/Chromium is missing.*Install Chromium/s);

  await addProgram('chromium');
  await addProgram('curl');
  await addProgram('python3');
  const { status, output } = runSetup('--tests');
  expect(status).toBe(0);
  expect(output).toContain('Chromium is already installed.');
});

test('rejects an unknown flag', () => {
  const { status, output } = runSetup('--test');
  expect(status).toBe(1);
  expect(output).toMatch(/Unknown option '--test'.*npm run setup -- \[options\]/s);
});

test('--help installs nothing and succeeds', () => {
  const { status, output } = runSetup('--help');
  expect(status).toBe(0);
  expect(output).toMatch(/^Usage: npm run setup -- \[options\]\n.*--tests/s);
  expect(output).not.toContain('installed');
});
