import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { TranscriptSpeakers } from '#shared/domain/speakers/transcript-speakers.ts';
import type { TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { toRow } from '#shared/storage/transcriptions/row.ts';
import { speakerChanges } from '#shared/storage/transcriptions/speakers/speaker-changes.ts';
import { speakerRepository } from '#shared/storage/transcriptions/speakers/speakers.ts';
import { untoldTranscriptions } from '#shared/storage/transcriptions/untold.ts';
import { dynamodb, endpoints, organization } from '../../support/machine.ts';
import { transcriptionRecord } from '../../support/operations/records.ts';
import { noticesOf } from '../../support/webhooks/stored-notices.ts';

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });
const { transcriptions = '', transcriptSpeakers = '', notices = '' } = endpoints.tables;
const store = untoldTranscriptions(documents, transcriptions);
const speakers = speakerRepository(documents, { transcriptions, transcriptSpeakers });
const { change } = speakerChanges(documents, { transcriptions, transcriptSpeakers, notices });

const evident: TranscriptSpeakers['speakers'] = [
  {
    ...{ speaker: 'Speaker 1', participantId: null, displayName: 'Speaker 1', source: 'recognizer', confidence: null },
    ...{ spokenSeconds: 1, turns: 1, share: 1, longestTurnSeconds: 1, overlapSeconds: 0 },
  },
];
const ada = { 'Speaker 1': { participantId: null, displayName: 'Ada' } };

const put = (record: TranscriptionRecord) =>
  documents.send(new PutCommand({ TableName: transcriptions, Item: toRow(record) }));

/** A transcription with a speaker, as stored, and what is told of it. */
async function scene(facts: Partial<TranscriptionRecord> = { state: 'ready', revision: 2 }) {
  const organizationId = OrganizationId.parse(organization());
  const record = transcriptionRecord({ organizationId, transcriptionId: randomUUID(), ...facts });
  await put(record);
  await speakers.begin(record, { languageCode: 'en-US', speakers: evident });
  const read = async () => {
    const transcription = await store.find(organizationId, record.transcriptionId);
    return { row: (await speakers.find(record)) as TranscriptSpeakers, transcription };
  };
  const told = async () => (await noticesOf(notices, organizationId)).map(({ type, data }) => [type, data.revision]);
  return { record, read, told };
}

describe('a change of who speaks', () => {
  test('is told with the next revision', async () => {
    const { record, read, told } = await scene();
    expect(await change(record, await read(), { corrections: ada })).toBe(true);
    expect(await change(record, await read(), { corrections: {} })).toBe(true);
    expect(await told()).toEqual([3, 4].map((revision) => ['transcription.speakers.changed', revision]));
    expect(await read()).toMatchObject({ row: { corrections: {}, revision: 2 }, transcription: { revision: 4 } });
  });

  test('of a transcription from before notices has revision 3', async () => {
    const { record, read, told } = await scene({ state: 'ready' });
    expect(await change(record, await read(), { corrections: ada })).toBe(true);
    expect(await told()).toEqual([['transcription.speakers.changed', 3]]);
  });

  test('that shows nobody else is stored, and not told', async () => {
    const { record, read, told } = await scene();
    expect(await change(record, await read(), {})).toBe(true);
    expect(await change(record, await read(), { corrections: { 'Speaker 9': ada['Speaker 1'] } })).toBe(true);
    expect(await told()).toEqual([]);
    expect(await read()).toMatchObject({ row: { revision: 2 }, transcription: { revision: 2 } });
  });

  test.each(['in_progress', 'failed'] as const)('of one that is %s is stored, and not told', async (state) => {
    const { record, read, told } = await scene({ state, revision: 1 });
    expect(await change(record, await read(), { corrections: ada })).toBe(true);
    expect(await told()).toEqual([]);
    expect(await read()).toMatchObject({ row: { corrections: ada }, transcription: { revision: 1 } });
  });

  test.each<[string, Partial<TranscriptionRecord>, Partial<TranscriptionRecord>]>([
    ['is ready meanwhile', { state: 'in_progress', revision: 1 }, { state: 'ready', revision: 2 }],
    ['was told of meanwhile', { state: 'ready', revision: 2 }, { state: 'ready', revision: 3 }],
    ['has its first revision meanwhile', { state: 'ready' }, { state: 'ready', revision: 3 }],
  ])('is refused as a whole if the transcription %s', async (_what, before, after) => {
    const { record, read, told } = await scene(before);
    const asRead = await read();
    await put({ ...record, ...after });
    expect(await change(record, asRead, { corrections: ada })).toBe(false);
    expect([(await read()).row.corrections, await told()]).toEqual([{}, []]);
  });

  test('is refused as a whole if the speakers were changed or removed meanwhile', async () => {
    const { record, read, told } = await scene();
    const asRead = await read();
    await change(record, asRead, {});
    expect(await change(record, asRead, { corrections: ada })).toBe(false);
    await speakers.remove(record);
    expect(await change(record, asRead, { corrections: ada })).toBe(false);
    expect([(await read()).transcription, await told()]).toMatchObject([{ revision: 2 }, []]);
  });

  test('that shows nobody else returns false if a transaction has the row', async () => {
    const { record, read } = await scene();
    const conflict = Object.assign(new Error('conflict'), { name: 'TransactionConflictException' });
    const send = () => Promise.reject(conflict);
    const busy = speakerChanges({ send } as never, { transcriptions, transcriptSpeakers, notices });
    expect(await busy.change(record, await read(), {})).toBe(false);
  });
});
