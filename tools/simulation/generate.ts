import { byTime, type PlatformEvent } from './events.ts';
import { createPeople } from './people.ts';
import { createRandom, type Random } from './random.ts';
import { createSession } from './session.ts';

/** The size and seed of a history. The same plan gives the same history, including ids. */
export type HistoryPlan = {
  readonly organizationId: string;
  readonly rooms: number;
  /** Per room. */
  readonly sessions: number;
  /** Per session. */
  readonly participants: number;
  readonly seed: number;
  /** Start of the day in ISO 8601. Sessions start 8 to 18 hours later. */
  readonly day: string;
  /** Prefix of the room names. */
  readonly roomPrefix: string;
  /** Sends network samples and speech of everyone, not only of a few. */
  readonly samplesOfAll?: boolean;
};

const roomNames = [
  ...['standup', 'all-hands', 'design-review', 'support', 'interview', 'lecture', 'retro', 'town-hall', 'planning'],
  ...['office-hours', 'one-on-one', 'demo'],
];
const hourMs = 3_600_000;
const firstHour = 8;
const openHours = 10;

/**
 * Generates the events of a day of rooms, in order of time. Every fault that events can have occurs somewhere. One extra
 * room is created and never entered. The last session of the first room is still live.
 */
export function generateHistory(plan: HistoryPlan): PlatformEvent[] {
  const rooms = Array.from({ length: plan.rooms }, (_, index) => roomEvents(plan, index));
  return [...rooms.flat(), ...unusedRoom(plan)].toSorted(byTime);
}

/** The name of the room with this index. */
export function roomNameOf({ roomPrefix }: Pick<HistoryPlan, 'roomPrefix'>, index: number): string {
  const name = roomNames[index % roomNames.length];
  const round = Math.floor(index / roomNames.length);
  return `${roomPrefix}${name}${round === 0 ? '' : `-${round + 1}`}`;
}

function roomEvents(plan: HistoryPlan, index: number): PlatformEvent[] {
  const random = randomOf(plan, `room ${index}`);
  const roomName = roomNameOf(plan, index);
  const people = createPeople(random, Math.ceil(plan.participants * 1.5));
  const machines = { recorder: random.uuid(), streamer: random.uuid(), captioner: random.uuid() };
  const slotMs = (openHours * hourMs) / plan.sessions;
  const sessions = Array.from({ length: plan.sessions }, (_, session) =>
    createSession(random, {
      organizationId: plan.organizationId,
      roomName,
      number: index * plan.sessions + session,
      startedAt: Date.parse(plan.day) + firstHour * hourMs + Math.floor(session * slotMs) + random.integer(0, 600_000),
      people: random.shuffled(people).slice(0, plan.participants), // the same people return
      machines,
      isLive: index === 0 && session === plan.sessions - 1,
      samplesOfAll: plan.samplesOfAll ?? false,
    }),
  );
  return [...creations(random, plan, roomName, index), ...sessions.flat()];
}

/** The `room.created` events of a room. Some rooms have none, some no end, some a second one with another end. */
function creations(random: Random, plan: HistoryPlan, roomName: string, index: number): PlatformEvent[] {
  if (index % 5 === 3) return [];
  const at = Date.parse(plan.day) + random.integer(0, firstHour * hourMs);
  const first = createdRoom(random, plan, roomName, at, index % 3 === 0 ? 24 : undefined);
  return index % 4 === 1 ? [first, createdRoom(random, plan, roomName, at + hourMs, 48)] : [first];
}

function unusedRoom(plan: HistoryPlan): PlatformEvent[] {
  const random = randomOf(plan, 'unused room');
  return [createdRoom(random, plan, `${plan.roomPrefix}never-entered`, Date.parse(plan.day) + hourMs, 24)];
}

function createdRoom(
  random: Random,
  { organizationId, day }: HistoryPlan,
  roomName: string,
  at: number,
  endHour: number | undefined,
): PlatformEvent {
  const endAt = endHour === undefined ? undefined : new Date(Date.parse(day) + endHour * hourMs).toISOString();
  const createdAt = new Date(at).toISOString();
  return { id: random.uuid(), type: 'room.created', organizationId, createdAt, data: { roomName, endAt } };
}

function randomOf({ organizationId, seed, day, roomPrefix }: HistoryPlan, part: string): Random {
  return createRandom(organizationId, seed, day, roomPrefix, part);
}
