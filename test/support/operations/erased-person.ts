import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { openStores } from '#operations/erasure/deployment.ts';
import { fingerprintOf } from '#shared/domain/insights/room-visitors.ts';
import { eventually } from '../eventually.ts';
import { insightsOf, type SessionTeller, send, sessionOf, untilCounted } from '../insights/insights.ts';
import { endpoints } from '../machine.ts';
import { findEverywhere } from './erasure.ts';

/** A person to erase. */
export const ada = { userId: 'user-ada', deviceId: 'device-ada', displayName: 'Ada Kim', userAgent: 'Agent of Ada' };
/** What a room stores of her as a visitor. */
export const visitor = fingerprintOf({ kind: 'participant', visitorId: ada.userId });
/** Every value of Ada's that a row can contain. */
export const traces = [
  'p-ada',
  'user-ada',
  'device-ada',
  'Ada Kim',
  'Agent of Ada',
  'crm-ada',
  'tag of ada',
  'said by ada',
].concat(visitor);

/** Ada joins twice, the second time without her external id. Bob joins once. */
function eventsOf(session: SessionTeller, participantId: string) {
  return [
    session.created('08:00'),
    session.started('09:00'),
    session.joined(participantId, '09:01', { ...ada, externalId: 'crm-ada' }),
    session.left(participantId, '09:04'),
    session.joined(participantId, '09:05', ada),
    session.joined('p-bob', '09:02', { externalId: 'crm-bob' }),
    session.rated(participantId, '09:06', 4, { comment: 'said by ada', tags: ['tag of ada'] }),
    session.sampled(participantId, '09:01', [1, 2, 3]),
    session.sampled('p-bob', '09:02', [1, 2, 3]),
    session.spoke(participantId, ['09:02', '09:03']),
    session.spoke('p-bob', ['09:02', '09:03']),
    session.ended('09:30'),
  ];
}

/** Creates two sessions with Ada and Bob. Ada has a different participant id in each. */
export async function populate(acme: string) {
  const sessions = ['/daily', '/weekly'].map((roomName) => sessionOf(acme, { roomName }));
  const events = sessions.flatMap((session, index) => eventsOf(session, `p-ada-${index + 1}`));
  await send(...events);
  await untilCounted(acme, events);
  await eventually(async () => {
    const measured = (await findEverywhere(acme)).filter((each) => /samples|speech/.test(each));
    if (measured.length < 8) throw new Error('Some samples or some speech is not stored yet.');
  });
  return { sessions, events };
}

/** Returns the rows of an organization that contain one of the texts. */
export async function rowsWith(acme: string, texts: readonly string[]): Promise<string[]> {
  return (await findEverywhere(acme)).filter((row) => texts.some((text) => row.includes(text)));
}

/** Everything that the insights show of these sessions. */
export async function shownOf(
  acme: string,
  sessions: readonly { readonly roomName: string; readonly roomSessionId?: string }[],
) {
  const { rooms, roomSessions, participants } = insightsOf(acme);
  const { results } = await rooms();
  const ids = sessions.flatMap(({ roomSessionId }) => roomSessionId ?? []);
  const orders = ['joinedAt:asc', 'leftAt:desc'];
  const lists = ids.flatMap((roomSessionId) => orders.map((sortBy) => participants({ roomSessionId, sortBy })));
  return {
    rooms: results.toSorted((one, other) => one.roomName.localeCompare(other.roomName)),
    roomSessions: await Promise.all(sessions.map(async ({ roomName }) => (await roomSessions({ roomName })).results)),
    participants: (await Promise.all(lists)).map((page) => page.results),
  };
}

type Sessions = readonly { readonly roomSessionId: string }[];

/** The stored lists of participants of these sessions. */
export async function listRowsOf(acme: string, sessions: Sessions): Promise<Record<string, unknown>[]> {
  const { documents } = openStores(endpoints);
  const answers = sessions.map(({ roomSessionId }) =>
    documents.send(
      new QueryCommand({
        TableName: endpoints.tables.participants,
        KeyConditionExpression: 'organizationSession = :session',
        ExpressionAttributeValues: { ':session': `${acme}#${roomSessionId}` },
      }),
    ),
  );
  return (await Promise.all(answers)).flatMap(({ Items = [] }) => Items);
}

/** Stores rows of participants again. */
export async function restore(rows: readonly Record<string, unknown>[]): Promise<void> {
  const { documents } = openStores(endpoints);
  for (const Item of rows) await documents.send(new PutCommand({ TableName: endpoints.tables.participants, Item }));
}

/** A list of participants as it is after the erasure. */
export function withoutAda<Participant extends { readonly participantId: string }>(
  participants: readonly Participant[],
) {
  return participants.filter(({ participantId }) => !participantId.startsWith('p-ada'));
}
