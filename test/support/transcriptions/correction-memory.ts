import { marshall } from '@aws-sdk/util-dynamodb';
import { endpointLimits } from '#infra/functions/endpoint-limits.ts';
import { limits } from '#shared/domain/insights/session/session-limits.ts';
import { speakersOf, unnamed } from '#shared/domain/transcript/speakers.ts';
import { envNames } from '#shared/runtime/names.ts';
import { httpEvent } from '../http/http-events.ts';
import { serve } from '../http/test-server.ts';
import { logPages } from '../insights/fact-pages.ts';
import { joined, later } from '../insights/session-facts.ts';
import { transcriptionRecord } from '../operations/records.ts';
import { type Invocation, invokedMemory } from '../storage/invoked-memory.ts';

/** The memory of the function that corrects a speaker. */
export const correctionMb = endpointLimits['correct-speaker']?.memorySize ?? Number.NaN;

/** Invokes the bundled function correct-speaker with a participant of a session that has the largest log, of as many people as possible. */
export async function correctionMemory(): Promise<Invocation> {
  const record = transcriptionRecord({ state: 'ready' });
  const speakers = speakersOf([unnamed('Speaker 1')], []);
  const row = { languageCode: 'en-US', speakers, corrections: {}, revision: 0 };
  const log = logPages(
    (index) => ({ ...joined(`p-${index}`, later('09:00', index * 1000)), id: `event-${index}` }),
    limits.eventBytes,
  );
  const sqs = await serve((request, response) => {
    const answer = JSON.stringify({ MessageId: 'sent' });
    request
      .resume()
      .on('end', () => response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(answer));
  });
  const event = {
    ...httpEvent({ headers: { 'content-type': 'application/json' } }),
    pathParameters: { transcriptionId: record.transcriptionId, speaker: 'Speaker 1' },
    body: JSON.stringify({ participantId: 'p-0' }),
  };
  const itemOf = (key: unknown) => {
    const isOfSpeakers = JSON.stringify(key).includes('#speakers');
    return JSON.stringify({ Item: marshall(isOfSpeakers ? row : record, options) });
  };
  try {
    return await invokedMemory('functions/api/transcriptions/correct-speaker', correctionMb, event, {
      answerTo: (operation, input) => {
        if (operation === 'Query') return log.page(input);
        if (operation === 'GetItem') return itemOf(input.Key);
        return JSON.stringify({ Attributes: marshall({ points: 1 }) });
      },
      env: { ...env, [envNames.transcriptChangesQueue]: `${sqs.url}/queue`, AWS_ENDPOINT_URL_SQS: sqs.url },
    });
  } finally {
    sqs.stop();
  }
}

const options = { removeUndefinedValues: true };
const env = {
  [envNames.rateLimitsTable]: 'limits',
  [envNames.rateLimitPointsPerMinute]: '1000',
  [envNames.personPointsPerMinute]: '300',
  [envNames.organizationClaim]: 'client_id',
  [envNames.transcriptionsTable]: 'transcriptions',
  [envNames.transcriptSpeakersTable]: 'speakers',
};
