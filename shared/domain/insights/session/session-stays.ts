import { isClientEvent, isSessionEvent } from '#shared/contracts/insights/session-events.ts';
import { type ConnectionEvents, eventsOfConnections } from '../connection-events.ts';
import { inOrder, type SessionKey } from '../participant-record.ts';
import { countedOf } from './session-limits.ts';
import { type SessionBlock, withoutReplaced } from './session-log.ts';
import type { OtherStay, PersonStay, SessionPeople } from './session-people.ts';
import { byTime, type Connection, type Stay, stayOf } from './session-projection.ts';
import { emptyView, framesOf, isOwn, type SessionView, withBlocks } from './session-view.ts';

/** Blocks of a session's log. It is not complete if its first ones have expired. */
type Log = { readonly blocks: readonly SessionBlock[]; readonly isComplete: boolean };

/**
 * The connections of a participant in any room, in the order of joining, with the events that count. Needs the facts of the
 * participant and all retractions: where a connection without a leave ends does not matter.
 */
export function connectionsThatCount(
  { participantId }: { readonly participantId: string },
  { blocks }: Pick<Log, 'blocks'>,
): ConnectionEvents[] {
  const facts = blocks.flatMap((block) => block.facts);
  const frameOf = framesOf(facts.filter(isOwn), () => []);
  const events = facts
    .filter(isSessionEvent)
    .filter(isClientEvent)
    .filter(({ data }) => data.participantId === participantId);
  const counted = countedOf(participantId, inOrder(withoutReplaced(events))).events;
  return [...Map.groupBy(counted, ({ data }) => data.roomName)]
    .flatMap(([roomName, ofRoom]) => eventsOfConnections(stayOf(ofRoom, frameOf(roomName), undefined)))
    .toSorted((one, other) => byTime(one.joined, other.joined));
}

/**
 * Who was in a session of a room, by its whole log, in seconds after `clockStart`. A connection that is open lasts for ever. Who joins
 * with one of `speakerRoles` is a person, whatever the kind of the connection.
 */
export function peopleOf(
  { roomName, ...session }: SessionKey,
  { blocks, isComplete }: Log,
  clockStart: string,
  speakerRoles: readonly string[] = [],
): SessionPeople {
  const view = withBlocks(emptyView(session), blocks);
  const secondsAt = (time: string) => (Date.parse(time) - Date.parse(clockStart)) / 1000;
  const spanOf = ({ joined, leftAt }: Connection) => ({
    from: secondsAt(joined.createdAt),
    to: leftAt === null ? Number.POSITIVE_INFINITY : secondsAt(leftAt),
  });
  const isPerson = ({ kind, joined }: Connection) =>
    kind === 'participant' || speakerRoles.includes(joined.data.roleName);
  const stays: PersonStay[] = [];
  const others: OtherStay[] = [];
  const found = staysIn(view, roomName);
  for (const [participantId, { connections }] of found.stays) {
    for (const connection of connections) {
      const { displayName } = connection.joined.data;
      if (isPerson(connection)) stays.push({ participantId, displayName, ...spanOf(connection) });
      else others.push({ participantId, ...spanOf(connection), canBeHeard: connection.kind !== 'recorder' });
    }
  }
  const room = view.rooms.get(roomName);
  const isObserved = isComplete && found.areWhole && room?.missing.length === 0;
  return { isObserved, endedAt: room?.endedAt ?? null, stays, others };
}

/** The stay of each participant in a room, by the events that count. They are whole if nobody has more joins and leaves than count. */
function staysIn({ own, members }: SessionView, roomName: string) {
  const clientEvents = function* () {
    for (const { events } of members.values()) yield* events;
  };
  const frame = framesOf(own, clientEvents)(roomName);
  const stays = new Map<string, Stay>();
  let areWhole = true;
  for (const [participantId, { events }] of members) {
    const counted = countedOf(participantId, inOrder(withoutReplaced(events)));
    const cutAt = counted.exceeded.find(({ limit }) => limit === 'connections')?.lastAt;
    if (cutAt !== undefined) areWhole = false;
    const ofRoom = counted.events.filter(({ data }) => data.roomName === roomName);
    stays.set(participantId, stayOf(ofRoom, frame, cutAt));
  }
  return { stays, areWhole };
}
