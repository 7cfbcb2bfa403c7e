import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startRunner } from '#tools/local/runner.ts';
import { requestToken } from '#tools/shared/token.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { findRunningService } from '#tools/simulation/running-service.ts';
import { eventually } from '../support/machine.ts';
import { nodeStart, npmStart, processesWith, readEndpoints, type StartedService } from '../support/npm-start.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'roomscribe-start-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Ends the service together with the test, even if the test fails. */
function watched(service: StartedService): StartedService {
  onTestFinished(() => killGroup(service, 'SIGKILL'));
  return service;
}

function killGroup({ process: { pid, exitCode, signalCode } }: StartedService, signal: NodeJS.Signals): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

async function expectNothingLeft(dataDir: string): Promise<void> {
  await eventually(async () => expect(await processesWith(dataDir)).toEqual([]), 5000);
  expect(await exists(path.join(dataDir, 'endpoints.json'))).toBe(false);
}

/** Runs `npm run simulate` and waits for it to end. */
async function simulate(flags: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
  const run = promisify(execFile)('npm', ['run', '--silent', 'simulate', '--', ...flags]);
  const ended = await run.catch((error: { code: number; stdout: string; stderr: string }) => error);
  return { code: 'code' in ended ? ended.code : 0, output: `${ended.stdout}${ended.stderr}` };
}

/** The curl commands that the demo prints. */
function demoRequests(output: string): string[] {
  return Array.from(output.matchAll(/curl .* "(http\S+insights\S+)"/g), ([, url = '']) => url);
}

test('npm start shows a day of rooms and a transcript, stops on Ctrl-C, and keeps its data at the next start', {
  timeout: 180_000,
}, async () => {
  const dataDir = path.join(root, 'main');
  const flags = ['--port', '0', '--data-dir', dataDir];
  const first = watched(npmStart(flags));
  await first.says('Serving', 90_000);

  const endpoints = await readEndpoints(dataDir);
  expect(Object.keys(endpoints)).toEqual(
    expect.arrayContaining([
      ...['apiUrl', 'tokenUrl', 'issuer', 'jwksUrl', 'dynamodbUrl', 'sqsUrl', 's3Url', 'transcribeUrl', 'region'],
      ...['queues', 'buckets', 'tables'],
    ]),
  );
  const addresses = `--api-url ${endpoints.apiUrl} --token-url ${endpoints.tokenUrl}`;
  expect(first.output()).toContain(`\n  roomscribe login --profile local ${addresses} --client-id acme\n`);
  expect(first.output()).toMatch(/thank you for joining/i);
  const link = /Full transcript: (\S+)/.exec(first.output())?.[1] ?? '';
  const token = /TOKEN=(\S+)/.exec(first.output())?.[1];
  const list = async () => {
    const response = await fetch(`${endpoints.apiUrl}/v1/transcriptions`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return response.json();
  };
  expect(first.output()).toMatch(/day of 5 rooms.*\n\n(.*\n)*.*\/demo\/standup .* 3 /);
  const answers = demoRequests(first.output()).map(async (url) => {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return response.json();
  });
  expect(await Promise.all(answers)).toMatchObject([
    { results: expect.arrayContaining([expect.objectContaining({ roomName: '/demo/standup', totalSessions: 3 })]) },
    { results: Array(3).fill({ roomName: '/demo/standup' }) },
    {
      results: expect.arrayContaining([expect.objectContaining({ displayName: expect.stringMatching(/bad network/) })]),
    },
    Array(6).fill({ displayName: expect.stringMatching(/bad network/) }),
  ]);
  const simulation = ['--rooms', '1', '--sessions', '2', '--participants', '7', '--shuffle', '--duplicate', '0.3'];
  expect(await simulate([...simulation, '--data-dir', dataDir])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/The API agrees: 2 rooms, 2 sessions/),
  });
  const transcriptions = await list();
  expect(transcriptions).toMatchObject({ results: [{ state: 'ready', roomName: '/sample-room' }] });

  const sameFolder = watched(npmStart(flags));
  const samePort = watched(
    npmStart(['--port', new URL(endpoints.apiUrl).port, '--data-dir', path.join(root, 'other')]),
  );
  expect([await sameFolder.ended, await samePort.ended]).toEqual([1, 1]);
  expect(sameFolder.output()).toMatch(/Another runner is already using .*--data-dir/);
  expect(samePort.output()).toMatch(/Port \d+ is in use.*--port/);
  expect(`${sameFolder.output()}${samePort.output()}`).not.toMatch(/^ +at /m);

  const stoppedAt = Date.now();
  killGroup(first, 'SIGINT'); // Ctrl-C: the terminal sends it to the whole group
  expect(await first.ended).toBe(0);
  await expectNothingLeft(dataDir);
  expect(Date.now() - stoppedAt).toBeLessThan(5000);

  const second = watched(npmStart(flags));
  await second.says('Serving');
  expect(second.output()).not.toMatch(/recording begins|day of \d rooms/);
  expect(await list()).toEqual(transcriptions);
  expect(await (await fetch(link)).text()).toMatch(/thank you for joining/i);

  second.process.kill('SIGTERM'); // to npm alone
  await expectNothingLeft(dataDir);
});

test('npm start stops on Ctrl-C during a recognition, and finishes it after the next start', {
  timeout: 90_000,
}, async () => {
  const dataDir = path.join(root, 'interrupted');
  await mkdir(dataDir);
  await writeFile(path.join(dataDir, 'demo.json'), JSON.stringify({ dayShown: true })); // the demo then shows its second part
  const flags = ['--port', '0', '--data-dir', dataDir];
  const first = watched(npmStart(flags));
  await first.says('Transcribing', 60_000);
  await eventually(async () => expect((await processesWith(dataDir)).join('\n')).toContain('pocketsphinx'));
  killGroup(first, 'SIGINT');
  expect(await first.ended).toBe(0);
  await expectNothingLeft(dataDir);

  const second = watched(npmStart(flags));
  await second.says('Serving', 60_000);
  expect(second.output()).toMatch(/thank you for joining/i);
  const { apiUrl } = await readEndpoints(dataDir);
  const token = /TOKEN=(\S+)/.exec(second.output())?.[1];
  const response = await fetch(`${apiUrl}/v1/transcriptions`, { headers: { authorization: `Bearer ${token}` } });
  expect(await response.json()).toMatchObject({ results: [{ state: 'ready' }], cursor: null });
  killGroup(second, 'SIGINT');
  await expectNothingLeft(dataDir);
});

test('npm start serves without a recognizer, leaves no process behind if it is killed, and continues with the same day', {
  timeout: 120_000,
}, async () => {
  const dataDir = path.join(root, 'no-recognizer');
  const programs = path.join(root, 'programs');
  await mkdir(programs);
  await symlink('/usr/bin/setpriv', path.join(programs, 'setpriv'));
  const flags = ['--port', '0', '--data-dir', dataDir];
  const first = watched(nodeStart(flags, { PATH: programs }));
  await first.says('Waiting for the totals of the day');
  expect(first.output()).toMatch(/Missing programs: PocketSphinx, ffmpeg\..*npm run setup/);
  first.process.kill('SIGKILL');
  await eventually(async () => expect(await processesWith(dataDir)).toEqual([]), 5000);

  const second = watched(nodeStart(flags, { PATH: programs }));
  await second.says('Serving', 60_000);
  expect(second.output()).toMatch(/day of 5 rooms/);
  expect(second.output()).not.toMatch(/demo failed|recording begins/);
  const endpoints = await readEndpoints(dataDir);
  const authorization = `Bearer ${await requestToken(endpoints, 'acme')}`;
  expect((await fetch(`${endpoints.apiUrl}/v1/transcriptions`, { headers: { authorization } })).status).toBe(200);
  killGroup(second, 'SIGINT');
  await expectNothingLeft(dataDir);
});

test('npm start stops on Ctrl-C during its start', async () => {
  const dataDir = path.join(root, 'early');
  const service = watched(nodeStart(['--port', '0', '--data-dir', dataDir], process.env));
  await service.says('Synthesizing');

  service.process.kill('SIGHUP');

  expect(await service.ended).toBe(0);
  await expectNothingLeft(dataDir);
});

test('npm start prints a wrong flag as one sentence and ends with 1', async () => {
  const service = watched(nodeStart(['--prot', '1'], process.env));

  expect(await service.ended).toBe(1);
  expect(service.output()).toMatch(/Unknown option '--prot'/);
  expect(service.output()).not.toMatch(/^ +at /m);
});

test('npm run simulate prints a missing service as one sentence and ends with 1', async () => {
  const { code, output } = await simulate(['--data-dir', path.join(root, 'nowhere')]);

  expect([code, output]).toEqual([1, expect.stringMatching(/^npm start is not running.*Run npm start/)]);
  expect(output).not.toMatch(/^ +at /m);
});

describe('the runner rejects, with an error for its user,', () => {
  const problemOf = (start: Promise<unknown>) => start.then(String, (error: unknown) => error);

  test('a DynamoDB that does not answer', async () => {
    const dataDir = path.join(root, 'no-dynamodb');
    const problem = await problemOf(startRunner({ port: 0, dataDir, dynamodbUrl: 'http://127.0.0.1:1' }));

    expect(problem).toBeInstanceOf(UserError);
    expect(String(problem)).toMatch(/No DynamoDB answers at/);
  });

  test('a data directory that is a file', async () => {
    const dataDir = path.join(root, 'file');
    await writeFile(dataDir, '');
    const problem = await problemOf(startRunner({ port: 0, dataDir }));

    expect(problem).toBeInstanceOf(UserError);
    expect(String(problem)).toMatch(/Cannot write to .*--data-dir/);
  });
});

test('a simulation rejects a service that no longer listens, with an error for its user', async () => {
  const dataDir = path.join(root, 'gone');
  await mkdir(dataDir);
  await writeFile(path.join(dataDir, 'endpoints.json'), JSON.stringify({ tokenUrl: 'http://127.0.0.1:1/token' }));

  const finding = findRunningService(dataDir, 'acme');
  await expect(finding).rejects.toThrow(UserError);
  await expect(finding).rejects.toThrow(/returned no token.*npm start/);
});
