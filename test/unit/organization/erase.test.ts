import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { BadRequestException, TranscribeClient } from '@aws-sdk/client-transcribe';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { tableNames } from '#shared/names.ts';
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
let tableCalls: readonly Call[];
let printed: string[];

beforeEach(() => {
  cognito = fakeCognito();
  answers = { rows: () => ({}), jobs: () => ({}) };
  printed = [];
});

/** Runs the command on prod. Returns its report, or the message of the error that it threw. */
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
    terminal: { show: () => {}, end: () => {}, print: (line) => printed.push(line) },
  });
  tableCalls = table.calls;
  return work.then(
    (report) => ({ report, problem: '' }),
    (error: Error) => ({ report: '', problem: error.message }),
  );
}

/** Answers a query of one table with these rows, and every other call with nothing. */
const rowsInTable =
  (table: string, Items: readonly object[]): Answer =>
  ({ name, input }) =>
    name === 'QueryCommand' && input.TableName === table ? { Items, Count: Items.length } : {};

describe('the organization to erase', () => {
  test('is found by its name, with a warning that it still gets tokens', async () => {
    await run(['create', 'acme']);
    const id = cognito.clients[0]?.id ?? '';
    const { problem } = await run(['erase', 'acme']);
    expect(printed.join()).toContain(`acme has the id ${id} in prod and still gets tokens`);
    expect(problem).toContain(`rows in all ${tableNames.length} tables of Roomscribe-prod`);
    expect(problem).toContain(`npm run organization -- erase ${id} --stage prod --yes`);
    expect(tableCalls).toEqual([]);
  });

  test('is the id in the argument if the user pool has no such client', async () => {
    const { report } = await run(['erase', 'gone-id', '--yes']);
    expect(printed.join()).toContain(
      'no client gone-id, or no longer has it, so gone-id is used as the id of the organization',
    );
    expect(report).toContain('Removed data of gone-id:\n  rows of recordings       0\n');
  });

  test('is the id in the argument if the stage has its own token issuer, without a call to Cognito', async () => {
    await run(['erase', 'acme', '--yes'], outputs);
    expect(printed.join()).toContain(
      'Stage prod has its own token issuer, so acme is used as the id of the organization',
    );
    expect(cognito.calls).toEqual([]);
  });

  test.each([
    [['erase', 'acme', '--participant-id', ''], 'The id of a person must not be empty'],
    [['delete', 'acme', '--external-id', 'x', '--yes'], 'only with erase'],
  ])('is not erased for the invalid arguments %j', async (args, message) => {
    expect((await run(args)).problem).toContain(message);
  });
});

describe('an erasure that cannot remove everything', () => {
  test('reports a job that is still running', async () => {
    const TranscriptionJobName = 'Roomscribe-prod.acme.9226ec25-8833-431d-82bc-05dbfd0728fb';
    answers.jobs = ({ name }) => {
      if (name === 'ListTranscriptionJobsCommand') return { TranscriptionJobSummaries: [{ TranscriptionJobName }] };
      throw new BadRequestException({ message: 'The job is in progress.', $metadata: {} });
    };
    const { problem } = await run(['erase', 'acme', '--yes']);
    expect(problem).toMatch(
      /jobs that are still running.*: 1\nThe erasure is not complete.*\n.*erase acme --stage prod --yes$/,
    );
  });

  test('reports and keeps a room that was written after it was read', async () => {
    answers.rows = (call, index) => {
      if (call.name === 'DeleteCommand') throw new ConditionalCheckFailedException({ message: '', $metadata: {} });
      return rowsInTable('Rooms', [{ organizationId: 'acme', roomName: '/daily', version: 3 }])(call, index);
    };
    const { problem } = await run(['erase', 'acme', '--yes']);
    expect(problem).toContain('written during the erasure, because events still arrive: 1');
    const removal = tableCalls.find(({ name }) => name === 'DeleteCommand');
    expect(removal?.input).toMatchObject({ TableName: 'Rooms', ExpressionAttributeValues: { ':version': 3 } });
  });

  test('reports and keeps a session that was written after it was read, and keeps its room', async () => {
    const room = { organizationId: 'acme', roomName: '/daily', version: 3 };
    const session = { organizationRoom: 'acme#/daily', roomSessionId: 's', version: 5 };
    answers.rows = (call, index) => {
      if (call.name === 'DeleteCommand') throw new ConditionalCheckFailedException({ message: '', $metadata: {} });
      const table =
        call.input.TableName === 'Rooms' ? rowsInTable('Rooms', [room]) : rowsInTable('RoomSessions', [session]);
      return table(call, index);
    };
    const { problem } = await run(['erase', 'acme', '--yes']);
    expect(problem).toContain('written during the erasure, because events still arrive: 1');
    const removals = tableCalls.filter(({ name }) => name === 'DeleteCommand');
    expect(removals.map(({ input }) => input.TableName)).toEqual(['RoomSessions']);
  });
});

describe('an erasure', () => {
  test('keeps jobs of other organizations whose names contain the id', async () => {
    const names = ['other.Roomscribe-prod.acme.', 'Roomscribe-prod.ACME.', 'Roomscribe-prod.acme.'];
    const id = '9226ec25-8833-431d-82bc-05dbfd0728fb';
    const deleted: unknown[] = [];
    answers.jobs = ({ name, input }) => {
      if (name === 'DeleteTranscriptionJobCommand') deleted.push(input.TranscriptionJobName);
      // A list can still contain a job after its deletion.
      return {
        TranscriptionJobSummaries: names
          .map((begin) => begin + id)
          .map((TranscriptionJobName) => ({ TranscriptionJobName })),
      };
    };
    expect((await run(['erase', 'acme', '--yes'])).report).toMatch(/Transcribe jobs +1$/);
    expect(deleted).toEqual([`Roomscribe-prod.acme.${id}`]);
  });

  test('retries only the rows that DynamoDB returned as unprocessed', async () => {
    const keys = ['a', 'b'].map((minute) => ({ organizationId: 'acme', minute }));
    const batches: unknown[] = [];
    answers.rows = (call, index) => {
      if (call.name !== 'BatchWriteCommand') return rowsInTable('RateLimits', keys)(call, index);
      batches.push(call.input.RequestItems);
      return batches.length > 1 ? {} : { UnprocessedItems: { RateLimits: [{ DeleteRequest: { Key: keys[1] } }] } };
    };
    expect((await run(['erase', 'acme', '--yes'])).report).toMatch(/rows of rateLimits +2\n/);
    expect(batches).toEqual([
      { RateLimits: keys.map((Key) => ({ DeleteRequest: { Key } })) },
      { RateLimits: [{ DeleteRequest: { Key: keys[1] } }] },
    ]);
  });
});
