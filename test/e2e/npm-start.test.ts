import { execFile } from 'node:child_process';
import { access, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startRunner } from '#tools/local/runner.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { findRunningService } from '#tools/simulation/running-service.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { eventually } from '../support/eventually.ts';
import { nodeStart, npmStart, processesWith, readEndpoints, type StartedService } from '../support/npm-start.ts';

let root = '';
beforeAll(async () => {
  root = await makeDataFolder('roomscribe-start-');
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

/** The answer to a request with the token that the service printed. */
async function get(service: StartedService, url: string): Promise<unknown> {
  const token = /TOKEN=(\S+)/.exec(service.output())?.[1];
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  return response.json();
}

/** The curl commands that the demo prints return the rooms, sessions, participants and connections of its day. */
async function expectDayOf(service: StartedService): Promise<void> {
  const requests = Array.from(service.output().matchAll(/curl .* "(http\S+insights\S+)"/g), ([, url = '']) => url);
  expect(await Promise.all(requests.map((url) => get(service, url)))).toMatchObject([
    { results: expect.arrayContaining([expect.objectContaining({ roomName: '/demo/standup', totalSessions: 3 })]) },
    { results: Array(3).fill({ roomName: '/demo/standup' }) },
    {
      results: expect.arrayContaining([expect.objectContaining({ displayName: expect.stringMatching(/bad network/) })]),
    },
    Array(6).fill({ displayName: expect.stringMatching(/bad network/) }),
  ]);
}

test('npm start survives a kill, a missing recognizer and a Ctrl-C at work, and then shows all of the demo', {
  timeout: 600_000,
}, async () => {
  const dataDir = path.join(root, 'main');
  const flags = ['--port', '0', '--data-dir', dataDir];
  const programs = path.join(root, 'programs'); // a PATH without a recognizer
  await mkdir(programs);
  await symlink('/usr/bin/setpriv', path.join(programs, 'setpriv'));

  // Killed while it plays the day: no process is left behind.
  const killed = watched(nodeStart(flags, { PATH: programs }));
  await killed.says('Waiting for the totals of the day', 150_000);
  expect(killed.output()).toMatch(/Missing programs: PocketSphinx, ffmpeg\..*npm run setup/);
  killed.process.kill('SIGKILL');
  await eventually(async () => expect(await processesWith(dataDir)).toEqual([]), 5000);

  // Without a recognizer it continues with the same day and serves.
  const withoutRecognizer = watched(nodeStart(flags, { PATH: programs }));
  await withoutRecognizer.says('Serving', 150_000);
  expect(withoutRecognizer.output()).toMatch(/day of 5 rooms.*\n\n(.*\n)*.*\/demo\/standup .* 3 /);
  expect(withoutRecognizer.output()).not.toMatch(/demo failed|recording begins/);
  await expectDayOf(withoutRecognizer);
  killGroup(withoutRecognizer, 'SIGINT');
  await expectNothingLeft(dataDir);

  // Ctrl-C during a recognition: the terminal sends it to the whole group.
  const interrupted = watched(npmStart(flags));
  await interrupted.says('Transcribing', 150_000);
  await eventually(async () => expect((await processesWith(dataDir)).join('\n')).toContain('pocketsphinx'));
  killGroup(interrupted, 'SIGINT');
  expect(await interrupted.ended).toBe(0);
  await expectNothingLeft(dataDir);

  // The next start finishes the recognition, keeps the data, and does not play the day again.
  const last = watched(npmStart(flags));
  await last.says('Serving', 150_000);
  expect(last.output()).toMatch(/thank you for joining/i);
  expect(last.output()).not.toMatch(/day of \d rooms/);
  const endpoints = await readEndpoints(dataDir);
  expect(Object.keys(endpoints)).toEqual(
    expect.arrayContaining([
      ...['apiUrl', 'tokenUrl', 'issuer', 'jwksUrl', 'dynamodbUrl', 'sqsUrl', 's3Url', 'transcribeUrl', 'region'],
      ...['queues', 'buckets', 'tables'],
    ]),
  );
  const addresses = `--api-url ${endpoints.apiUrl} --token-url ${endpoints.tokenUrl}`;
  expect(last.output()).toContain(`\n  roomscribe login --profile local ${addresses} --client-id acme\n`);
  expect(await get(last, `${endpoints.apiUrl}/v1/transcriptions`)).toMatchObject({
    results: expect.arrayContaining([
      expect.objectContaining({ state: 'ready', roomName: '/sample-meeting' }),
      expect.objectContaining({ state: 'ready', roomName: '/sample-room' }),
    ]),
    cursor: null,
  });
  expect(await get(last, `${endpoints.apiUrl}/v1/insights/rooms`)).toMatchObject({
    results: expect.arrayContaining([expect.objectContaining({ roomName: '/demo/standup', totalSessions: 3 })]),
  });
  expect(last.output()).toContain(`\n  console      ${endpoints.consoleUrl}\n`);
  expect(await (await fetch(`${endpoints.consoleUrl}config.json`)).json()).toMatchObject({ signIn: 'token' });
  expect(last.output()).toMatch(/Its speakers: Ada is ada, Ben is ben, Cleo is cleo/);
  const link = /Full transcript: (\S+)/.exec(last.output())?.[1] ?? '';
  expect(await (await fetch(link)).text()).toMatch(/thank you for joining/i);
  const simulation = ['--rooms', '1', '--sessions', '2', '--participants', '7', '--shuffle', '--duplicate', '0.3'];
  expect(await simulate([...simulation, '--data-dir', dataDir])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/The API agrees: 2 rooms, 2 sessions/),
  });

  // Another start in the same folder, or on the same port, ends with one sentence.
  const sameFolder = watched(npmStart(flags));
  const samePort = watched(
    npmStart(['--port', new URL(endpoints.apiUrl).port, '--data-dir', path.join(root, 'other')]),
  );
  expect([await sameFolder.ended, await samePort.ended]).toEqual([1, 1]);
  expect(sameFolder.output()).toMatch(/Another runner is already using .*--data-dir/);
  expect(samePort.output()).toMatch(/Port \d+ is in use.*--port/);
  expect(`${sameFolder.output()}${samePort.output()}`).not.toMatch(/^ +at /m);

  last.process.kill('SIGTERM'); // to npm alone
  await expectNothingLeft(dataDir);
});

test('after kill -9, messages in flight are visible at the next start, and those that were to wait still wait', {
  timeout: 400_000,
}, async () => {
  const dataDir = path.join(root, 'in-flight');
  const flags = ['--port', '0', '--data-dir', dataDir, '--no-demo'];
  const begin = async () => {
    const service = watched(nodeStart(flags, process.env));
    await service.says('Serving', 150_000);
    return { service, sqs: new SQSClient(clientSettings((await readEndpoints(dataDir)).sqsUrl)) };
  };
  const first = await begin();
  const Attributes = { VisibilityTimeout: '1800' };
  const { QueueUrl } = await first.sqs.send(new CreateQueueCommand({ QueueName: 'mine', Attributes }));
  const receive = ({ sqs }: typeof first) =>
    sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5, MaxNumberOfMessages: 10 }));
  for (const MessageBody of ['in flight', 'paused'])
    await first.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  const { Messages = [] } = await receive(first);
  const { ReceiptHandle } = Messages.find(({ Body }) => Body === 'paused') ?? {};
  await first.sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 900 }));
  await first.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'delayed', DelaySeconds: 900 }));
  first.service.process.kill('SIGKILL');
  await first.service.ended;

  const next = await begin();
  expect((await receive(next)).Messages).toEqual([expect.objectContaining({ Body: 'in flight' })]);
  const waiting = { QueueUrl, AttributeNames: ['ApproximateNumberOfMessagesDelayed' as const] };
  expect((await next.sqs.send(new GetQueueAttributesCommand(waiting))).Attributes).toEqual({
    ApproximateNumberOfMessagesDelayed: '2',
  });
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
  await writeFile(
    path.join(dataDir, 'endpoints.json'),
    JSON.stringify({ tokenUrl: 'http://127.0.0.1:1/token', queues: {} }),
  );

  const finding = findRunningService(dataDir, 'acme');
  await expect(finding).rejects.toThrow(UserError);
  await expect(finding).rejects.toThrow(/returned no token.*npm start/);
});
