import type { RoomCreated } from '../contracts/session-events.ts';
import { afterCreation, unknownRoom } from '../domain/insight-records.ts';
import type { Pause } from '../retry.ts';
import { type AssertTimeLeft, noTimeLimit } from '../time-left.ts';
import type { InsightStore } from './ports.ts';
import { untilCommitted } from './until-committed.ts';

type Dependencies = { readonly insights: Pick<InsightStore, 'readRoom' | 'commitRoom'>; readonly pause?: Pause };

/** Records that a room was created, or created again. Does nothing if the event says nothing new. */
export async function recordRoomCreated(
  { insights, pause }: Dependencies,
  event: RoomCreated,
  assertTimeLeft: AssertTimeLeft = noTimeLimit,
): Promise<void> {
  const key = { organizationId: event.organizationId, roomName: event.data.roomName };
  await untilCommitted(
    async () => {
      const stored = await insights.readRoom(key);
      const room = afterCreation(stored ?? unknownRoom(key), event);
      if (room === stored) return 'done';
      return (await insights.commitRoom(room)) ? 'done' : 'lost-race';
    },
    { assertTimeLeft, pause },
  );
}
