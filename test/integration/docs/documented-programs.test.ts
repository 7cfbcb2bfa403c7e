import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { findTutorialPython } from '#tools/local/python/tutorial-python.ts';
import { localAwsCli } from '../../support/aws-cli/local-cli.ts';
import { installedPackage, machinesNode } from '../../support/client/package.ts';
import { runScript } from '../../support/client/shell.ts';
import {
  expectPrinted,
  npmWithPackage,
  programOf,
  pythonOf,
  scriptOf,
} from '../../support/docs/documented-programs.ts';
import { stepsBetween } from '../../support/docs/documents.ts';
import { endpoints, organization } from '../../support/machine.ts';
import { finishRecording, shortWav, twoSentencesAsSample } from '../../support/media/recordings.ts';

test('the curl and TypeScript programs of the tutorial do what it says', { timeout: 120_000 }, async () => {
  const page = 'docs/api.md';
  const commands = stepsBetween(page, 'sh', '## Tutorial', '### The same in Python');
  const program = stepsBetween(page, 'ts', '## Tutorial', '## Calls');
  const files = {
    ...twoSentencesAsSample,
    '.local/endpoints.json': JSON.stringify(endpoints),
    '../roomscribe-tutorial/tutorial.ts': programOf(program),
  };
  const script = scriptOf(commands).replace(/ CLIENT_ID=acme$/m, ` CLIENT_ID=${organization()}`);
  const programs = { aws: localAwsCli, npm: npmWithPackage };
  const { failures, stderr, code, stdout } = await runScript(script, programs, {
    files,
    timeoutMs: 110_000,
    node: machinesNode(), // in CI the oldest that the README allows
    environment: { npm_config_update_notifier: 'false' },
  });
  expect({ failures, stderr, code }, stdout).toEqual({ failures: [], stderr: '', code: 0 });
  const [run, ...before] = commands.toReversed();
  expect(run?.code).toMatch(/^"\$NODE" tutorial\.ts$/m);
  expectPrinted(stdout, [...before.toReversed(), ...program, ...(run ? [run] : [])]);
});

test('the Python program of the tutorial does what it says', async () => {
  const python = findTutorialPython(process.env.PATH ?? '');
  if (python === undefined) throw new Error('Python with boto3 and requests is missing: npm run setup -- --tests');
  const steps = stepsBetween('docs/api.md', 'py', '### The same in Python', '## Calls');
  const folder = await mkdtemp(path.join(inject('machine').temporaryFolder, 'python-'));
  await mkdir(path.join(folder, 'tools/local/sample'), { recursive: true });
  await writeFile(path.join(folder, 'tools/local/sample/recording.wav'), shortWav);
  await writeFile(path.join(folder, 'endpoints.json'), JSON.stringify(endpoints));
  await writeFile(path.join(folder, 'tutorial.py'), pythonOf(steps));
  const env = {
    PATH: process.env.PATH,
    ENDPOINTS: path.join(folder, 'endpoints.json'),
    CLIENT_ID: organization(),
    CLIENT_SECRET: 'local',
  };
  const { stdout, stderr } = await promisify(execFile)(python, ['tutorial.py'], { cwd: folder, env });
  expect(stderr).toBe('');
  expectPrinted(stdout, steps);
});

test('the program on the client page prints what the page says', async () => {
  const acme = organization();
  const { recordingId } = await finishRecording(acme, { body: shortWav });
  const { folder } = await installedPackage();
  const steps = stepsBetween('docs/client.md', 'ts');
  await writeFile(path.join(folder, 'page.mts'), programOf(steps));
  const env = {
    ROOMSCRIBE_API_URL: endpoints.apiUrl,
    ROOMSCRIBE_TOKEN_URL: endpoints.tokenUrl,
    ROOMSCRIBE_CLIENT_ID: acme,
    ROOMSCRIBE_CLIENT_SECRET: 'local',
    RECORDING_ID: recordingId,
    WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
  };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['page.mts'], { cwd: folder, env });
  expect(stderr).toBe('');
  expectPrinted(stdout, steps);
});
