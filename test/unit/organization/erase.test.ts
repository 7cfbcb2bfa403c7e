import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { BadRequestException, TranscribeClient } from '@aws-sdk/client-transcribe';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { runOrganization } from '#tools/operations/organization/run.ts';
import { type Answer, answering, type Call } from '../../support/fake-client.ts';
import { fakeCloudFormation, fakeCognito, fakePool } from '../../support/fake-cognito.ts';

const pool = { UserPoolId: fakePool.id, TokenUrl: 'https://tokens.example.com', TokenScope: fakePool.scope };
const outputs = {
  ApiUrl: 'https://api.example.com',
  ...Object.fromEntries(
    ['Recordings', 'Transcriptions', 'Rooms', 'RoomSessions', 'Participants', 'InsightFacts', 'RateLimits']
      .concat('IdempotencyKeys')
      .map((name) => [`${name}TableName`, name]),
  ),
  RecordingsBucketName: 'recordings-bucket',
  TranscriptsBucketName: 'transcripts-bucket',
};
const region = 'eu-west-1';
let cognito: ReturnType<typeof fakeCognito>;
let answers: { rows: Answer; jobs: Answer };
let rows: readonly Call[];
let said: string[];

beforeEach(() => {
  cognito = fakeCognito();
  answers = { rows: () => ({}), jobs: () => ({}) };
  said = [];
});

/** Runs the command on prod; gives what it said last, as a report or as a problem. */
async function run(args: readonly string[], stack: Readonly<Record<string, string>> = { ...outputs, ...pool }) {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region }));
  const table = answering(documents, (call, index) => answers.rows(call, index));
  const stores = {
    documents: table.client,
    s3: answering(new S3Client({ region })).client,
    transcribe: answering(new TranscribeClient({ region }), (call, index) => answers.jobs(call, index)).client,
  };
  const work = runOrganization([...args, '--stage', 'prod'], {
    cloudFormation: fakeCloudFormation('Roomscribe-prod', stack),
    cognito: cognito.cognito,
    openStores: () => stores,
    terminal: { show: () => {}, end: () => {}, say: (line) => said.push(line) },
  });
  rows = table.calls;
  return work.then(
    (report) => ({ report, problem: '' }),
    (error: Error) => ({ report: '', problem: error.message }),
  );
}

/** A query of the partition of a table gives these rows, and everything else nothing. */
const partition =
  (table: string, Items: readonly object[]): Answer =>
  ({ name, input }) =>
    name === 'QueryCommand' && input.TableName === table ? { Items, Count: Items.length } : {};

describe('whose data are meant', () => {
  test('a name is looked up, and one who still gets tokens is told of', async () => {
    await run(['create', 'acme']);
    const id = cognito.clients[0]?.id ?? '';
    const { problem } = await run(['erase', 'acme']);
    expect(said.join()).toContain(`acme is ${id} in prod, and still gets tokens`);
    expect(problem).toContain(`rows in all 8 tables of Roomscribe-prod`);
    expect(problem).toContain(`npm run organization -- erase ${id} --stage prod --yes`);
    expect(rows).toEqual([]);
  });

  test('of a client that was deleted the argument is the id', async () => {
    const { report } = await run(['erase', 'gone-id', '--yes']);
    expect(said.join()).toContain("no client gone-id (any more): gone-id is taken as the organization's id");
    expect(report).toContain('Removed of gone-id:\n  rows of recordings       0\n');
  });

  test('of a stage with its own issuer too, and no pool is asked', async () => {
    await run(['erase', 'acme', '--yes'], outputs);
    expect(said.join()).toContain("an issuer of its own: acme is taken as the organization's id");
    expect(cognito.calls).toEqual([]);
  });

  test.each([
    [['erase', 'acme', '--participant-id', ''], 'The id of a person must not be empty'],
    [['delete', 'acme', '--external-id', 'x', '--yes'], 'belong to erase'],
  ])('%j is a misuse', async (args, message) => {
    expect((await run(args)).problem).toContain(message);
  });
});

describe('what cannot be removed now', () => {
  test('is said: a job that runs', async () => {
    const TranscriptionJobName = 'Roomscribe-prod.acme.9226ec25-8833-431d-82bc-05dbfd0728fb';
    answers.jobs = ({ name }) => {
      if (name === 'ListTranscriptionJobsCommand') return { TranscriptionJobSummaries: [{ TranscriptionJobName }] };
      throw new BadRequestException({ message: 'The job is in progress.', $metadata: {} });
    };
    const { problem } = await run(['erase', 'acme', '--yes']);
    expect(problem).toMatch(/jobs that still run.*: 1\nNot everything is gone.*\n.*erase acme --stage prod --yes$/);
  });

  test('is said: a room that was written since it was read, which stays', async () => {
    answers.rows = (call, index) => {
      if (call.name === 'DeleteCommand') throw new ConditionalCheckFailedException({ message: '', $metadata: {} });
      return partition('Rooms', [{ organizationId: 'acme', roomName: '/daily', version: 3 }])(call, index);
    };
    const { problem } = await run(['erase', 'acme', '--yes']);
    expect(problem).toContain('written meanwhile, since events still arrive: 1');
    const removal = rows.find(({ name }) => name === 'DeleteCommand');
    expect(removal?.input).toMatchObject({ TableName: 'Rooms', ExpressionAttributeValues: { ':version': 3 } });
  });

  test('is said: a session that was written since it was read, whose room stays to lead to it', async () => {
    const room = { organizationId: 'acme', roomName: '/daily', version: 3 };
    const session = { organizationRoom: 'acme#/daily', roomSessionId: 's', version: 5 };
    answers.rows = (call, index) => {
      if (call.name === 'DeleteCommand') throw new ConditionalCheckFailedException({ message: '', $metadata: {} });
      const table =
        call.input.TableName === 'Rooms' ? partition('Rooms', [room]) : partition('RoomSessions', [session]);
      return table(call, index);
    };
    const { problem } = await run(['erase', 'acme', '--yes']);
    expect(problem).toContain('written meanwhile, since events still arrive: 1');
    const removals = rows.filter(({ name }) => name === 'DeleteCommand');
    expect(removals.map(({ input }) => input.TableName)).toEqual(['RoomSessions']);
  });

  test('and jobs of another whose name has the id in it are left alone', async () => {
    const names = ['other.Roomscribe-prod.acme.', 'Roomscribe-prod.ACME.', 'Roomscribe-prod.acme.'];
    const id = '9226ec25-8833-431d-82bc-05dbfd0728fb';
    const deleted: unknown[] = [];
    answers.jobs = ({ name, input }) => {
      if (name === 'DeleteTranscriptionJobCommand') deleted.push(input.TranscriptionJobName);
      // Listed on, though it was deleted: a list may be behind.
      return {
        TranscriptionJobSummaries: names
          .map((begin) => begin + id)
          .map((TranscriptionJobName) => ({ TranscriptionJobName })),
      };
    };
    expect((await run(['erase', 'acme', '--yes'])).report).toMatch(/Transcribe jobs +1$/);
    expect(deleted).toEqual([`Roomscribe-prod.acme.${id}`]);
  });
});

test('rows that DynamoDB leaves unprocessed are sent again, and those alone', async () => {
  const keys = ['a', 'b'].map((minute) => ({ organizationId: 'acme', minute }));
  const batches: unknown[] = [];
  answers.rows = (call, index) => {
    if (call.name !== 'BatchWriteCommand') return partition('RateLimits', keys)(call, index);
    batches.push(call.input.RequestItems);
    return batches.length > 1 ? {} : { UnprocessedItems: { RateLimits: [{ DeleteRequest: { Key: keys[1] } }] } };
  };
  expect((await run(['erase', 'acme', '--yes'])).report).toMatch(/rows of rateLimits +2\n/);
  expect(batches).toEqual([
    { RateLimits: keys.map((Key) => ({ DeleteRequest: { Key } })) },
    { RateLimits: [{ DeleteRequest: { Key: keys[1] } }] },
  ]);
});
