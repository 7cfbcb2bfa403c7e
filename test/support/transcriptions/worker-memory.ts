import { marshall } from '@aws-sdk/util-dynamodb';
import { queueWorkers } from '#infra/functions/workers.ts';
import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { limits } from '#shared/domain/insights/session/session-limits.ts';
import { envNames } from '#shared/runtime/names.ts';
import { blocksAfter, organizationSession } from '#shared/storage/insights/keys.ts';
import { toSessionRow } from '#shared/storage/insights/rows.ts';
import { sqsEvent } from '../http/sqs-events.ts';
import { type LogPages, logPages } from '../insights/fact-pages.ts';
import { sessionRecord } from '../insights/insight-records.ts';
import { daily, ended, joined, later, rated } from '../insights/session-facts.ts';
import { uuid } from '../operations/records.ts';
import { type AnswerText, invokedMemory } from '../storage/invoked-memory.ts';

/** The memory of the worker record-room-events. */
export const workerMb = queueWorkers.find(({ name }) => name === 'record-room-events')?.memorySize ?? Number.NaN;
/** The worker handles as many rooms at once. */
const rooms = [0, 1, 2];
const wide = '€'; // three bytes, the most that a UTF-16 unit has

type Place = { readonly roomName: string; readonly roomSessionId: string };
const placeOf = (number: number): Place => ({ roomName: `/room-${number}`, roomSessionId: uuid(100 + number) });

/** A batch of an event in each of three rooms, and the facts in the log of each session, which is as large as possible. */
export type Batch = {
  readonly event: (place: Place) => SessionFact;
  readonly factAt: (place: Place, index: number) => SessionFact;
};

const person = (place: Place, index: number) => joined(`person ${index}`, later('09:00', index), place);
const comment = (place: Place, index: number) => {
  const long = String(index).padEnd(5000, wide);
  const tags = Array.from({ length: 50 }, (_, number) => `${index} ${number}`.padEnd(100, wide));
  return rated(`person ${index >> 6}`, later('09:00', index), 4, { ...place, comment: long, tags });
};

/** The batches of valid events that take the most memory. */
export const largestBatches = {
  joins: { event: (place) => joined('ann', '23:00', place), factAt: person },
  ratings: { event: (place) => rated('ann', '23:00', 4, place), factAt: comment },
  ends: { event: (place) => ended('23:00', place), factAt: person },
} as const satisfies Record<string, Batch>;

/** Invokes the bundled worker record-room-events with a batch. Returns how many messages failed, and the peak of the memory. */
export function workerMemory({ event, factAt }: Batch) {
  const logs = rooms.map((number) => logPages((index) => factAt(placeOf(number), index), limits.eventBytes));
  const events = sqsEvent(...rooms.map((number) => event(placeOf(number))));
  const options = { answerTo: answersFrom(logs), env };
  return invokedMemory('functions/workers/platforms/record-room-events', workerMb, events, options);
}

const env = {
  [envNames.roomSessionsTable]: 'sessions',
  [envNames.eventDaysAhead]: '36500',
  [envNames.eventDaysBack]: '36500',
};

/** Answers like DynamoDB, in which the logs are counted and listed. No other row is stored. */
function answersFrom(logs: readonly LogPages[]): AnswerText {
  const owners = rooms.map((number) => organizationSession({ ...daily, ...placeOf(number) }));
  const rowOf = (number: number) => {
    const { version = 0 } = logs[number] ?? {};
    const row = toSessionRow(sessionRecord({ ...placeOf(number), version, listedVersion: version }));
    return marshall(row, { removeUndefinedValues: true });
  };
  return (operation, input) => {
    if (operation === 'BatchGetItem') {
      const asked = JSON.stringify(input.RequestItems);
      const sessions = rooms.filter((number) => asked.includes(placeOf(number).roomSessionId)).map(rowOf);
      const isOfSessions = 'sessions' in (input.RequestItems as object);
      return JSON.stringify({ Responses: isOfSessions ? { sessions } : {}, UnprocessedKeys: {} });
    }
    if (operation !== 'Query') return '{}';
    const values = input.ExpressionAttributeValues as Record<string, { readonly S: string }>;
    const log = logs[owners.indexOf(values[':owner']?.S ?? '')];
    return log && values[':first']?.S === blocksAfter(0)[0] ? log.page(input) : '{"Items":[]}';
  };
}
