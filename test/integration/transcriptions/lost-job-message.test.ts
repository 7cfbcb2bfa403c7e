import { randomUUID } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import { transcriptionCreation } from '#shared/storage/transcriptions/creation.ts';
import { dynamodb, endpoints, invoke, logOf, organization } from '../../support/machine.ts';
import { createTranscription, ended, finishRecording, registered, shortWav } from '../../support/media/recordings.ts';
import { rowsOf } from '../../support/storage/storage.ts';
import { jobOf } from '../../support/transcriptions/transcribe-jobs.ts';

const { transcriptions, recordings, rateLimits } = endpoints.tables;
const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });

/** Stores what a create leaves behind if it dies between its transaction and its message. */
async function createdWithoutMessage(acme: string, body?: Buffer) {
  const recording = await finishRecording(acme, { body });
  await registered(acme, recording.recordingId);
  const { recordingId, roomName, roomSessionId, startDate, endDate, location } = recording;
  const transcriptionId = randomUUID();
  const now = Date.now();
  const tables = {
    transcriptions: String(transcriptions),
    recordings: String(recordings),
    rateLimits: String(rateLimits),
    notices: String(endpoints.tables.notices),
  };
  const creation = transcriptionCreation(documents, tables, 240);
  const isCreated = await creation.create(
    {
      ...{ transcriptionId, recordingId, roomName, roomSessionId, startDate, endDate },
      organizationId: OrganizationId.parse(acme),
      location: { bucket: String(location.bucket), key: location.key },
      createdAt: new Date(now).toISOString(),
      state: 'in_progress',
      durationInSeconds: 0,
      type: 'RECORDING_TRANSCRIPTION',
      filename: null,
      storageType: 'SERVICE_HOSTED',
      dueAt: deadlines.jobStart(new Date(now)),
    },
    {},
  );
  expect(isCreated).toBe('created');
  return { transcriptionId, recordingId, path: `/v1/transcriptions/${transcriptionId}` };
}

/** Makes a transcription due for the reconciler. */
async function becomeDue(organizationId: string, transcriptionId: string): Promise<void> {
  await dynamodb.send(
    new UpdateItemCommand({
      TableName: transcriptions,
      Key: { organizationId: { S: organizationId }, transcriptionId: { S: transcriptionId } },
      UpdateExpression: 'SET dueAt = :past',
      ExpressionAttributeValues: { ':past': { S: new Date(Date.now() - 1000).toISOString() } },
    }),
  );
}

describe.concurrent('a transcription whose job message was lost', () => {
  it('is started by the reconciler when it is due, and not before', async () => {
    const acme = organization();
    const { transcriptionId, path } = await createdWithoutMessage(acme, shortWav);

    await invoke('reconcile-transcriptions');
    expect(await logOf('reconcile-transcriptions')).not.toContain(transcriptionId);
    expect(await jobOf(acme, transcriptionId)).toBeUndefined();

    await becomeDue(acme, transcriptionId);
    await invoke('reconcile-transcriptions');
    expect((await ended(acme, path)).state).toBe('ready');
  });

  it('is started once if several reconcilers run at once', async () => {
    const acme = organization();
    const { transcriptionId, path } = await createdWithoutMessage(acme, shortWav);
    await becomeDue(acme, transcriptionId);

    await Promise.all(Array.from({ length: 5 }, () => invoke('reconcile-transcriptions')));

    expect((await ended(acme, path)).state).toBe('ready');
    const rows = await rowsOf(acme);
    expect(rows.filter(({ recordingId }) => recordingId !== undefined)).toHaveLength(1);
  });

  it('keeps its Location for a new POST while it waits', async () => {
    const acme = organization();
    const { recordingId, path } = await createdWithoutMessage(acme);

    for (let call = 0; call < 3; call++) expect((await createTranscription(acme, recordingId)).path).toBe(path);
    expect(await rowsOf(acme)).toHaveLength(1);
  });

  it('fails like any other if its recording is missing', async () => {
    const acme = organization();
    const { transcriptionId, path } = await createdWithoutMessage(acme);
    await becomeDue(acme, transcriptionId);

    await invoke('reconcile-transcriptions');

    expect(await ended(acme, path)).toMatchObject({ state: 'failed', failure: { code: 'recording_missing' } });
  });
});
