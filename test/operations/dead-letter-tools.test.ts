import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import getPort from 'get-port';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { runDlq } from '#operations/dead-letter-commands.ts';
import { startQueuesAndBuckets } from '#tools/local/services/queues-and-buckets/queues-and-buckets.ts';
import { UserError } from '#tools/shared/user-error.ts';

const dataDir = await mkdtemp(path.join(tmpdir(), 'roomscribe-'));
const folders = { queueFolder: path.join(dataDir, 'sqs'), objectFolder: path.join(dataDir, 's3') };
const server = await startQueuesAndBuckets({ port: 0, ...folders });
const sqsUrl = server.url;
const sqs = new SQSClient({
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  endpoint: sqsUrl,
});
let queues: Record<string, string>;

afterAll(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Creates new queues for each test, and writes their URLs to the data directory as `npm start` does. */
beforeEach(async () => {
  const names = ['roomEvents', 'roomEventsDlq', 'bulkDelete', 'bulkDeleteDlq'];
  const created = names.map(async (name) => {
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: `${name}-${randomUUID()}` }));
    return [name, QueueUrl] as const;
  });
  queues = Object.fromEntries(await Promise.all(created));
  await writeFile(path.join(dataDir, 'endpoints.json'), JSON.stringify({ sqsUrl, queues }));
});

async function send(queue: string, bodies: readonly string[]): Promise<void> {
  for (const MessageBody of bodies) await sqs.send(new SendMessageCommand({ QueueUrl: queues[queue], MessageBody }));
}

/** Runs the command. Returns its output, and the message of the `UserError` that it threw. */
async function dlq(...args: string[]) {
  const lines: string[] = [];
  const terminal = { show: () => {}, end: () => {}, print: (line: string) => lines.push(line) };
  const problem = await runDlq(args, terminal).then(
    () => '',
    (error: unknown) => {
      if (error instanceof UserError) return error.message;
      throw error;
    },
  );
  return { stdout: lines.map((line) => `${line}\n`).join(''), problem };
}

const inDataDir = () => ['--data-dir', dataDir];
const event = (name: string) =>
  JSON.stringify({ type: 'room.created', organizationId: 'acme', data: { displayName: name } });

describe('npm run dlq', () => {
  test('lists the messages and dead letters of each queue', async () => {
    await send('roomEventsDlq', [event('a'), event('b'), event('c')]);
    await send('bulkDelete', ['x']);
    const { stdout } = await dlq('list', ...inDataDir());
    expect(stdout.split('\n').map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ['queue', 'messages', 'dead letters', 'hidden'],
      ['roomEvents', '0', '3', '0'],
      ['bulkDelete', '1', '0', '0'],
      [''],
    ]);
  });

  test('shows dead letters without names of people and without removing them', async () => {
    await send('roomEventsDlq', [event('Ada Lovelace'), 'not JSON {']);
    const { stdout } = await dlq('peek', 'roomEvents', ...inDataDir());
    expect(stdout).toMatch(/room\.created {3}acme/);
    expect(stdout).toMatch(/no ids\n {2}reason: must be JSON$/m);
    expect(stdout).toMatch(/reason: .*data\.\w+ is required/);
    expect(stdout).not.toContain('Ada');
    expect((await dlq('list', ...inDataDir())).stdout).toMatch(/roomEvents +0 +2 +2/);
  });

  test('shows message bodies with --body, and no more messages than --max allows', async () => {
    await send('roomEventsDlq', [event('Ada'), event('Bob'), event('Eve')]);
    const { stdout } = await dlq('peek', 'roomEvents', '--body', '--max', '1', ...inDataDir());
    expect(stdout.match(/displayName/g)).toHaveLength(1);
  });

  test('redrives all dead letters of one queue, unchanged, and none of another', async () => {
    const bodies = Array.from({ length: 23 }, (_, index) => event(`person ${index}`));
    await send('roomEventsDlq', bodies);
    await send('bulkDeleteDlq', ['stays']);
    const { problem, stdout } = await dlq('redrive', 'roomEvents', ...inDataDir());
    expect([problem, stdout]).toEqual(['', expect.stringContaining('Dead letters moved back to roomEvents: 23.')]);
    const { stdout: after } = await dlq('list', ...inDataDir());
    expect(after).toMatch(/roomEvents +23 +0/);
    expect(after).toMatch(/bulkDelete +0 +1/);
  });

  test('never says that there are no dead letters after a peek has hidden them', async () => {
    await send('roomEventsDlq', [event('a'), event('b')]);
    await dlq('peek', 'roomEvents', ...inDataDir());
    const hidden = expect.stringMatching(/^Dead letters of roomEvents that are hidden for up to 30 seconds: 2\./);
    expect(await dlq('redrive', 'roomEvents', ...inDataDir())).toEqual({ stdout: '', problem: hidden });
    expect(await dlq('peek', 'roomEvents', ...inDataDir())).toEqual({ stdout: '', problem: hidden });
    expect((await dlq('list', ...inDataDir())).stdout).toMatch(/roomEvents +0 +2 +2\n/);
  });

  test('redrives the dead letters that it can receive, and reports the hidden ones', async () => {
    await send('roomEventsDlq', [event('a')]);
    await dlq('peek', 'roomEvents', ...inDataDir());
    await send('roomEventsDlq', [event('b')]);
    const { stdout, problem } = await dlq('redrive', 'roomEvents', ...inDataDir());
    expect(stdout).toContain('Dead letters moved back to roomEvents: 1.');
    expect(problem).toContain('hidden for up to 30 seconds: 1.');
  });

  test('redrives each dead letter in its group with the time when it was first sent', async () => {
    const QueueUrl = queues.roomEventsDlq;
    const MessageAttributes = { queuedAt: { DataType: 'Number', StringValue: '1' } };
    const ada = { MessageBody: event('Ada'), MessageGroupId: 'acme', MessageAttributes };
    await sqs.send(new SendMessageCommand({ QueueUrl, ...ada }));
    await send('roomEventsDlq', [event('Bob')]);
    await dlq('redrive', 'roomEvents', ...inDataDir());
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queues.roomEvents,
        MaxNumberOfMessages: 10,
        MessageSystemAttributeNames: ['MessageGroupId'],
        MessageAttributeNames: ['All'],
      }),
    );
    expect(Messages.map(({ Body, Attributes }) => [Body, Attributes?.MessageGroupId])).toEqual([
      [event('Ada'), 'acme'],
      [event('Bob'), undefined],
    ]);
    for (const { MessageAttributes } of Messages)
      expect(MessageAttributes).toEqual({
        firstSentAt: expect.objectContaining({ StringValue: expect.stringMatching(/^\d{13}$/) }),
      });
  });

  test('redrives a dead letter without that time if SQS would refuse the attribute, and says so', async () => {
    const attributes = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`a${index}`, { DataType: 'String', StringValue: 'x' }]),
      );
    const largest = 'x'.repeat(1_048_576);
    const QueueUrl = queues.roomEventsDlq;
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'ten', MessageAttributes: attributes(10) }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'nine', MessageAttributes: attributes(9) }));
    await send('roomEventsDlq', [largest]);

    const { stdout, problem } = await dlq('redrive', 'roomEvents', ...inDataDir());

    expect([stdout, problem]).toEqual([expect.stringMatching(/: 3\..*\n.*first sent: 2\. They had ten/), '']);
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queues.roomEvents,
        MaxNumberOfMessages: 10,
        MessageAttributeNames: ['All'],
      }),
    );
    const found = Messages.map(({ Body, MessageAttributes = {} }) => [
      Body === largest ? 'largest' : Body,
      Object.keys(MessageAttributes).length,
      'firstSentAt' in MessageAttributes,
    ]);
    expect(found.toSorted()).toEqual([
      ['largest', 0, false],
      ['nine', 10, true],
      ['ten', 10, false],
    ]);
  });

  test('says that a queue has no dead letters', async () => {
    expect((await dlq('redrive', 'roomEvents', ...inDataDir())).stdout).toBe('roomEvents has no dead letters.\n');
    expect((await dlq('peek', 'roomEvents', ...inDataDir())).stdout).toBe('roomEvents has no dead letters.\n');
  });

  test.each([
    [['list'], 'No stage given. Use --stage dev or --stage prod, or --data-dir.'],
    [['list', '--stage', 'prod', '--data-dir', 'x'], "cannot be used with option '--stage <name>'"],
    [['list', '--stage', 'staging'], 'Allowed choices are dev, prod.'],
    [
      ['list', '--data-dir', '/nowhere'],
      'npm start is not running: /nowhere/endpoints.json cannot be read (ENOENT). Run npm start',
    ],
    [['empty', '--data-dir', 'DATA_DIR'], "Unknown command 'empty'"],
    [['peek', '--data-dir', 'DATA_DIR'], "Missing required argument 'queue'"],
    [
      ['redrive', 'everything', '--data-dir', 'DATA_DIR'],
      'There is no queue "everything". Queues: roomEvents, bulkDelete.',
    ],
    [['redrive', 'roomEvents', 'bulkDelete', '--data-dir', 'DATA_DIR'], 'Too many arguments'],
    [
      ['peek', 'roomEvents', '--max', '0', '--data-dir', 'DATA_DIR'],
      '--max must be a whole number from 1 to 1000, not "0".',
    ],
    [['list', '--all'], "Unknown option '--all'"],
    [[], 'redrive <queue>'],
  ])('reports the problem of %j', async (args, message) => {
    const { stdout, problem } = await dlq(...args.map((arg) => (arg === 'DATA_DIR' ? dataDir : arg)));
    expect([stdout, problem]).toEqual(['', expect.stringContaining(message)]);
  });

  test('asks to start npm start again if its endpoints file is of another version', async () => {
    await writeFile(path.join(dataDir, 'endpoints.json'), '{}');
    expect((await dlq('list', ...inDataDir())).problem).toContain('cannot be read (it names no queues). Run npm start');
  });

  test('says that npm start is not running if its endpoints file remained', async () => {
    const port = await getPort();
    await writeFile(
      path.join(dataDir, 'endpoints.json'),
      JSON.stringify({ sqsUrl: `http://127.0.0.1:${port}`, queues }),
    );
    expect((await dlq('list', ...inDataDir())).problem).toContain('check that npm start is running');
  });

  test('exits with 1 and prints the problem without a stack trace', () => {
    const commandLine = ['operations/dlq.ts', 'list', '--data-dir', '/nowhere'];
    const { status, stdout, stderr } = spawnSync(process.execPath, commandLine, { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('npm start is not running')]);
  });
});
