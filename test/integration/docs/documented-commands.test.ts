import { randomUUID } from 'node:crypto';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { planKey } from '#shared/domain/transcriptions/transcript-location.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { localAwsCli } from '../../support/aws-cli/local-cli.ts';
import { type Program, runScript } from '../../support/client/shell.ts';
import { commandsBetween } from '../../support/docs/documents.ts';
import { eventually } from '../../support/eventually.ts';
import { deliver } from '../../support/insights/live-sessions.ts';
import { api, dynamodb, endpoints, organization, s3 } from '../../support/machine.ts';
import {
  createTranscription,
  ended,
  finishRecording,
  recordingEvent,
  registered,
  shortWav,
  twoSentencesAsSample,
} from '../../support/media/recordings.ts';

const nothing: Program = async () => '';
const programs = { aws: localAwsCli, npm: nothing };
const transcript = /good morning everyone and thank you/i;

/** The commands with the page's placeholders replaced, as a reader does. */
function filledIn(blocks: readonly string[], values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((script, [name, value]) => {
    const assignment = new RegExp(`^${name}=.*$`, 'm');
    expect(script).toMatch(assignment);
    return script.replace(assignment, `${name}='${value}'`);
  }, blocks.join('\n'));
}

describe('docs/deploy.md', () => {
  test('takes a reader from a new organization to a transcript', async () => {
    const [, useOrganization = '', ...steps] = commandsBetween(
      'docs/deploy.md',
      '### 3. Create an organization',
      '## Send recordings and events',
    );
    const values = { ORGANIZATION_ID: organization(), CLIENT_SECRET: 'local' };
    const script = ['. operations/stage.sh dev', filledIn([useOrganization], values), ...steps];
    const { failures, stdout, stderr, code } = await runScript(script.join('\n'), programs, {
      files: twoSentencesAsSample,
    });
    expect({ failures, stderr, code }).toEqual({ failures: [], stderr: '', code: 0 });
    expect(stdout).toContain('{"results":[],"cursor":null}');
    expect(stdout).toContain('"state":"ready"');
    expect(stdout).toMatch(transcript);
  });

  test('sends events of a session that its insights then show', async () => {
    const acme = organization();
    const [events = ''] = commandsBetween('docs/deploy.md', '### Events of a session', '## What it costs');
    const head = ['. operations/stage.sh dev', `ORGANIZATION_ID=${acme}`, 'AUTH=none', 'API=$(output ApiUrl)'];
    const { failures, code } = await runScript([...head, events].join('\n'), programs);
    expect({ failures, code }).toEqual({ failures: [], code: 0 });
    const route = '/v1/insights/room-sessions?roomName=/team/standup';
    await eventually(async () =>
      expect((await api(acme)('GET', route)).body).toMatchObject({ results: [{ totalParticipantMinutes: 31 }] }),
    );
  });
});

describe('docs/operations/leaked-link-or-token.md', () => {
  test('blocks an organization and unblocks it', { timeout: 120_000 }, async () => {
    const acme = organization();
    const call = api(acme);
    const [stop = '', goOn = ''] = commandsBetween(
      'docs/operations/leaked-link-or-token.md',
      '### A token',
      '### A client secret',
    );
    const head = `. operations/stage.sh prod\nORGANIZATION_ID=${acme}`;
    expect((await call('GET', '/v1/transcriptions')).status).toBe(200);
    const blocked = await runScript(`${head}\n${stop}\necho "START=$START"`, programs);
    expect(blocked.failures).toEqual([]);
    const start = /^START=\d+$/m.exec(blocked.stdout)?.[0]; // not computed again: the minute may have changed
    expect((await call('GET', '/v1/transcriptions')).status).toBe(429);
    expect((await runScript(`${head}\n${start}\n${goOn}`, programs)).failures).toEqual([]);
    // A function remembers until the end of the minute that its points are used up, so the table shows the effect earlier.
    const query = new QueryCommand({
      TableName: endpoints.tables.rateLimits,
      KeyConditionExpression: 'organizationId = :organization',
      ExpressionAttributeValues: marshall({ ':organization': acme }),
      ConsistentRead: true,
    });
    const { Items = [] } = await dynamodb.send(query);
    expect(Items.map((item) => Number(unmarshall(item).points)).filter((points) => points > 1000)).toEqual([]);
  });
});

describe('docs/operations/stuck-transcription.md', () => {
  test('shows the row of a transcription', async () => {
    const acme = organization();
    const { recordingId } = await finishRecording(acme, { body: shortWav });
    const { path } = await createTranscription(acme, recordingId);
    await ended(acme, path);
    const [names = '', row = ''] = commandsBetween('docs/operations/stuck-transcription.md', '## Look', '## Do');
    const values = { ORGANIZATION_ID: acme, TRANSCRIPTION_ID: path.split('/').at(-1) ?? '' };
    const { failures, stdout } = await runScript(`${filledIn([names], values)}\n${row}`, programs);
    expect(failures).toEqual([]);
    expect(stdout).toMatch(/^ready\t\d{4}-.*\tNone\tNone\tNone$/m);
  });
});

describe('the parts of docs/operations/stuck-transcription.md', () => {
  test('are the rows of a work, and its files', async () => {
    const work = { organizationId: OrganizationId.parse(organization()), workId: randomUUID() };
    const works = workRepository(DynamoDBDocumentClient.from(dynamodb), endpoints.tables.transcriptionParts ?? '');
    const Key = planKey(work, 'hash');
    await s3.send(new PutObjectCommand({ Bucket: endpoints.buckets.transcripts, Key, Body: '{}' }));
    await works.begin({ ...work, planKey: Key, partCount: 2 });
    const part = { ...work, participantId: null, submittedSeconds: 60, from: 0, to: 60 };
    await works.addPart({ ...part, part: 1, state: 'waiting' });
    await works.addPart({ ...part, part: 2, state: 'failed', failureCode: 'no_audio' });

    const [names = ''] = commandsBetween('docs/operations/stuck-transcription.md', '## Look', '### Parts');
    const [rows = '', , files = ''] = commandsBetween('docs/operations/stuck-transcription.md', '### Parts', '## Do');
    const values = { ORGANIZATION_ID: work.organizationId, TRANSCRIPTION_ID: work.workId };
    const script = `${filledIn([names], values)}\nWORK_ID=$TRANSCRIPTION_ID\n${rows}\n${files}`;
    const { failures, stdout } = await runScript(script, programs);

    expect(failures).toEqual([]);
    expect(stdout.split('\n').filter((line) => line.startsWith(work.workId))).toEqual([
      `${work.workId}#000001\twaiting\t0\t60\tNone\tNone\tNone\tNone`,
      `${work.workId}#000002\tfailed\t0\t60\tNone\tno_audio\tNone\tNone`,
      `${work.workId}#plan\tNone\tNone\tNone\tNone\tNone\t1\t2`,
    ]);
    expect(stdout).toContain(`\n${Key}\t2\t`);
  });
});

describe('docs/operations/dead-letters.md', () => {
  test('takes a file away from an organization that claimed it first by mistake', async () => {
    const [acme, wrong] = [organization(), organization()];
    const claimed = await finishRecording(wrong, { body: 'no speech' });
    await registered(wrong, claimed.recordingId);
    const { path } = await createTranscription(wrong, claimed.recordingId);
    const transcriptionId = path.split('/').at(-1) ?? '';
    await ended(wrong, path);
    const rejected = recordingEvent(acme, { ...claimed, recordingId: randomUUID() });
    expect(await deliver('record-room-events', [rejected])).toBe(1);

    const blocks = commandsBetween('docs/operations/dead-letters.md', '### Files of another organization', '## Do');
    const values = {
      ...{ KEY: claimed.location.key, ORGANIZATION_ID: wrong, RECORDING_ID: claimed.recordingId },
      TRANSCRIPTION_ID: transcriptionId,
    };
    const curl: Program = async ({ args: [, , method = '', url = ''] }) => {
      const { status } = await api(wrong)(method, new URL(url).pathname);
      return String(status);
    };
    const script = filledIn(blocks, values);
    const { failures, stdout } = await runScript(script, { ...programs, curl });

    expect(failures).toEqual([]);
    expect(stdout).toMatch(new RegExp(`^${wrong}\t${claimed.recordingId}\t\\d{4}-.*Z$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^${claimed.recordingId}\n${transcriptionId}$`, 'm'));
    expect((await api(wrong)('GET', path)).status).toBe(404);
    expect(await deliver('record-room-events', [rejected])).toBe(0);
    expect(await deliver('record-room-events', [recordingEvent(wrong, claimed)])).toBe(1);
    await createTranscription(acme, String(rejected.data.recordingId));
  });
});

describe('docs/operations/wrong-figures.md', () => {
  test('shows the facts of a session', async () => {
    const acme = organization();
    const [events = ''] = commandsBetween('docs/deploy.md', '### Events of a session', '## What it costs');
    const blocks = commandsBetween('docs/operations/wrong-figures.md', '## Look', '## Do');
    const facts = blocks.find((block) => block.includes('print-facts')) ?? '';
    const head = filledIn(blocks.slice(0, 1), { ORGANIZATION_ID: acme });
    const send = [head, 'AUTH=none', 'API=$(output ApiUrl)', events];
    expect((await runScript(send.join('\n'), programs)).failures).toEqual([]);
    await eventually(async () => {
      const { failures, stdout, stderr } = await runScript(`${head}\n${facts}`, programs);
      expect({ failures, stderr }).toEqual({ failures: [], stderr: '' });
      for (const type of ['room.session.started', 'room.session.ended', 'room.client.joined', 'room.client.left'])
        expect(stdout).toContain(type);
    });
  });
});

describe('docs/operations/restore-table.md', () => {
  const page = 'docs/operations/restore-table.md';
  /** A separate table, because the commands scan the whole table. */
  const live = `transcriptions-${randomUUID()}`;
  const restored = `${live}-restored`;
  const liveFiles = String(endpoints.tables.recordingFiles);
  const restoredFiles = `${liveFiles}-restored`;
  const head = (acme: string, table = live) => `. operations/stage.sh prod\nORGANIZATION_ID=${acme}\nTABLE=${table}`;
  const describedTable = async (name: string) => {
    const TableName = String(endpoints.tables[name]);
    return (await dynamodb.send(new DescribeTableCommand({ TableName }))).Table ?? {};
  };
  const put = (TableName: string, organizationId: string, transcriptionId: string, rest: Record<string, string> = {}) =>
    dynamodb.send(new PutItemCommand({ TableName, Item: marshall({ organizationId, transcriptionId, ...rest }) }));
  const rowsOf = async (TableName: string, acme: string) => {
    const ExpressionAttributeValues = marshall({ ':organization': acme });
    const KeyConditionExpression = 'organizationId = :organization';
    const query = new QueryCommand({
      TableName,
      KeyConditionExpression,
      ExpressionAttributeValues,
      ConsistentRead: true,
    });
    const { Items = [] } = await dynamodb.send(query);
    return Object.fromEntries(
      Items.map((item) => unmarshall(item)).map((row) => [row.transcriptionId, row.deletedAt ?? row.was]),
    );
  };

  beforeAll(async () => {
    const { KeySchema = [] } = await describedTable('transcriptions');
    const AttributeDefinitions = KeySchema.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' as const }));
    const shape = { KeySchema, AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' as const };
    for (const name of [live, restored]) await dynamodb.send(new CreateTableCommand({ TableName: name, ...shape }));
  });
  afterAll(async () => {
    for (const TableName of [live, restored, restoredFiles]) await dynamodb.send(new DeleteTableCommand({ TableName }));
  });

  test('restores missing rows, and leaves existing and deleted ones alone', async () => {
    const acme = organization();
    for (const id of ['missing', 'there', 'deleted']) await put(restored, acme, id, { was: 'before' });
    for (const id of ['missing', 'deleted']) await put(restored, acme, `${id}#speakers`, { was: 'before' });
    await put(live, acme, 'there', { was: 'now' });
    await put(live, acme, 'deleted', { deletedAt: '2026-03-02T09:00:00.000Z' });
    const [putBack = ''] = commandsBetween(page, '### Restore missing rows', '### Replace a table');
    const { failures } = await runScript(`${head(acme)}\n${putBack}`, programs);
    expect(failures).toEqual([expect.stringMatching(/condition/i), expect.stringMatching(/condition/i)]);
    const deleted = '2026-03-02T09:00:00.000Z';
    expect(await rowsOf(live, acme)).toEqual({
      missing: 'before',
      'missing#speakers': 'before',
      there: 'now',
      deleted,
    });
  });

  test('restores the missing owners of files, and leaves existing ones and those of other organizations alone', async () => {
    const [acme, other] = [organization(), organization()];
    const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes = [] } = await describedTable('recordingFiles');
    const indexes = GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => ({
      ...{ IndexName, KeySchema, Projection },
    }));
    await dynamodb.send(
      new CreateTableCommand({
        ...{ TableName: restoredFiles, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes: indexes },
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    const row = (name: string, organizationId: string, recordingId: string) => ({
      ...{ fileLocation: `s3://recordings/${acme}/${name}.wav`, organizationId, recordingId },
      claimedAt: '2026-03-02T09:00:00.000Z',
    });
    const [missing, claimed, foreign] = [row('a b', acme, '1'), row('claimed', acme, '2'), row('foreign', other, '3')];
    const now = row('claimed', other, '4');
    for (const Item of [missing, claimed, foreign].map((each) => marshall(each)))
      await dynamodb.send(new PutItemCommand({ TableName: restoredFiles, Item }));
    await dynamodb.send(new PutItemCommand({ TableName: liveFiles, Item: marshall(now) }));

    const [, putBack = ''] = commandsBetween(page, '### Restore missing rows', '### Replace a table');
    const { failures } = await runScript(`${head(acme, liveFiles)}\n${putBack}`, programs);
    expect(failures).toEqual([expect.stringMatching(/condition/i)]);
    const stored = [missing, claimed, foreign].map(async ({ fileLocation }) => {
      const get = new GetItemCommand({ TableName: liveFiles, Key: marshall({ fileLocation }), ConsistentRead: true });
      const { Item } = await dynamodb.send(get);
      return Item && unmarshall(Item);
    });
    expect(await Promise.all(stored)).toEqual([missing, now, undefined]);
  });

  test('copies only the deletions since the backup', async () => {
    const acme = organization();
    for (const id of ['there', 'there#speakers', 'deleted', 'deleted#speakers'])
      await put(restored, acme, id, { was: 'before' });
    await put(live, acme, 'there', { was: 'now' });
    await put(live, acme, 'deleted', { deletedAt: '2026-03-02T09:00:00.000Z' });
    const steps = commandsBetween(page, '### Replace a table', '### Restore a deleted table');
    const carryOver = steps.filter((block) => block.includes('attribute_exists(deletedAt)'));
    expect(carryOver).toHaveLength(1);
    expect((await runScript([head(acme), ...carryOver].join('\n'), programs)).failures).toEqual([]);
    const deleted = '2026-03-02T09:00:00.000Z';
    expect(await rowsOf(restored, acme)).toEqual({ there: 'before', 'there#speakers': 'before', deleted });
  });
});
