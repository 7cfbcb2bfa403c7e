import { isDeepStrictEqual } from 'node:util';
import type { RoomCreated, RoomRetraction } from '#shared/contracts/insights/session-events.ts';
import { afterCreation, afterRetraction, unknownRoom } from '#shared/domain/insights/insight-records.ts';
import type { Pause } from '#shared/runtime/retry.ts';
import { type AssertTimeLeft, noTimeLimit } from '#shared/runtime/time-left.ts';
import { untilCommitted } from '../common/until-committed.ts';
import type { FactStore, InsightStore } from './ports.ts';

type Dependencies = {
  readonly facts: Pick<FactStore, 'keepOfRoom'>;
  readonly insights: Pick<InsightStore, 'readRoom' | 'commitRoom' | 'readCreations' | 'isRetracted'>;
  readonly pause?: Pause | undefined;
};

/** Records that a room was created, or created again. Does nothing more if the event says nothing new or was taken back. */
export async function recordRoomCreated(
  { facts, insights, pause }: Dependencies,
  event: RoomCreated,
  assertTimeLeft: AssertTimeLeft = noTimeLimit,
): Promise<void> {
  const key = { organizationId: event.organizationId, roomName: event.data.roomName };
  assertTimeLeft();
  await facts.keepOfRoom(event);
  await untilCommitted(
    async () => {
      const stored = await insights.readRoom(key);
      const room = afterCreation(stored ?? unknownRoom(key), event);
      // After the room is read: a retraction that is stored later makes the commit below fail.
      if (room === stored || (await insights.isRetracted(event))) return 'done';
      return (await insights.commitRoom(room)) ? 'done' : 'lost-race';
    },
    { assertTimeLeft, pause },
  );
}

/** Takes back the creations of a room with the event's id, whether they have arrived or will. */
export async function recordRoomRetraction(
  { facts, insights, pause }: Dependencies,
  event: RoomRetraction,
  assertTimeLeft: AssertTimeLeft = noTimeLimit,
): Promise<void> {
  const key = { organizationId: event.organizationId, roomName: event.data.roomName };
  assertTimeLeft();
  await facts.keepOfRoom(event);
  let isCommitted = false;
  await untilCommitted(
    async () => {
      const stored = (await insights.readRoom(key)) ?? unknownRoom(key);
      const room = afterRetraction(stored, await insights.readCreations(key));
      // A creation that was stored after the read, and said nothing new about the room of that time, is found by a second read.
      if (isCommitted && isDeepStrictEqual(room, stored)) return 'done';
      // The commit raises the version, so a worker that has not seen the retraction loses its race.
      isCommitted = await insights.commitRoom(room);
      return isCommitted ? 'more-to-do' : 'lost-race';
    },
    { assertTimeLeft, pause },
  );
}
