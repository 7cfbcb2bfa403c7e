import { marshall } from '@aws-sdk/util-dynamodb';
import { queueWorkers } from '#infra/workers.ts';
import type { SessionFact } from '#shared/contracts/session-events.ts';
import { participantsPerChange } from '#shared/domain/change-size.ts';
import { limits } from '#shared/domain/session-limits.ts';
import { envNames } from '#shared/names.ts';
import { clientFacts, organizationSession, sessionFacts, sessionRetractions } from '#shared/storage/insights/keys.ts';
import { toParticipantRow } from '#shared/storage/insights/rows.ts';
import { type FactPages, factPages, numbered, pageBytes } from './fact-pages.ts';
import { participantRecord } from './insight-records.ts';
import { type AnswerText, invokedMemory } from './invoked-memory.ts';
import { uuid } from './records.ts';
import { at, daily, ended, joined, rated, retracted } from './session-facts.ts';
import { sqsEvent } from './sqs-events.ts';

/** The memory of the worker record-room-events. */
export const workerMb = queueWorkers.find(({ name }) => name === 'record-room-events')?.memorySize ?? Number.NaN;
const rooms = Array.from({ length: 10 }, (_, number) => number);
const wide = '€'; // three bytes, the most that a UTF-16 unit has

const [ann = '', ...others] = Array.from({ length: participantsPerChange }, (_, number) =>
  String(number).padStart(256, 'p'),
);
const join = {
  ...joined(ann, '09:00', {
    ...{ deviceId: numbered(256), userId: numbered(256), externalId: numbered(256), roleName: wide.repeat(64) },
    ...{ displayName: numbered(256, wide), userAgent: numbered(1024, wide) },
  }),
  id: numbered(128, wide),
};
const retraction = { ...retracted(join), id: numbered(128, wide) };
const rating = (participantId: string) => ({
  ...rated(participantId, '09:00', 4, {
    comment: numbered(5000, wide),
    tags: Array.from({ length: 50 }, () => numbered(100, wide)),
  }),
  id: numbered(128, wide),
});

/** A batch of ten events, each of a room of its own, and the facts that are stored in each of the rooms. */
export type Batch = {
  readonly event: SessionFact;
  /** What a query of the session's own facts, or of its retractions, finds. */
  readonly ofSession: FactPages;
  /** By participant. */
  readonly events: Readonly<Record<string, FactPages>>;
};

const none = factPages(join, 0);
const retractions = factPages(retraction, limits.retractions);
const otherRetractions = factPages(
  { ...retraction, data: { ...retraction.data, eventId: numbered(128, '₤') } },
  limits.retractions,
);
const joins = factPages(join, limits.connections + 1);
const ofOnePage = (fact: SessionFact) => factPages(fact, Math.floor(pageBytes / factPages(fact, 1).itemBytes));

/** The batches of valid events that take the most memory: all that is read of a session and of its participants is as large as possible. */
export const largestBatches = {
  joins: { event: { ...join, createdAt: at('23:00') }, ofSession: otherRetractions, events: { [ann]: joins } },
  retractions: { event: retraction, ofSession: retractions, events: { [ann]: joins } },
  ends: {
    event: ended('23:00'),
    ofSession: factPages(ended('23:00'), 1),
    events: Object.fromEntries([ann, ...others].map((id) => [id, ofOnePage(rating(id))])),
  },
} as const satisfies Record<string, Batch>;

/** Invokes the bundled worker record-room-events with a batch. Returns how many messages failed, and the peak of the memory. */
export function workerMemory(batch: Batch) {
  const event = sqsEvent(...rooms.map((number) => JSON.parse(inRoom(number, JSON.stringify(batch.event)))));
  return invokedMemory('functions/workers/record-room-events', workerMb, event, { answerTo: answersFrom(batch), env });
}

const env = {
  [envNames.recordingsTable]: 'recordings',
  [envNames.recordingFilesTable]: 'recording-files',
  [envNames.transcriptionsTable]: 'transcriptions',
  [envNames.roomsTable]: 'rooms',
  [envNames.roomSessionsTable]: 'sessions',
  [envNames.participantsTable]: 'participants',
  [envNames.transcriptsBucket]: 'transcripts',
  [envNames.roomEventsQueue]: 'http://127.0.0.1:1/queue',
  [envNames.eventDaysAhead]: '36500',
  [envNames.eventDaysBack]: '36500',
};

/** Moves the facts in a text to the room of this number, whose name has 512 bytes, and gives them a number. */
function inRoom(number: number, text: string): string {
  return text
    .replaceAll(daily.roomName, `/${String(number).padStart(511, 'r')}`)
    .replaceAll(daily.roomSessionId, uuid(100 + number))
    .replaceAll(numbered(6), '000001');
}

/** Answers like DynamoDB, in which no row is stored but those of participants that an end concerns. */
function answersFrom({ ofSession, events }: Batch): AnswerText {
  const sessions = rooms.map((number) => organizationSession({ ...daily, roomSessionId: uuid(100 + number) }));
  const pagesOf = (first: string): readonly FactPages[] => {
    if (first === sessionFacts[0] || first === sessionRetractions[0]) return [ofSession];
    return Object.entries(events).flatMap(([id, pages]) =>
      first === clientFacts(id)[0] || first === 'client\0' ? pages : [],
    );
  };
  const rowOf = (id: string) =>
    JSON.stringify(marshall(toParticipantRow(daily, participantRecord(id)), { removeUndefinedValues: true }));
  return (operation, input) => {
    if (operation === 'BatchGetItem') return JSON.stringify({ Responses: {}, UnprocessedKeys: {} });
    if (operation !== 'Query') return '{}';
    const values = input.ExpressionAttributeValues as Record<string, { readonly S: string }>;
    const textOf = (name: string) => values[name]?.S ?? '';
    const number = sessions.indexOf(textOf(':owner') || textOf(':session'));
    if (number === -1) return '{"Items":[]}';
    if (textOf(':session')) return inRoom(number, `{"Items":[${Object.keys(events).map(rowOf)}]}`);
    const [pages = none] = pagesOf(textOf(':first'));
    return inRoom(number, pages.page(input));
  };
}
