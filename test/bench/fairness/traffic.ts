import type { PlatformEvent } from '#tools/simulation/events.ts';
import type { Random } from '#tools/simulation/random.ts';
import { newGuest, newSession, platformOf } from '../../support/insights/session-events.ts';

/** A stream of events from the rooms of several organizations. Each event is dated when `next` returns it. */
export type Traffic = { readonly next: () => PlatformEvent };

type Room = { readonly organizationId: string; readonly roomName: string; script: (() => PlatformEvent)[] };

const guestsOf = [2, 6] as const;
const leaveChance = 0.8;
const rateChance = 0.4;

/** Creates traffic in which every room has successive sessions: guests join, some rate, most leave, the session ends. */
export function createTraffic(random: Random, organizationIds: readonly string[], roomsOfEach: number): Traffic {
  const rooms = organizationIds.flatMap((organizationId) =>
    Array.from(
      { length: roomsOfEach },
      (_, index): Room => ({ organizationId, roomName: `/room-${index}`, script: [] }),
    ),
  );
  return {
    next: () => {
      const room = rooms[random.integer(0, rooms.length - 1)];
      if (!room) throw new Error('There are no rooms.');
      if (room.script.length === 0) room.script = sessionScript(random, room);
      const event = room.script.shift();
      if (!event) throw new Error('A session has no events.');
      return event();
    },
  };
}

function sessionScript(random: Random, { organizationId, roomName }: Room): (() => PlatformEvent)[] {
  const platform = platformOf(organizationId, Date.now);
  const session = newSession(roomName);
  const guests = Array.from({ length: random.integer(...guestsOf) }, () =>
    newGuest(random.chance(0.5) ? { externalId: `crm-${random.uuid().slice(0, 8)}` } : {}),
  );
  const raters = guests.filter(() => random.chance(rateChance));
  const leavers = guests.filter(() => random.chance(leaveChance));
  return [
    () => platform.started(session),
    ...guests.map((guest) => () => platform.joined(session, guest)),
    ...raters.map((guest) => () => platform.rated(session, guest, random.integer(1, 5))),
    ...leavers.map((guest) => () => platform.left(session, guest)),
    () => platform.ended(session),
  ];
}
