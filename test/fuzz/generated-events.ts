import fc from 'fast-check';
import { fitting } from '../support/media/fitting.ts';
import { type AnyEvent, eventSchema, type Schema } from './event-rules.ts';

const dayMs = 86_400_000;
const hundredYearsMs = 36_525 * dayMs;

/** Moments around a meeting, in milliseconds: clocks may differ by five seconds. */
const moments = [0, 1, 4999, 5000, 5001, 10_000];

/**
 * Times, mostly of one meeting, in the spellings that are accepted. A few do not exist, or are too far away. Those of
 * recordings and transcriptions can be any: a connection and its samples are not years apart, or their series would fill the memory.
 */
function times(name: string, now: number): fc.Arbitrary<string> {
  const usual = fc.integer({ min: now - 2 * dayMs, max: now });
  const tooFar = { min: now + hundredYearsMs, max: now + 2 * hundredYearsMs };
  const far = fc.integer(/^(start|end)Date$/.test(name) ? { ...tooFar, min: now - 400 * dayMs } : tooFar);
  const meeting = fc.constantFrom(...moments).map((ms) => now - 3_600_000 + ms);
  const hasMoments = name === 'createdAt' || name === 'startedAt';
  const near = fc.oneof({ weight: hasMoments ? 9 : 1, arbitrary: meeting }, usual);
  const spelt = fc
    .tuple(fc.oneof({ weight: 60, arbitrary: near }, far), fc.constantFrom('Z', '+00:00', '+0130', '-09:30'))
    .map(([ms, zone]) => {
      const [, sign = '+', hours = 0, minutes = 0] = /([+-])(\d\d):?(\d\d)/.exec(zone) ?? [];
      const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
      return new Date(ms + offsetMs).toISOString().replace('Z', zone);
    });
  const odd = fc.constantFrom(
    '2026-02-30T09:00:00Z',
    '2026-01-01T24:00Z',
    '9999-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
  );
  return fc.oneof({ weight: 100, arbitrary: spelt }, odd);
}

const numbered = (count: number, name: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => name(index));
/** Ids of sessions, recordings and transcriptions that many events name. */
export const poolOfIds = numbered(2, (digit) => `00000000-0000-4000-8000-00000000abc${digit}`);

/** Types that meet each other are made more often. */
const weights: Readonly<Record<string, number>> = {
  'room.client.joined': 6,
  'room.client.left': 4,
  'room.client.rated': 3,
  'room.client.sampled': 3,
  'room.client.spoke': 2,
  'fact.retracted': 2,
};

/** One byte more than the identifiers and the names of rooms can have, but fewer characters. */
const tooLong = [`x${'é'.repeat(128)}`, `/${'é'.repeat(256)}`];

/**
 * Events made from their JSON Schema. Ids and names mostly come from pools of two, so that events meet each other, and buckets and
 * keys from those that mean something to the service. One of five events is damaged.
 */
export function generatedEvent(
  organizations: readonly string[],
  now: number,
  buckets: Readonly<Record<string, string>>,
): fc.Arbitrary<AnyEvent> {
  const pools: Readonly<Record<string, readonly string[]>> = {
    ...Object.fromEntries(['recordingId', 'transcriptionId'].map((name) => [name, poolOfIds])),
    roomSessionId: [...poolOfIds, ...poolOfIds, ...poolOfIds.map((id) => id.toUpperCase())],
    ...Object.fromEntries(['id', 'eventId'].map((name) => [name, numbered(30, (number) => `evt-${number}`)])),
    roomName: ['/a', '/é🎙'],
    participantId: ['p-1', '\ud83c\udf99'],
    roleName: ['host', 'recorder', 'streamer', 'captioner'],
    bucket: [...Object.values(buckets), 'a..b', '192.168.1.1', 'xn--a'],
    key: organizations.flatMap((each) => poolOfIds.map((id) => `live/${each}/${id}/a.vtt`)),
  };
  const choose = (name: string, own: Schema): fc.Arbitrary<unknown> | undefined => {
    if (name === 'organizationId') return fc.constantFrom(...organizations);
    if (name === 'sampleRateMs') return fc.constantFrom(2000, 5000, 60_000, 3_600_000); // of two days, as many as an answer has
    if (own.format === 'date-time') return times(name, now);
    const pool = pools[name];
    if (!pool) return undefined;
    const ofPool = { weight: 60, arbitrary: fc.constantFrom(...pool) };
    return fc.oneof(ofPool, { weight: 2, arbitrary: fitting(own) }, fc.constantFrom(...tooLong));
  };
  const whole = fc.oneof(
    ...Object.entries(eventSchema.$defs).map(([type, each]) => ({
      weight: weights[type] ?? 1,
      arbitrary: fitting(each, choose),
    })),
  );
  return fc
    .tuple(whole, fc.nat(9), damage)
    .map(([event, dice, change]) => change(dice > 0 ? consistent(event as Event, buckets) : (event as Event)));
}

type Event = { readonly type: string; readonly organizationId: string; readonly data: Record<string, unknown> };
const series = ['packetLossSend', 'packetLossRecv', 'bitrateSend', 'bitrateRecv'];

/** Fields that are made independently rarely fit each other: the lengths of series, the order of dates, the folder of a file. */
function consistent(event: Event, buckets: Readonly<Record<string, string>>): Event {
  const data = { ...event.data };
  if (event.type === 'room.client.sampled') for (const name of series) data[name] = data[series[0] ?? ''];
  if (event.type === 'room.client.spoke') data.intervals = (data.intervals as Interval[]).slice(0, 5).map(forwards);
  const { startDate, endDate } = data;
  if (typeof endDate === 'string' && Date.parse(endDate) < Date.parse(String(startDate)))
    Object.assign(data, { startDate: endDate, endDate: startDate });
  const location = data.location as { readonly bucket: string } | undefined;
  if (event.type === 'recording.finished') Object.assign(data, consistentFiles(data, buckets));
  else if (location?.bucket === buckets.transcripts) {
    const folder = `live/${event.organizationId}/${String(data.transcriptionId).toLowerCase()}`;
    data.location =
      event.type === 'recording.track.finished'
        ? { ...location, bucket: 'others' }
        : { ...location, key: `${folder}/a.vtt` };
  }
  return { ...event, data };
}

type Interval = { readonly from: string; readonly to: string };

/** An interval that ends at its start or later, and within a day. One that would last longer ends at its start. */
function forwards({ from, to }: Interval): Interval {
  const [first, last] = Date.parse(from) <= Date.parse(to) ? [from, to] : [to, from];
  return { from: first, to: Date.parse(last) - Date.parse(first) <= dayMs ? last : first };
}

type Files = {
  readonly location?: { readonly bucket: string };
  readonly filename?: string;
  readonly tracks?: readonly Readonly<Record<string, unknown>>[];
};

/** A recording with a file or tracks, few of them, none of them twice, and without files of transcripts. */
function consistentFiles({ location, filename = 'a.wav', tracks }: Files, buckets: Readonly<Record<string, string>>) {
  const ofRecording = <File extends { readonly bucket: string }>(file: File) =>
    file.bucket === buckets.transcripts ? { ...file, bucket: 'others' } : file;
  const few = (tracks ?? []).slice(0, 3).map((track, index) => {
    const ends = track.endDate !== undefined && { endDate: track.startDate };
    const file = ofRecording(track.location as { readonly bucket: string });
    return { ...track, ...ends, participantId: `${index}`, location: file };
  });
  const hasTracks = few.length > 0;
  return {
    ...(hasTracks && { tracks: few }),
    ...((location || !hasTracks) && { filename, location: ofRecording(location ?? { bucket: 'others', key: 'a' }) }),
  };
}

const junk = fc.oneof(
  fc.constantFrom(null, true, '', '\0', '\ud800', [], {}, -1, 1e300, 'x'.repeat(6000)),
  fc.string({ unit: 'binary' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.array(fc.string(), { maxLength: 60 }),
);

/** Leaves four of five events as they are. Otherwise replaces or removes a field at any depth, or adds one that is ignored. */
const damage: fc.Arbitrary<(event: Event) => AnyEvent> = fc
  .tuple(fc.nat(19), fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), junk)
  .map(([dice, steps, value]) => (event) => {
    if (dice >= 4) return event;
    if (dice === 0) {
      const unknown = { unknown: value, isNonParticipant: true }; // the service's own mark of a join
      return { ...event, ...unknown, data: { ...event.data, ...unknown } };
    }
    return changed(event, steps, dice === 1 ? undefined : { value }) as AnyEvent;
  });

/** Follows steps into a value, and replaces or removes what is there. */
function changed(target: unknown, [step = 0, ...deeper]: readonly number[], to?: { readonly value: unknown }): unknown {
  const isList = Array.isArray(target);
  const names = typeof target === 'object' && target !== null ? Object.keys(target) : [];
  const name = names[step % names.length];
  if (name === undefined) return to?.value ?? null;
  const inner = (target as Record<string, unknown>)[name];
  const isEnd = deeper.length === 0 || typeof inner !== 'object' || inner === null;
  const value = isEnd ? to?.value : changed(inner, deeper, to);
  if (isList) return target.with(Number(name), value ?? null);
  const { [name]: _, ...others } = target as Record<string, unknown>;
  return isEnd && !to ? others : { ...others, [name]: value };
}
