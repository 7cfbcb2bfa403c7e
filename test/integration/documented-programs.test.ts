import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { localAwsCli } from '../support/aws-cli/local-cli.ts';
import { expectPrinted, npmWithPackage, programOf, scriptOf } from '../support/documented-programs.ts';
import { stepsBetween } from '../support/documents.ts';
import { endpoints, organization } from '../support/machine.ts';
import { installedPackage } from '../support/package.ts';
import { finishRecording, shortWav } from '../support/recordings.ts';
import { runScript } from '../support/shell.ts';

test('the curl and TypeScript programs of the tutorial do what it says', { timeout: 120_000 }, async () => {
  const page = 'docs/api.md';
  const commands = stepsBetween(page, 'sh', '## Tutorial', '## Calls');
  const program = stepsBetween(page, 'ts', '## Tutorial', '## Calls');
  const files = {
    '.local/endpoints.json': JSON.stringify(endpoints),
    '../roomscribe-tutorial/tutorial.ts': programOf(program),
  };
  const script = scriptOf(commands).replace(/^CLIENT_ID=acme$/m, `CLIENT_ID=${organization()}`);
  const programs = { aws: localAwsCli, npm: npmWithPackage };
  const { failures, stderr, code, stdout } = await runScript(script, programs, { files, timeoutMs: 110_000 });
  expect({ failures, stderr, code }, stdout).toEqual({ failures: [], stderr: '', code: 0 });
  const [run, ...before] = commands.toReversed();
  expect(run?.code).toMatch(/^node tutorial\.ts$/m);
  expectPrinted(stdout, [...before.toReversed(), ...program, ...(run ? [run] : [])]);
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
  };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['page.mts'], { cwd: folder, env });
  expect(stderr).toBe('');
  expectPrinted(stdout, steps);
});
