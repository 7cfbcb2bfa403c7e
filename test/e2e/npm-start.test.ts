import { access, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { requestToken } from '#infra/local/token.ts';
import { eventually } from '../support/machine.ts';
import { nodeStart, npmStart, processesWith, readEndpoints, type StartedService } from '../support/npm-start.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'roomscribe-start-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Whatever becomes of the test, the service ends with it. */
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

it('transcribes the sample, stops on Ctrl-C, and goes on where it was', { timeout: 90_000 }, async () => {
  const dataDir = path.join(root, 'main');
  const flags = ['--port', '0', '--data-dir', dataDir];
  const first = watched(npmStart(flags));
  await first.says('Serving', 60_000);

  const endpoints = await readEndpoints(dataDir);
  expect(Object.keys(endpoints)).toEqual(
    expect.arrayContaining([
      ...['apiUrl', 'tokenUrl', 'issuer', 'jwksUrl', 'dynamodbUrl', 'sqsUrl', 's3Url', 'transcribeUrl', 'region'],
      ...['queues', 'buckets', 'tables'],
    ]),
  );
  expect(first.output()).toMatch(/thank you for joining/i);
  const link = /All of it: (\S+)/.exec(first.output())?.[1] ?? '';
  const token = /TOKEN=(\S+)/.exec(first.output())?.[1];
  const list = async () => {
    const response = await fetch(`${endpoints.apiUrl}/v1/transcriptions`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return response.json();
  };
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
  expect(second.output()).not.toMatch(/transcript begins/);
  expect(await list()).toEqual(transcriptions);
  expect(await (await fetch(link)).text()).toMatch(/thank you for joining/i);

  second.process.kill('SIGTERM'); // to npm alone
  await expectNothingLeft(dataDir);
});

it('is stopped by Ctrl-C in the middle of a recognition, and finishes it after the next start', {
  timeout: 90_000,
}, async () => {
  const dataDir = path.join(root, 'interrupted');
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

it('serves without a recognizer, says what to install, and leaves no process behind where it is killed', async () => {
  const dataDir = path.join(root, 'no-recognizer');
  const programs = path.join(root, 'programs');
  await mkdir(programs);
  await symlink('/usr/bin/setpriv', path.join(programs, 'setpriv'));
  const service = watched(nodeStart(['--port', '0', '--data-dir', dataDir], { PATH: programs }));
  await service.says('Serving');

  expect(service.output()).toMatch(/no speech recognizer.*npm run setup/);
  const endpoints = await readEndpoints(dataDir);
  const authorization = `Bearer ${await requestToken(endpoints, 'acme')}`;
  expect((await fetch(`${endpoints.apiUrl}/v1/transcriptions`, { headers: { authorization } })).status).toBe(200);

  service.process.kill('SIGKILL');
  await eventually(async () => expect(await processesWith(dataDir)).toEqual([]), 5000);
});

it('stops in the middle of its start', async () => {
  const dataDir = path.join(root, 'early');
  const service = watched(nodeStart(['--port', '0', '--data-dir', dataDir], process.env));
  await service.says('Synthesizing');

  service.process.kill('SIGHUP');

  expect(await service.ended).toBe(0);
  await expectNothingLeft(dataDir);
});

describe('says in a sentence what is wrong', () => {
  it.each<[string, () => string[] | Promise<string[]>, RegExp]>([
    ['a flag that it does not know', () => ['--prot', '1'], /Unknown option '--prot'/],
    ['a port that is none', () => ['--port', 'http'], /--port must be a whole number/],
    [
      'a DynamoDB that does not answer',
      () => ['--port', '0', '--dynamodb-url', 'http://127.0.0.1:1', '--data-dir', path.join(root, 'nowhere')],
      /No DynamoDB answers at/,
    ],
    [
      'a data directory that is a file',
      async () => {
        await writeFile(path.join(root, 'file'), '');
        return ['--data-dir', path.join(root, 'file')];
      },
      /Cannot write to .*--data-dir/,
    ],
  ])('%s', async (_, flags, message) => {
    const service = watched(nodeStart(await flags(), process.env));

    expect(await service.ended).toBe(1);
    expect(service.output()).toMatch(message);
    expect(service.output()).not.toMatch(/^ +at /m);
  });

  it('what it can be asked for, by --help', async () => {
    const service = watched(nodeStart(['--help'], process.env));

    expect(await service.ended).toBe(0);
    expect(service.output()).toMatch(/--data-dir DIR/);
  });
});
