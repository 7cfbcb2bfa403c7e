import type { EventOf, PlatformEvent } from './events.ts';
import type { Person } from './people.ts';
import { createRandom, type Random } from './random.ts';
import { createSamples } from './samples.ts';
import { createSpeech } from './speech.ts';
import { type Behavior, behaviors, createStays } from './stays.ts';

/** The roles of devices that connect to a session. */
export type MachineRole = 'recorder' | 'streamer' | 'captioner';

/** The plan of one session. */
export type SessionPlan = {
  readonly organizationId: string;
  readonly roomName: string;
  /** The number of the session among all rooms. It decides which faults occur. */
  readonly number: number;
  readonly startedAt: number;
  readonly people: readonly Person[];
  /** The recording, the streaming and the captioning device of the room. */
  readonly machines: Readonly<Record<MachineRole, string>>;
  readonly isLive: boolean;
  /** Sends network samples and speech of everyone, not only of a few. */
  readonly samplesOfAll: boolean;
};

type Write = <Type extends PlatformEvent['type']>(type: Type, at: number, data: EventOf<Type>['data']) => void;
type Session = { readonly roomName: string; readonly roomSessionId: string };

const minuteMs = 60_000;
const clockSkewMs = 2000;
/** By default one in this many participants has network samples. Samples are most of the traffic. */
const sampledPart = 10;

const tags = ['audio', 'video', 'echo', 'screen sharing', 'easy to use', 'delay'] as const;
const praise = ['Crystal clear.', 'Merci, très bien !', 'Worked at once 👍', '音も映像も良かったです。'] as const;
const complaints = ['Choppy sound, frozen video.', 'I was thrown out again and again.', 'Nur Standbilder 😕'] as const;

/** Generates all events of one session. */
export function createSession(random: Random, plan: SessionPlan): PlatformEvent[] {
  const events: PlatformEvent[] = [];
  const writeBy =
    (random: Random): Write =>
    (type, at, data) => {
      const createdAt = new Date(at + random.integer(-clockSkewMs, clockSkewMs)).toISOString();
      const event = { id: random.uuid(), type, organizationId: plan.organizationId, createdAt, data };
      events.push(event as PlatformEvent); // the type matches its data
    };
  const write = writeBy(random);
  const { startedAt, number } = plan;
  const session = { roomName: plan.roomName, roomSessionId: random.uuid() };
  const endedAt = startedAt + random.integer(10 * minuteMs, 45 * minuteMs);
  if (number % 7 !== 3) write('room.session.started', startedAt, session);
  for (const [index, person] of plan.people.entries()) {
    const behavior = behaviors[(number * plan.people.length + index) % behaviors.length] ?? 'steady';
    writeParticipant(random, { write, writeBy }, { ...plan, session, person, behavior, endedAt });
  }
  const machine = (roleName: MachineRole) => {
    const client = { ...session, participantId: random.uuid() };
    const deviceId = plan.machines[roleName];
    write('room.client.joined', startedAt, { ...client, deviceId, roleName, displayName: roleName });
    if (!plan.isLive) write('room.client.left', endedAt, client);
  };
  if (number % 3 === 0) machine('recorder');
  if (number % 4 === 1) machine('streamer');
  if (number % 6 === 3) machine('captioner');
  if (number % 5 !== 2 && !plan.isLive) write('room.session.ended', endedAt + clockSkewMs, session);
  return events;
}

type Participation = SessionPlan & {
  readonly session: Session;
  readonly person: Person;
  readonly behavior: Behavior;
  readonly endedAt: number;
};

function writeParticipant(
  random: Random,
  { write, writeBy }: { readonly write: Write; readonly writeBy: (random: Random) => Write },
  participation: Participation,
): void {
  const { session, person, behavior, startedAt, endedAt, isLive } = participation;
  const client = { ...session, participantId: random.uuid() };
  const isBad = behavior === 'badNetwork';
  const displayName = isBad ? `${person.displayName} (bad network)` : person.displayName;
  const fifth = Math.floor((endedAt - startedAt) / 5);
  const from = startedAt + random.integer(0, fifth);
  const to = endedAt - random.integer(0, fifth);
  const isSampled = isBad || participation.samplesOfAll || random.integer(1, sampledPart) === 1;
  const stays = createStays(random, behavior, from, to);
  for (const [index, stay] of stays.entries()) {
    const isStillThere = isLive && index === stays.length - 1;
    if (behavior !== 'lostJoin') write('room.client.joined', stay.from, { ...client, ...person, displayName });
    const span = { from: stay.from, to: stay.to ?? endedAt };
    if (isSampled) writeSamples(random, write, client, span, isBad);
    const ofSpeech = createRandom(client.participantId, 'speech', index); // of its own, so that all else is as without speech
    if (isSampled) writeSpeech(ofSpeech, writeBy(ofSpeech), client, span);
    if (stay.to !== undefined && !isStillThere) write('room.client.left', stay.to, client);
  }
  if (isBad || random.chance(0.4)) writeRatings(random, write, client, to, isBad);
}

function writeSamples(
  random: Random,
  write: Write,
  { roomSessionId, participantId }: Session & { readonly participantId: string },
  span: { readonly from: number; readonly to: number },
  isBad: boolean,
): void {
  const samples = createSamples(random, { roomSessionId, participantId }, span, isBad ? 'bad' : 'good');
  for (const { sentAt, data } of samples) write('room.client.sampled', sentAt, data);
}

function writeSpeech(
  random: Random,
  write: Write,
  { roomSessionId, participantId }: Session & { readonly participantId: string },
  span: { readonly from: number; readonly to: number },
): void {
  const speech = createSpeech(random, { roomSessionId, participantId }, span);
  for (const { sentAt, data } of speech) write('room.client.spoke', sentAt, data);
}

function writeRatings(
  random: Random,
  write: Write,
  client: Session & { readonly participantId: string },
  at: number,
  isBad: boolean,
): void {
  const once = (time: number) => {
    const rating = isBad ? random.integer(1, 2) : random.integer(5, 10) / 2;
    const chosen = random.shuffled(tags).slice(0, random.integer(0, 3));
    const comment = random.chance(0.6) || isBad ? random.pick(isBad ? complaints : praise) : undefined;
    write('room.client.rated', time, { ...client, rating, ...(chosen.length > 0 && { tags: chosen }), comment });
  };
  once(at);
  if (random.chance(0.1)) once(at + minuteMs);
}
