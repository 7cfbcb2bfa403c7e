import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test, vi } from 'vitest';
import { createHandler as createTranscription } from '#functions/api/transcriptions/create-transcription/handler.ts';
import { createHandler as start } from '#functions/workers/transcriptions/start-transcription/handler.ts';
import { answering } from '../../support/client/fake-client.ts';
import { admission, httpEvent } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { sqsEvent } from '../../support/http/sqs-events.ts';
import { inspected } from '../../support/media/inspected.ts';
import {
  closingStores,
  organizationId,
  recordingRecord,
  transcriptionRecord,
  uuid,
} from '../../support/operations/records.ts';
import { FakeStore } from '../../support/storage/fake-store.ts';

const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
const nothing = async () => {};

test("the message of createTranscription has the gateway's id of the call, regardless of the client's headers", async () => {
  const send = vi.fn(nothing);
  const handler = createTranscription({
    admission,
    runOnce: (_call, work) => work(),
    jobs: { send },
    transcriptions: new FakeStore().transcriptions,
    recordings: { find: async () => recordingRecord() },
    closing: closingStores,
    optionDefaults: { of: async () => [] },
    creation: { create: async () => 'created' },
  });
  const headers = { 'x-correlation-id': 'forged', 'x-request-id': 'forged', 'apigw-requestid': 'forged' };
  await runEndpoint(handler, httpEvent({ body: { recordingId: uuid(2) }, headers, requestId: 'call-1' }));
  expect(send).toHaveBeenCalledExactlyOnceWith('acme', [
    expect.objectContaining({ correlationId: 'call-1', attempt: 0 }),
  ]);
});

test.each([
  ['keeps the correlation id', { correlationId: 'call-1' }],
  ['can have no correlation id', {}],
])('a message that is sent again because Transcribe is busy %s', async (_name, correlation) => {
  const send = vi.fn(nothing);
  const handler = start({
    queue: { sqs: answering(new SQSClient({ region: 'eu-west-1' })).client, url: 'url' },
    transcriptions: new FakeStore(transcriptionRecord()).transcriptions,
    due: { postpone: nothing },
    inspector: { inspect: async () => inspected() },
    counts: new FakeStore().counts,
    pieceSeconds: 14_400,
    preparations: { send: nothing },
    ...{ works: new FakeStore().works, partsAtOnce: 2, sendMerge: nothing },
    jobs: { start: async () => 'busy' },
    refusal: new FakeStore().refusal,
    jobMessages: { send },
    now: () => new Date('2026-03-01T10:00:01.000Z'),
  });
  expect(await handler(sqsEvent({ ...owner, ...correlation, attempt: 2 }))).toEqual({ batchItemFailures: [] });
  expect(send).toHaveBeenCalledExactlyOnceWith('acme', [{ ...owner, ...correlation, attempt: 3 }], expect.anything());
});
