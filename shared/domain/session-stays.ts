import { isClientEvent, isSessionEvent } from '../contracts/session-events.ts';
import { type ConnectionEvents, eventsOfConnections } from './connection-events.ts';
import { inOrder, type SessionKey } from './participant-record.ts';
import { countedOf } from './session-limits.ts';
import { type SessionBlock, withoutReplaced } from './session-log.ts';
import type { PersonStay, SessionPeople } from './session-people.ts';
import { byTime, type Stay, stayOf } from './session-projection.ts';
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
 * Who was in a session of a room, by its whole log, in seconds after `clockStart`. A connection that is open lasts for ever.
 */
export function peopleOf(
  { roomName, ...session }: SessionKey,
  { blocks, isComplete }: Log,
  clockStart: string,
): SessionPeople {
  const view = withBlocks(emptyView(session), blocks);
  const secondsAt = (time: string) => (Date.parse(time) - Date.parse(clockStart)) / 1000;
  const stays = [...staysIn(view, roomName)].flatMap(([participantId, { connections }]) =>
    connections
      .filter(({ kind }) => kind === 'participant')
      .map(
        ({ joined, leftAt }): PersonStay => ({
          ...{ participantId, displayName: joined.data.displayName, from: secondsAt(joined.createdAt) },
          to: leftAt === null ? Number.POSITIVE_INFINITY : secondsAt(leftAt),
        }),
      ),
  );
  return { isObserved: isComplete && view.rooms.get(roomName)?.missing.length === 0, stays };
}

/** The stay of each participant in a room, by the events that count. */
function staysIn({ own, members }: SessionView, roomName: string): Map<string, Stay> {
  const clientEvents = function* () {
    for (const { events } of members.values()) yield* events;
  };
  const frame = framesOf(own, clientEvents)(roomName);
  return new Map(
    [...members].map(([participantId, { events }]) => {
      const counted = countedOf(participantId, inOrder(withoutReplaced(events)));
      const cutAt = counted.exceeded.find(({ limit }) => limit === 'connections')?.lastAt;
      const ofRoom = counted.events.filter(({ data }) => data.roomName === roomName);
      return [participantId, stayOf(ofRoom, frame, cutAt)];
    }),
  );
}
