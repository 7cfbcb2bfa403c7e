import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CreateQueueCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const server = await startFauxqs({ port: 0, logger: false });
const sqsUrl = `http://127.0.0.1:${server.port}`;
const sqs = new SQSClient({
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  endpoint: sqsUrl,
});
let dataDir: string;
let queues: Record<string, string>;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'roomscribe-'));
});
afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** New queues for each test, which the data directory tells of as npm start's does. */
beforeEach(async () => {
  const names = ['roomEvents', 'roomEventsDlq', 'bulkDelete', 'bulkDeleteDlq'];
  const made = names.map(async (name) => {
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: `${name}-${randomUUID()}` }));
    return [name, QueueUrl] as const;
  });
  queues = Object.fromEntries(await Promise.all(made));
  await writeFile(path.join(dataDir, 'endpoints.json'), JSON.stringify({ sqsUrl, queues }));
});

async function send(queue: string, bodies: readonly string[]): Promise<void> {
  for (const MessageBody of bodies) await sqs.send(new SendMessageCommand({ QueueUrl: queues[queue], MessageBody }));
}

async function dlq(...args: string[]) {
  const all = ['tools/operations/dlq.ts', ...args];
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, all, {
      env: { ...process.env, NO_COLOR: '1' },
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as { readonly code: number; readonly stdout: string; readonly stderr: string };
  }
}

const here = () => ['--data-dir', dataDir];
const event = (name: string) =>
  JSON.stringify({ type: 'room.created', organizationId: 'acme', data: { displayName: name } });

describe('npm run dlq', () => {
  it('lists what each queue has', async () => {
    await send('roomEventsDlq', [event('a'), event('b'), event('c')]);
    await send('bulkDelete', ['x']);
    const { code, stdout } = await dlq('list', ...here());
    expect(code).toBe(0);
    expect(stdout.split('\n').map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ['queue', 'messages', 'dead letters'],
      ['roomEvents', '0', '3'],
      ['bulkDelete', '1', '0'],
      [''],
    ]);
  });

  it('peeks without a name, and leaves the dead letters where they are', async () => {
    await send('roomEventsDlq', [event('Ada Lovelace'), 'no JSON {']);
    const { stdout } = await dlq('peek', 'roomEvents', ...here());
    expect(stdout).toMatch(/room\.created {3}acme/);
    expect(stdout).toMatch(/no JSON/);
    expect(stdout).not.toContain('Ada');
    expect((await dlq('list', ...here())).stdout).toMatch(/roomEvents +0 +2/);
  });

  it('shows what they say if asked to, and no more of them than asked for', async () => {
    await send('roomEventsDlq', [event('Ada'), event('Bob'), event('Eve')]);
    const { stdout } = await dlq('peek', 'roomEvents', '--body', '--max', '1', ...here());
    expect(stdout.match(/displayName/g)).toHaveLength(1);
  });

  it('sends all of them again, as they were, and none of another queue', async () => {
    const bodies = Array.from({ length: 23 }, (_, index) => event(`person ${index}`));
    await send('roomEventsDlq', bodies);
    await send('bulkDeleteDlq', ['stays']);
    const { code, stdout } = await dlq('redrive', 'roomEvents', ...here());
    expect([code, stdout]).toEqual([0, expect.stringContaining('23 of roomEvents were sent again.')]);
    const { stdout: after } = await dlq('list', ...here());
    expect(after).toMatch(/roomEvents +23 +0/);
    expect(after).toMatch(/bulkDelete +0 +1/);
  });

  it('says so where there is nothing to do', async () => {
    expect((await dlq('redrive', 'roomEvents', ...here())).stdout).toBe('roomEvents has no dead letters.\n');
    expect((await dlq('peek', 'roomEvents', ...here())).stdout).toBe('roomEvents has no dead letters.\n');
  });

  it.each([
    [['list'], 'Which stage? Use --stage dev or --stage prod.'],
    [['list', '--stage', 'prod', '--data-dir', 'x'], 'Either --stage or --data-dir, not both.'],
    [['list', '--stage', 'staging'], 'There is no stage "staging". Use --stage dev or --stage prod.'],
    [
      ['list', '--data-dir', '/nowhere'],
      'npm start is not running: /nowhere/endpoints.json cannot be read (ENOENT). Run npm start',
    ],
    [['empty', '--data-dir', 'HERE'], 'There is no command "empty".'],
    [['peek', '--data-dir', 'HERE'], 'peek needs a queue: roomEvents, bulkDelete.'],
    [['redrive', 'everything', '--data-dir', 'HERE'], 'There is no queue "everything": roomEvents, bulkDelete.'],
    [['redrive', 'roomEvents', 'bulkDelete', '--data-dir', 'HERE'], 'One queue at a time: "bulkDelete" is too much.'],
    [
      ['peek', 'roomEvents', '--max', '0', '--data-dir', 'HERE'],
      '--max must be a whole number from 1 to 1000, not "0".',
    ],
    [['list', '--all'], "Unknown option '--all'"],
    [[], 'npm run dlq -- list|peek|redrive'],
  ])('%j ends with 1 and says what is wrong', async (args, message) => {
    const { code, stdout, stderr } = await dlq(...args.map((arg) => (arg === 'HERE' ? dataDir : arg)));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n +at /);
  });

  it('explains itself', async () => {
    const { code, stdout } = await dlq('--help');
    expect([code, stdout]).toEqual([0, expect.stringContaining('redrive QUEUE')]);
  });
});
