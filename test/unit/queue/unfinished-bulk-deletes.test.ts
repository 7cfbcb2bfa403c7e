import { readFileSync } from 'node:fs';
import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { createHandler as createEndpoint } from '#functions/api/transcriptions/bulk-delete-transcriptions/handler.ts';
import { createHandler as createWorker } from '#functions/workers/transcriptions/delete-transcriptions/handler.ts';
import type { BulkDeleteMessage } from '#shared/contracts/messages.ts';
import { answering } from '../../support/client/fake-client.ts';
import { admission, httpEvent, noCeiling } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { sqsEvent } from '../../support/http/sqs-events.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import { uuid } from '../../support/operations/records.ts';
import { FakeStore } from '../../support/storage/fake-store.ts';

const documented = /--query-string "(filter statusCode[^"]+)"/.exec(
  readFileSync('docs/operations/dead-letters.md', 'utf8'),
)?.[1];

type Line = Readonly<Record<string, unknown>>;

/** What CloudWatch Logs Insights does with the documented query. */
function unfinished(lines: readonly Line[]): unknown[] {
  const kept = lines.filter(
    ({ statusCode, message, left }) => statusCode === 204 || (message === 'message done' && left === 0),
  );
  return [...Map.groupBy(kept, ({ correlationId, organizationId }) => `${correlationId} ${organizationId}`)]
    .filter(([, ofCall]) => {
      const accepted = Math.max(...ofCall.map(({ parts }) => Number(parts ?? 0)));
      return accepted > new Set(ofCall.map(({ part }) => part).filter((part) => part !== undefined)).size;
    })
    .map(([call]) => call);
}

test('the documented query finds the calls of bulk delete that have a part without an end', async () => {
  expect(documented?.replace(/\\\n */g, '')).toBe(
    "filter statusCode = 204 or (message = 'message done' and left = 0) " +
      '| stats max(parts) as accepted, count_distinct(part) as finished by correlationId, organizationId ' +
      '| filter accepted > finished',
  );
  const log = captureLogLines();
  const messages: BulkDeleteMessage[] = [];
  const bulkDeletes = {
    send: async (_group: unknown, sent: readonly BulkDeleteMessage[]) => void messages.push(...sent),
  };
  const call = createEndpoint({ admission, runOnce: (_call, work) => work(), bulkDeletes, ceiling: noCeiling });
  const ask = (requestId: string, count: number) => {
    const transcriptionIds = Array.from({ length: count }, (_, index) => uuid(index + 1));
    return runEndpoint(call, httpEvent({ requestId, body: { transcriptionIds } }));
  };
  await ask('finished', 1_001);
  await ask('lost', 1_001);
  const { transcriptions, works, filesOf: files, speakersOf: speakers, sendChange, jobsOf: jobs } = new FakeStore();
  const queue = { sqs: answering(new SQSClient({ region: 'eu-west-1' })).client, url: 'url' };
  const work = createWorker({ queue, bulkDeletes, transcriptions, works, files, speakers, sendChange, jobs });

  messages.splice(2, 1); // the first part of the second call
  while (messages.length > 0) await work(sqsEvent(messages.shift()));

  expect(unfinished(log.lines().map(({ facts }) => facts))).toEqual(['lost acme']);
});
