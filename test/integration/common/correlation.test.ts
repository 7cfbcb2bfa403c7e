import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { dueShard } from '#shared/storage/common/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf } from '../../support/http/checked-api.ts';
import { dynamodb, endpoints, invoke, logOf, organization } from '../../support/machine.ts';
import { readyTranscription } from '../../support/media/recordings.ts';

type Line = Readonly<Record<string, unknown>>;

/** The log lines of a function that name this transcription, or that belong to a message which names it. */
async function linesAbout(functionName: string, transcriptionId: string): Promise<Line[]> {
  const lines = (await logOf(functionName)).split('\n').filter((line) => line.includes(transcriptionId));
  return lines.map((line) => JSON.parse(line));
}

const done = (functionName: string, transcriptionId: string) =>
  eventually(async () => {
    const lines = await linesAbout(functionName, transcriptionId);
    if (!lines.some(({ message }) => message === 'message done'))
      throw new Error(`${functionName} has not logged "message done".`);
    return lines;
  }, 50_000); // the queue may hold ten thousand deletions of another test

describe.concurrent('the request id that an answer carries', { timeout: 60_000 }, () => {
  it('is in every log line of the transcription', async () => {
    const acme = organization();
    const { transcriptionId, created } = await readyTranscription(acme);
    const correlationId = created.headers['apigw-requestid'];
    expect(correlationId).toMatch(/^.{10,}$/);

    const requests = await linesAbout('create-transcription', transcriptionId);
    expect(requests.map((line) => line.correlationId)).toEqual(requests.map(() => correlationId));
    for (const worker of ['start-transcription', 'finish-transcription']) {
      const lines = await done(worker, transcriptionId);
      // Lines logged before the row is read have no request id: the event of Transcribe does not carry it.
      expect(lines.map((line) => [worker, line.message, line.correlationId])).toEqual(
        lines.map((line) => [worker, line.message, correlationId]),
      );
    }
  });

  it('is in the log line of the reconciler', async () => {
    const acme = organization();
    const { transcriptionId, created } = await readyTranscription(acme);
    const change = (UpdateExpression: string, ExpressionAttributeValues?: Record<string, { readonly S: string }>) =>
      dynamodb.send(
        new UpdateItemCommand({
          TableName: endpoints.tables.transcriptions,
          Key: { organizationId: { S: acme }, transcriptionId: { S: transcriptionId } },
          UpdateExpression,
          ExpressionAttributeValues,
        }),
      );
    const overdue = { ':past': { S: '2026-01-01T00:00:00.000Z' }, ':shard': { S: dueShard(transcriptionId) } };
    await change('SET dueAt = :past, dueShard = :shard', overdue);
    await invoke('reconcile-transcriptions');
    await change('REMOVE dueAt, dueShard');
    const lines = await linesAbout('reconcile-transcriptions', transcriptionId);
    const correlationIds = new Set(lines.map((line) => line.correlationId)); // its schedule may run it meanwhile, too
    expect(correlationIds).toEqual(new Set([created.headers['apigw-requestid']]));
  });

  it('is in the log lines of the deletions that the call requested', async () => {
    const acme = organization();
    const { transcriptionId } = await readyTranscription(acme);
    const answer = await clientOf(acme)('POST', '/v1/transcriptions/bulk-delete', {
      body: { transcriptionIds: [transcriptionId] },
    });
    expect(answer.status).toBe(204);
    const lines = await done('delete-transcriptions', transcriptionId);
    expect(lines.map((line) => line.correlationId)).toEqual(lines.map(() => answer.headers['apigw-requestid']));
  });
});
