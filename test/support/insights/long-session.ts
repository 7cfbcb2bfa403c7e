import { SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { untilDrained } from '#tools/shared/queue-depth.ts';
import { byTime, type EventOf, type PlatformEvent, queueOf } from '#tools/simulation/events.ts';
import { createPeople, type Person } from '#tools/simulation/people.ts';
import { createRandom, type Random } from '#tools/simulation/random.ts';
import { type SendOptions, sendEvents } from '#tools/simulation/send.ts';
import { longSamples } from './long-samples.ts';

/** What a long session is like. The same plan gives the same events, including ids. */
export type LongSessionPlan = {
  readonly organizationId: string;
  readonly roomName: string;
  readonly seed: number;
  /** When the session starts, in milliseconds since 1970. */
  readonly startedAt: number;
  /** 24 by default. */
  readonly hours?: number;
  /** 1 000 by default. */
  readonly participants?: number;
  /** How many are there all the time and have a sample every two seconds. 6 by default. */
  readonly sampledThroughout?: number;
  /** How many others have samples for ten minutes. 200 by default. */
  readonly sampledBriefly?: number;
};

/** A long session: its events in the order of time, and who has samples. */
export type LongSession = {
  readonly roomSessionId: string;
  readonly endedAt: number;
  readonly events: readonly PlatformEvent[];
  /** Participants with samples of the whole session. The network of the first is the best, and that of the last the worst. */
  readonly sampledThroughout: readonly string[];
  readonly sampledBriefly: readonly string[];
};

type Write = <Type extends PlatformEvent['type']>(type: Type, at: number, data: EventOf<Type>['data']) => void;
type Stay = { readonly from: number; readonly to: number };
type Client = { readonly roomName: string; readonly roomSessionId: string; readonly participantId: string };

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How long the samples of those are who have them briefly. */
const briefMs = 10 * minuteMs;
/** One event has the samples of this long, so that a day of six people is 144 events. */
const sampledMs = hourMs;
const ratedPart = 0.3;

/**
 * Generates a session of a day with a thousand people: some are there throughout, with rejoins and samples every two seconds, and the
 * others come and go. There are about 5 000 events, of which a few hundred have samples.
 */
export function generateLongSession(plan: LongSessionPlan): LongSession {
  const { organizationId, roomName, seed, startedAt, hours = 24, participants = 1000 } = plan;
  const random = createRandom(organizationId, seed, roomName, startedAt, 'long session');
  const endedAt = startedAt + hours * hourMs;
  const session = { roomName, roomSessionId: random.uuid() };
  const events: PlatformEvent[] = [];
  const write: Write = (type, at, data) => {
    const createdAt = new Date(at).toISOString();
    events.push({ id: random.uuid(), type, organizationId, createdAt, data } as PlatformEvent); // the type matches its data
  };
  write('room.session.started', startedAt, session);
  const people = createPeople(random, participants).map((person) => ({ person, participantId: random.uuid() }));
  const throughout = people.slice(0, plan.sampledThroughout ?? 6);
  const briefly = people.slice(throughout.length, throughout.length + (plan.sampledBriefly ?? 200));
  for (const [index, { person, participantId }] of people.entries()) {
    const isThroughout = index < throughout.length;
    const stays = isThroughout ? staysThroughout(random, startedAt, endedAt) : staysOfGuest(random, startedAt, endedAt);
    const client = { ...session, participantId };
    writeStays(random, write, { client, person, stays });
    const badness = isThroughout ? index / Math.max(1, throughout.length - 1) : random.integer(0, 100) / 100;
    if (isThroughout) for (const stay of stays) writeSamples(random, write, client, stay, badness);
    else if (index < throughout.length + briefly.length) writeSamples(random, write, client, briefOf(stays), badness);
  }
  write('room.session.ended', endedAt, session);
  const idsOf = (some: typeof people) => some.map(({ participantId }) => participantId);
  return {
    ...{ roomSessionId: session.roomSessionId, endedAt, events: events.toSorted(byTime) },
    ...{ sampledThroughout: idsOf(throughout), sampledBriefly: idsOf(briefly) },
  };
}

/**
 * Sends the events of a long session to a running service, and waits until they are handled. On an idle machine this takes less than a
 * minute. `sqs` is a client to use instead of a new one, and stays open.
 */
export async function storeLongSession(
  plan: LongSessionPlan,
  { endpoints, onProgress, sqs }: Omit<SendOptions, 'sqs'> & { readonly sqs?: SQSClient },
): Promise<LongSession> {
  const session = generateLongSession(plan);
  const client = sqs ?? new SQSClient(clientSettings(endpoints.sqsUrl));
  const staysOpen = { send: client.send.bind(client), destroy: () => {} };
  try {
    await sendEvents(session.events, { endpoints, sqs: staysOpen, ...(onProgress && { onProgress }) });
    const urls = [...new Set(session.events.map(queueOf))].map((name) => endpoints.queues[name] ?? '');
    await untilDrained(client, urls);
    return session;
  } finally {
    if (!sqs) client.destroy();
  }
}

/** The whole session, with some short interruptions. */
function staysThroughout(random: Random, from: number, to: number): Stay[] {
  const rejoins = random.integer(2, 6);
  const part = Math.floor((to - from) / (rejoins + 1));
  return Array.from({ length: rejoins + 1 }, (_, index) => ({
    from: from + index * part + (index === 0 ? random.integer(0, 30_000) : random.integer(5_000, 240_000)),
    to: index === rejoins ? to - random.integer(0, 30_000) : from + (index + 1) * part,
  }));
}

/** One to three stays of ten minutes to some hours, one after the other. */
function staysOfGuest(random: Random, startedAt: number, endedAt: number): Stay[] {
  const length = endedAt - startedAt;
  const stays: Stay[] = [];
  let from = startedAt + random.integer(0, Math.floor(length * 0.8));
  for (let left = random.integer(1, 3); left > 0 && from < endedAt - briefMs; left -= 1) {
    const to = Math.min(endedAt, from + random.integer(briefMs, Math.max(briefMs, Math.floor(length / 8))));
    stays.push({ from, to });
    from = to + random.integer(10_000, Math.floor(length / 12));
  }
  return stays;
}

function briefOf([first = { from: 0, to: 0 }]: readonly Stay[]): Stay {
  return { from: first.from, to: Math.min(first.to, first.from + briefMs) };
}

type Participation = { readonly client: Client; readonly person: Person; readonly stays: readonly Stay[] };

function writeStays(random: Random, write: Write, { client, person, stays }: Participation): void {
  for (const { from, to } of stays) {
    write('room.client.joined', from, { ...client, ...person });
    write('room.client.left', to, client);
  }
  const last = stays.at(-1)?.to;
  if (last !== undefined && random.chance(ratedPart)) {
    write('room.client.rated', last, { ...client, rating: random.integer(1, 5) });
  }
}

function writeSamples(random: Random, write: Write, client: Client, { from, to }: Stay, badness: number): void {
  const { roomSessionId, participantId } = client;
  for (let start = from; start < to; start += sampledMs) {
    const end = Math.min(to, start + sampledMs);
    const samples = longSamples(random, end - start, badness);
    const startedAt = new Date(start).toISOString();
    write('room.client.sampled', end, { roomSessionId, participantId, startedAt, ...samples });
  }
}
