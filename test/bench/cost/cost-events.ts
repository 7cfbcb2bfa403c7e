import { envNames, tableNames } from '#shared/runtime/names.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { createSamples } from '#tools/simulation/samples.ts';
import { minuteClock } from '../../support/insights/insight-consumption.ts';
import { newGuest, newSession, platformOf } from '../../support/insights/session-events.ts';

const minuteMs = 60_000;
const peopleOfSession = 4;
const minutesOfSession = 30;

/** Returns a function that makes the next event of sessions of four people: they join, one rates, they leave, the session ends. */
export function roomEvents(organizationId: string): () => PlatformEvent {
  const platform = platformOf(organizationId, minuteClock());
  return endless((number) => {
    const session = newSession(`/team/room-${number}`);
    const guests = Array.from({ length: peopleOfSession - 1 }, () => newGuest());
    const all = [...guests, newGuest({ externalId: 'crm-12345678' })];
    return [
      platform.started(session),
      ...all.map((guest) => platform.joined(session, guest)),
      ...all.slice(0, 1).map((guest) => platform.rated(session, guest, 4)),
      ...all.map((guest) => platform.left(session, guest)),
      platform.ended(session),
    ];
  });
}

/** Returns a function that makes the next minute of network samples of sessions of four people, of half an hour each. */
export function sampleEvents(organizationId: string): () => PlatformEvent {
  const from = Date.parse('2026-03-01T09:00:00.000Z');
  const platform = platformOf(organizationId, () => from);
  const range = { from, to: from + minutesOfSession * minuteMs };
  return endless((number) => {
    const { roomSessionId } = newSession('/team/samples');
    const ofPeople = Array.from({ length: peopleOfSession }, (_, index) => {
      const { participantId } = newGuest();
      return createSamples(createRandom(number, index), { roomSessionId, participantId }, range, 'good');
    });
    const inOrder = ofPeople.flat().toSorted((one, other) => one.sentAt - other.sentAt);
    return inOrder.map(({ data }) => platform.sampled(data));
  });
}

/** Returns a function that gives the items of one batch after the other. */
function endless<Item>(batchOf: (number: number) => Item[]): () => Item {
  let number = 0;
  let waiting: Item[] = [];
  return () => {
    if (waiting.length === 0) waiting = batchOf(number++);
    const [next, ...others] = waiting as [Item, ...Item[]];
    waiting = others;
    return next;
  };
}

/** The environment of the functions, on a local runner whose DynamoDB is at a URL. Points never run out. */
export function functionEnv({ tables, queues, buckets, sqsUrl }: Endpoints, dynamodbUrl: string) {
  const ofTables = tableNames.map((name) => [envNames[`${name}Table`], String(tables[name])]);
  return {
    ...(Object.fromEntries(ofTables) as Record<string, string>),
    [envNames.organizationClaim]: 'client_id',
    [envNames.rateLimitPointsPerMinute]: '1000000',
    [envNames.personPointsPerMinute]: '1000000',
    [envNames.eventDaysAhead]: '36500',
    [envNames.eventDaysBack]: '36500',
    [envNames.sessionSettleSeconds]: '60',
    [envNames.transcriptsBucket]: String(buckets.transcripts),
    [envNames.roomEventsQueue]: String(queues.roomEvents),
    [envNames.networkSamplesQueue]: String(queues.networkSamples),
    [envNames.transcriptChangesQueue]: String(queues.transcriptChanges),
    [envNames.logLevel]: 'SILENT',
    ...{ AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
    ...{ AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl, AWS_ENDPOINT_URL_SQS: sqsUrl },
  };
}
