import { randomUUID } from 'node:crypto';
import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { WorkKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import { partMapKey, partOutputKey, planKey, workFolder } from '#shared/domain/transcriptions/transcript-location.ts';
import { existing, type TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { transcriptionRepository } from '#shared/storage/transcriptions/repository.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { dynamodb, organization } from '../../../support/machine.ts';
import { organizationId as parsed, transcriptionRecord } from '../../../support/operations/records.ts';
import { plannedSource, transcriptionPart, workPlan } from '../../../support/transcriptions/works.ts';
import type { World } from '../world.ts';
import { outputOf } from './fake-transcribe.ts';

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });

/** The words of the two tracks that `mergeScenes` prepares. */
export const wordsOfTracks = ['shall we go', 'yes we will'];

/** Makes works of two tracks whose parts have ended, and looks at what is left of them. */
export function mergeScenes({ resources, queues }: World) {
  const { tables, buckets, s3 } = resources;
  const works = workRepository(documents, tables.transcriptionParts);
  const put = (Key: string, Body: string) => s3.send(new PutObjectCommand({ Bucket: buckets.transcripts, Key, Body }));
  const transcriptions = transcriptionRepository(documents, tables);
  const store = transcriptions.beginLive; // stores any record with its notice

  /** Stores a transcription whose parts have ended. The second part fails if it is given a code. */
  async function ended({ failureCode, send = true }: { failureCode?: 'engine_error'; send?: boolean } = {}) {
    const key: WorkKey = { organizationId: parsed(organization()), workId: randomUUID() };
    const record = transcriptionRecord({
      organizationId: key.organizationId,
      transcriptionId: key.workId,
      location: undefined,
      trackRevision: 2,
      partCount: 2,
      recordedSeconds: 600,
      submittedSeconds: 1200,
      dueAt: '2026-03-01T12:00:00.000Z',
    });
    await store(record);
    const prepared = { kind: 'prepare', output: 'ogg', pieces: [{ from: 0, to: 600 }] } as const;
    const plan = workPlan(
      plannedSource({ participantId: 'ada' }),
      plannedSource({ participantId: 'bo', plan: prepared, offset: 100 }),
    );
    await put(planKey(key, 'hash'), JSON.stringify(plan));
    await works.begin({ ...key, planKey: planKey(key, 'hash'), partCount: 2 });
    for (const [index, words] of wordsOfTracks.entries()) {
      const part = transcriptionPart({ ...key, part: index + 1, participantId: index === 0 ? 'ada' : 'bo' });
      await works.addPart({ ...part, state: 'waiting' });
      await put(partOutputKey(part), outputOf(words));
      if (index === 1) await put(partMapKey(part), JSON.stringify([[0, 50, 600]]));
      await works.endPart(part, index === 1 && failureCode ? { state: 'failed', failureCode } : { state: 'done' });
    }
    if (send) await queues.send('transcriptionMerges', key);
    return { ...key, transcriptionId: key.workId, record, body: JSON.stringify(key) };
  }

  /** A new transcription takes the work over, if the first one is still in progress when this begins. Returns its id. */
  async function takeOver({ record }: { readonly record: TranscriptionRecord }): Promise<string> {
    const { organizationId, transcriptionId: workId } = record;
    const transcriptionId = randomUUID();
    const deletedAt = '2026-03-01T10:00:00.000Z';
    const tombstone = { organizationId, transcriptionId: workId, takenOverBy: transcriptionId, deletedAt };
    const stored = existing(await transcriptions.find(organizationId, workId));
    await transcriptions.replaceWithTombstone(stored, tombstone, 4_000_000_000);
    await store({ ...record, transcriptionId, workId });
    return transcriptionId;
  }

  /** The keys of all files and rows of a work. */
  async function leftOf(key: WorkKey): Promise<string[]> {
    const { Contents = [] } = await s3.send(
      new ListObjectsV2Command({ Bucket: buckets.transcripts, Prefix: workFolder(key) }),
    );
    const { Items = [] } = await documents.send(
      new QueryCommand({
        TableName: tables.transcriptionParts,
        KeyConditionExpression: 'organizationId = :organizationId',
        ExpressionAttributeValues: { ':organizationId': key.organizationId },
      }),
    );
    return [...Contents.map(({ Key }) => String(Key)), ...Items.map(({ partKey }) => String(partKey))];
  }

  return { ended, takeOver, leftOf };
}
