import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { SessionKey } from '#shared/domain/insights/participant-record.ts';
import { blocksAfter } from '#shared/storage/insights/keys.ts';
import { createRandom } from '#tools/simulation/random.ts';
import { createSamples } from '#tools/simulation/samples.ts';
import { type CapacityMeter, type Consumption, type MeteredCall, sumOf } from '../storage/capacity-meter.ts';
import type { InsightFunctions } from './insight-functions.ts';
import { type Guest, newGuest, newSession, type Platform, platformOf } from './session-events.ts';

/** Consumption by the names in docs/insights-cost.md. */
export type Consumptions = Readonly<Record<string, Consumption>>;

/** The measured organization, the meter and the functions. */
export type Measuring = {
  readonly organizationId: string;
  readonly meter: CapacityMeter;
  readonly insights: InsightFunctions;
};

const minuteMs = 60_000;

/** A clock that advances by a minute at every reading. */
export function minuteClock(start = '2026-03-01T09:00:00.000Z'): () => number {
  let at = Date.parse(start);
  return () => {
    at += minuteMs;
    return at;
  };
}

/** A platform whose ids are the same in every run. The pages of participant lists and the sizes of compressed items depend on them. */
function samePlatform(organizationId: string, name: string) {
  const { uuid } = createRandom(name);
  return {
    platform: platformOf(organizationId, minuteClock(), uuid),
    newSession: (roomName: string) => newSession(roomName, uuid),
    newGuest: (facts: Partial<Guest> = {}) => newGuest(facts, uuid),
    /** The same person as another participant. */
    again: (guest: Guest): Guest => ({ ...guest, participantId: uuid(), deviceId: uuid() }),
  };
}

/** Measures events of one session in two hours, each delivered alone. With the hour, the time changes at which an idle session is closed. */
export async function consumptionInTwoHours({ organizationId, meter, insights }: Measuring): Promise<Consumptions> {
  const { uuid } = createRandom('two hours');
  const clock = minuteClock('2026-03-01T09:10:00.000Z');
  let later = 0;
  const platform = platformOf(organizationId, () => clock() + later, uuid);
  const session = newSession('/team/standup', uuid);
  const measure = (event: ReturnType<Platform[keyof Platform]>) => meter.measure(() => insights.record(event));
  const started = await measure(platform.started(session));
  const joined = await measure(platform.joined(session, newGuest({}, uuid)));
  later = 60 * minuteMs;
  return {
    'start of a session': started,
    'another event in the same hour': joined,
    'first event in a later hour': await measure(platform.joined(session, newGuest({}, uuid))),
    'end of a session': await measure(platform.ended(session)),
  };
}

function keyOf(organizationId: string, { roomName, roomSessionId }: ReturnType<typeof newSession>): SessionKey {
  return { organizationId: OrganizationId.parse(organizationId), roomName, roomSessionId };
}

/** Measures each kind of event, delivered alone. */
export async function consumptionOfEvents({ organizationId, meter, insights }: Measuring): Promise<Consumptions> {
  const { platform, newSession, newGuest, again } = samePlatform(organizationId, 'events');
  const measured: Record<string, Consumption> = {};
  const measure = async (name: string, event: ReturnType<Platform[keyof Platform]>) => {
    measured[name] = await meter.measure(() => insights.record(event));
    return event;
  };
  const roomName = '/team/standup';
  const [ada, bob, eve] = [newGuest(), newGuest({ externalId: 'crm-12345678' }), newGuest()] as const;

  const created = await measure('room created', platform.created(roomName));
  await measure('room created, again', created);
  const first = newSession(roomName);
  const started = await measure('first session of a room starts', platform.started(first));
  await measure('session start, again', started);
  const joined = await measure('join of a new visitor', platform.joined(first, ada));
  await measure('join, again', joined);
  await measure('join of a new visitor with an external id', platform.joined(first, bob));
  const left = await measure('leave', platform.left(first, ada));
  await measure('leave, again', left);
  await measure('the same participant joins once more', platform.joined(first, ada));
  await insights.record(platform.left(first, ada));
  await measure('leave of a participant with an external id', platform.left(first, bob));
  const rated = await measure('rating', platform.rated(first, ada, 4));
  await measure('rating, again', rated);
  const ended = await measure('session ends, nobody is there', platform.ended(first));
  await measure('session end, again', ended);
  measured['end of a session is told'] = await meter.measure(() => insights.tellEnd(keyOf(organizationId, first)));

  const second = newSession(roomName);
  await measure('another session of the room starts', platform.started(second));
  await measure('join of a visitor whom the room knows', platform.joined(second, again(ada)));
  for (const guest of [bob, eve]) await insights.record(platform.joined(second, again(guest)));
  const endedForAll = await measure('session ends, three are there', platform.ended(second));
  await measure('session end for three, again', endedForAll);
  return measured;
}

/**
 * Measures a session of four people with each event delivered alone: they join, one rates, they leave, the session
 * ends.
 */
export async function consumptionOfSession({ organizationId, meter, insights }: Measuring): Promise<Consumptions> {
  const { platform, newSession, newGuest, again } = samePlatform(organizationId, 'session');
  const [earlier, session] = [newSession('/team/retro'), newSession('/team/retro')] as const;
  const known = newGuest();
  const before = [platform.created('/team/retro'), platform.started(earlier), platform.joined(earlier, known)];
  for (const event of before) await insights.record(event);
  const guests = [again(known), newGuest(), newGuest({ externalId: 'crm-12345678' }), newGuest()] as const;
  const events = [
    platform.started(session),
    ...guests.map((guest) => platform.joined(session, guest)),
    platform.rated(session, guests[0], 4),
    ...guests.map((guest) => platform.left(session, guest)),
    platform.ended(session),
  ];
  const each: Consumption[] = [];
  for (const event of events) each.push(await meter.measure(() => insights.record(event)));
  return { 'session of four people, 11 events': sumOf(each) };
}

/** Measures the events of a participant who joins late, by the number of participants already present, and the reads of the log after them. */
export async function consumptionOfLatecomers(
  { organizationId, meter, insights }: Measuring,
  numbers: readonly number[],
): Promise<{ readonly measured: Consumptions[]; readonly logs: number[] }> {
  const { platform, newSession, newGuest } = samePlatform(organizationId, 'latecomers');
  const session = newSession('/team/town-hall');
  const batchSize = 10;
  let there = 0;
  const fillUpTo = async (count: number) => {
    for (; there < count; there += Math.min(batchSize, count - there)) {
      const length = Math.min(batchSize, count - there);
      await insights.record(...Array.from({ length }, () => platform.joined(session, newGuest())));
    }
  };
  await insights.record(platform.created(session.roomName), platform.started(session));
  const measured: Consumptions[] = [];
  const logs: number[] = [];
  for (const number of numbers) {
    await fillUpTo(number - 1);
    const guest = newGuest();
    there += 1;
    measured.push({
      join: await meter.measure(() => insights.record(platform.joined(session, guest))),
      rating: await meter.measure(() => insights.record(platform.rated(session, guest, 1 + (number % 4)))),
      leave: await meter.measure(() => insights.record(platform.left(session, guest))),
    });
    logs.push(readsOfLog(meter));
  }
  return { measured, logs };
}

/** Measures network samples: writing one minute of one participant, and reading an hour. Measures speech: writing a minute with six intervals. */
export async function consumptionOfSamples({ organizationId, meter, insights }: Measuring): Promise<Consumptions> {
  const { platform, newSession, newGuest } = samePlatform(organizationId, 'samples');
  const [session, guest] = [newSession('/team/demo'), newGuest()];
  const joined = platform.joined(session, guest);
  await insights.record(joined);
  const from = Date.parse(joined.createdAt);
  const at = (minutes: number) => new Date(from + minutes * minuteMs).toISOString();
  const { roomSessionId } = session;
  const { participantId } = guest;
  const client = { roomSessionId, participantId };
  const random = createRandom('samples', 1);
  const minutes = createSamples(random, client, { from, to: from + 60 * minuteMs }, 'good');
  const [first, ...others] = minutes.map(({ data }) => platform.sampled(data));
  if (!first) throw new Error('There are no samples.');
  const record = () => meter.measure(() => insights.record(first));
  const [minute, again] = [await record(), await record()];
  for (const event of others) await insights.record(event);
  const intervals = Array.from({ length: 6 }, (_, index) => ({
    from: new Date(from + index * 9_750).toISOString(),
    to: new Date(from + index * 9_750 + 4_321).toISOString(),
  }));
  const spoke = platform.spoke({ ...client, intervals });
  const recordSpeech = () => meter.measure(() => insights.record(spoke));
  const [speech, speechAgain] = [await recordSpeech(), await recordSpeech()];
  const detail = (range: Record<string, string>) =>
    meter.measure(() => insights.get('participant', organizationId, { ...client, ...range }));
  const network = (range: Record<string, string>) =>
    meter.measure(() => insights.get('network', organizationId, { roomSessionId, ...range }));
  return {
    'a minute of network samples': minute,
    'a minute of network samples, again': again,
    'a minute of speech': speech,
    'a minute of speech, again': speechAgain,
    'detail of a participant, an hour': await detail({}),
    'detail of a participant, the last ten minutes of an hour': await detail({ from: at(50) }),
    'detail of a participant, the first ten minutes of an hour': await detail({ to: at(10) }),
    'network of a session with samples of one, an hour': await network({}),
    'network of a session with samples of one, the last ten minutes of an hour': await network({ from: at(50) }),
  };
}

/** The units of the last query that read a session's log from its beginning. */
function readsOfLog({ calls }: CapacityMeter): number {
  const isOfLog = ({ input }: MeteredCall) =>
    (input.ExpressionAttributeValues as Readonly<Record<string, unknown>> | undefined)?.[':first'] ===
    blocksAfter(0)[0];
  const last = calls.findLast((call) => call.command === 'Query' && isOfLog(call));
  return Object.values(last?.units ?? {}).reduce((sum, units) => sum + units, 0);
}
