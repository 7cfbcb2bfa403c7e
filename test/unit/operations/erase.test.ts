import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { ResourceNotFoundException, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { BadRequestException, TranscribeClient } from '@aws-sdk/client-transcribe';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { runOrganization } from '#operations/organization/run.ts';
import { type Answer, answering, type Call } from '../../support/client/fake-client.ts';
import { participantRecord } from '../../support/insights/insight-records.ts';
import { fakeCloudFormation, fakeCognito } from '../../support/operations/fake-cognito.ts';
import { poolOutputs, stageOutputs } from '../../support/operations/stage-outputs.ts';

const outputs = stageOutputs;
const pool = poolOutputs;
const region = 'eu-west-1';
let cognito: ReturnType<typeof fakeCognito>;
let answers: { rows: Answer; objects: Answer; jobs: Answer; secrets: Answer };
let tableCalls: readonly Call[];
let secretCalls: readonly Call[];
let printed: string[];

beforeEach(() => {
  cognito = fakeCognito();
  answers = { rows: () => ({}), objects: () => ({}), jobs: () => ({}), secrets: () => ({}) };
  printed = [];
});

/** Runs the command on prod. Returns its report, or the message of the error that it threw. */
async function run(args: readonly string[], stack: Readonly<Record<string, string>> = { ...outputs, ...pool }) {
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region }));
  const table = answering(documents, (call, index) => answers.rows(call, index));
  const secrets = answering(new SecretsManagerClient({ region }), (call, index) => answers.secrets(call, index));
  const stores = {
    documents: table.client,
    secretsManager: secrets.client,
    sqs: answering(new SQSClient({ region })).client,
    s3: answering(new S3Client({ region }), (call, index) => answers.objects(call, index)).client,
    transcribe: answering(new TranscribeClient({ region }), (call, index) => answers.jobs(call, index)).client,
  };
  const work = runOrganization([...args, '--stage', 'prod'], {
    cloudFormation: fakeCloudFormation('Roomscribe-prod', stack),
    cognito: cognito.cognito,
    openStores: () => stores,
    terminal: { show: () => {}, end: () => {}, print: (line) => printed.push(line) },
    askSecret: async () => undefined,
  });
  tableCalls = table.calls;
  secretCalls = secrets.calls;
  return work.then(
    (report) => ({ report, problem: '' }),
    (error: Error) => ({ report: '', problem: error.message }),
  );
}

/** Answers a query of one table with these rows, and every other call with nothing. */
const rowsInTable =
  (table: string, rows: readonly Readonly<Record<string, unknown>>[]): Answer =>
  ({ name, input }) => {
    if (name !== 'QueryCommand' || input.TableName !== table) return {};
    const { '#0': partition = '' } = input.ExpressionAttributeNames as Record<string, string>;
    const { ':partition': value } = input.ExpressionAttributeValues as Record<string, string>;
    const Items = rows.filter((row) => row[partition] === value);
    return { Items, Count: Items.length };
  };

/** Answers a query of one table by its index `by-organization` with these rows. */
const rowsOfIndex =
  (table: string, Items: readonly Readonly<Record<string, unknown>>[]): Answer =>
  ({ name, input }) => {
    const isAsked = name === 'QueryCommand' && input.TableName === table && input.IndexName === 'by-organization';
    return isAsked ? { Items } : {};
  };

const tag = (Key: string, Value: string) => ({ Key, Value });

const daily = { organizationRoom: 'acme#/daily', organizationShard: 'acme#2', version: 3 };

describe('the organization to erase', () => {
  test('is found by its name, with a warning that it still gets tokens', async () => {
    await run(['create', 'acme']);
    const id = cognito.clients[0]?.id ?? '';
    answers.rows = rowsInTable('RateLimits', [{ organizationId: id, minute: 'a' }]);
    const { report } = await run(['erase', 'acme']);
    expect(printed.join()).toContain(`acme has the id ${id} in prod.`);
    expect(printed.join()).toContain(`organization -- delete ${id} --stage prod --yes`);
    expect(report).toContain(`npm run organization -- erase ${id} --stage prod --yes`);
  });

  test('is the id in the argument if the user pool has no such client', async () => {
    answers.rows = rowsInTable('RateLimits', [{ organizationId: 'gone-id', minute: 'a' }]);
    const { report } = await run(['erase', 'gone-id', '--yes']);
    expect(printed.join()).toContain(
      'no client gone-id, or no longer has it, so gone-id is used as the id of the organization',
    );
    expect(report).toContain('Removed the data of organization gone-id:\n  rows of recordings          0\n');
  });

  test('is the id in the argument if the stage has its own token issuer, without a call to Cognito', async () => {
    await run(['erase', 'acme', '--yes'], outputs);
    expect(printed.join()).toContain(
      'Stage prod has its own token issuer, so acme is used as the id of the organization',
    );
    expect(cognito.calls).toEqual([]);
  });

  test('is not erased if the stack does not name one of its tables', async () => {
    const others = Object.fromEntries(Object.entries(outputs).filter(([name]) => name !== 'RoomsTableName'));
    const { problem } = await run(['erase', 'acme', '--yes'], others);
    expect(problem).toBe('Stack Roomscribe-prod has no output for table rooms. Deploy the stage again.');
    expect(tableCalls).toEqual([]);
  });
});

describe('an erasure that finds nothing', () => {
  test.each([[[]], [['--yes']]])('asks whether the id of an unknown organization is right, with %j', async (flags) => {
    const { problem } = await run(['erase', 'amce', ...flags]);
    expect(problem).toMatch(/^There is no data of organization amce in prod\. Is the id right\?/);
    expect(problem).toMatch(/already removed the data.*\n.*erase amce --stage prod --check$/);
  });

  test.each([[[]], [['--yes']]])('is not an error for a known organization without data, with %j', async (flags) => {
    await run(['create', 'acme']);
    const { report, problem } = await run(['erase', 'acme', ...flags]);
    expect([report, problem]).toEqual([expect.stringMatching(/^There is no data of organization \w+ in prod\.$/), '']);
  });

  test.each([[[]], [['--yes']]])('asks whether the id of a person is right, with %j', async (flags) => {
    await run(['create', 'acme']);
    const { problem } = await run(['erase', 'acme', '--external-id', 'crm-1', '--participant-id', 'p-1', ...flags]);
    expect(problem).toMatch(/^There is no data of the person with participant id p-1 or external id crm-1 in/);
    expect(problem).toContain('Is the id of the person right');
  });

  test('passes the check after an erasure', async () => {
    expect((await run(['erase', 'acme', '--check'])).report).toMatch(
      /^There is no data of organization acme in prod\./,
    );
  });
});

describe("an erasure of a person's data", () => {
  test.each([[[]], [['--yes']], [['--check']]])('never suggests deleting the organization, with %j', async (flags) => {
    await run(['create', 'acme']);
    const id = cognito.clients[0]?.id;
    const organizationSession = `${id}#s`;
    const found: Answer = ({ name, input }) => {
      const listKey = 'externalId\0p-1\0/daily';
      const Items = [
        { organizationSession, listKey, listed: participantRecord('p-1', { externalId: 'crm-1' }).listed },
      ];
      return input.TableName === 'Participants' && name !== 'BatchWriteCommand' ? { Items } : {};
    };
    for (const answer of [found, () => ({})]) {
      answers.rows = answer;
      const { report, problem } = await run(['erase', 'acme', '--external-id', 'crm-1', ...flags]);
      expect(`${printed.join('\n')}\n${report}\n${problem}`).not.toMatch(/organization -- delete|end its access/);
      expect(`${report}${problem}`).not.toBe('');
    }
  });
});

describe('the check after an erasure', () => {
  test('fails if there is data, and shows how to remove it', async () => {
    answers.rows = rowsInTable('RateLimits', [{ organizationId: 'acme', minute: 'a' }]);
    const { problem } = await run(['erase', 'acme', '--check']);
    expect(problem).toMatch(/^There is data of organization acme:\n[\s\S]*rows of rateLimits +1\n/);
    expect(problem).toMatch(/erase acme --stage prod --yes$/);
    expect(tableCalls.map(({ name }) => name)).not.toContain('BatchWriteCommand');
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
      return rowsInTable('Rooms', [daily])(call, index);
    };
    const { problem } = await run(['erase', 'acme', '--yes']);
    expect(problem).toContain('written during the erasure, because events still arrive: 1');
    const removal = tableCalls.find(({ name }) => name === 'DeleteCommand');
    expect(removal?.input).toMatchObject({ TableName: 'Rooms', ExpressionAttributeValues: { ':version': 3 } });
  });

  test('reports and keeps a session that was written after it was read, and keeps its room', async () => {
    const session = { organizationRoom: 'acme#/daily', roomSessionId: 's', version: 5 };
    answers.rows = (call, index) => {
      if (call.name === 'DeleteCommand') throw new ConditionalCheckFailedException({ message: '', $metadata: {} });
      const table =
        call.input.TableName === 'Rooms' ? rowsInTable('Rooms', [daily]) : rowsInTable('RoomSessions', [session]);
      return table(call, index);
    };
    const { problem } = await run(['erase', 'acme', '--yes']);
    expect(problem).toContain('written during the erasure, because events still arrive: 1');
    const removals = tableCalls.filter(({ name }) => name === 'DeleteCommand');
    expect(removals.map(({ input }) => input.TableName)).toEqual(['RoomSessions']);
  });
});

describe('an erasure', () => {
  test.each(['acme#0', 'acme#3', 'acme#hidden'])('finds the rooms in the index partition %s', async (shard) => {
    answers.rows = rowsInTable('Rooms', [{ ...daily, organizationShard: shard }]);
    const { report } = await run(['erase', 'acme', '--yes']);
    expect(report).toMatch(/rows of rooms +1\n/);
    const removals = tableCalls.filter(({ name }) => name === 'DeleteCommand');
    expect(removals.map(({ input }) => input.Key)).toEqual([{ organizationRoom: daily.organizationRoom }]);
  });

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
    expect((await run(['erase', 'acme', '--yes'])).report).toMatch(/Transcribe jobs +1$/m);
    expect(deleted).toEqual([`Roomscribe-prod.acme.${id}`]);
  });

  test('removes the file of a recording before the row that names its owner', async () => {
    const file = { fileLocation: 's3://recordings-bucket/a.wav', organizationId: 'acme', recordingId: 'r' };
    answers.rows = ({ name, input }) => {
      const isOfFiles = input.TableName === 'RecordingFiles' && input.IndexName === 'by-organization';
      if (name === 'QueryCommand' && isOfFiles) return { Items: [file] };
      return name === 'BatchGetCommand' ? { Responses: { RecordingFiles: [file] } } : {};
    };
    answers.objects = ({ name }) => {
      if (name === 'DeleteObjectsCommand') throw new Error('killed');
      return {};
    };
    expect((await run(['erase', 'acme', '--yes'])).problem).toBe('killed');
    expect(tableCalls.map(({ name }) => name)).not.toContain('BatchWriteCommand');
    answers.objects = () => ({});
    expect((await run(['erase', 'acme', '--yes'])).report).toMatch(/rows of recordingFiles +1\n/);
    expect(
      tableCalls.filter(({ name }) => name === 'BatchWriteCommand').map(({ input }) => input.RequestItems),
    ).toEqual([{ RecordingFiles: [{ DeleteRequest: { Key: { fileLocation: file.fileLocation } } }] }]);
    expect(printed.join()).not.toContain('Not removed');
  });

  const connectionId = 'c'.repeat(43);
  const connection = { connectionId, organizationId: 'acme' };

  test('removes the secret of a connection before the row that leads to it, and a row without a secret', async () => {
    answers.rows = rowsOfIndex('Connections', [connection]);
    answers.secrets = ({ name }) => {
      if (name === 'DeleteSecretCommand') throw new Error('killed');
      return {};
    };
    expect((await run(['erase', 'acme', '--yes'])).problem).toBe('killed');
    expect(tableCalls.map(({ name }) => name)).not.toContain('BatchWriteCommand');
    answers.secrets = ({ name }) => {
      if (name === 'DescribeSecretCommand') throw new ResourceNotFoundException({ message: '', $metadata: {} });
      return {};
    };
    const { report } = await run(['erase', 'acme', '--yes']);
    expect(report).toMatch(/rows of connections +1\n/);
    expect(report).toMatch(/secrets of connections +0$/m);
  });

  test('removes secrets whose row is gone by their tag, once, and none of another organization', async () => {
    const own = { Name: `Roomscribe-prod/connections/${connectionId}`, Tags: [tag('organizationId', 'acme')] };
    const SecretList = [
      own,
      own, // a list can still contain a secret after its removal
      { ...own, Name: 'Roomscribe-prod/connections/other-tag', Tags: [tag('team', 'acme')] },
      { ...own, Name: 'Roomscribe-prod/connections/longer', Tags: [tag('organizationId', 'acme-2')] },
      { ...own, Name: 'elsewhere/connections/acme' },
    ];
    answers.secrets = ({ name }) => (name === 'ListSecretsCommand' ? { SecretList } : {});
    expect((await run(['erase', 'acme', '--check'])).problem).toMatch(/secrets of connections +1$/m);
    expect(secretCalls.map(({ name }) => name)).not.toContain('DeleteSecretCommand');
    expect((await run(['erase', 'acme', '--yes'])).report).toMatch(/secrets of connections +1$/m);
    const removals = secretCalls.filter(({ name }) => name === 'DeleteSecretCommand');
    expect(removals.map(({ input }) => input)).toEqual([{ SecretId: own.Name, ForceDeleteWithoutRecovery: true }]);
    expect(secretCalls[0]?.input).toMatchObject({ IncludePlannedDeletion: true });
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
