import { type AnyEvent, eventSchema, type Schema } from './event-rules.ts';

type Values = Readonly<Record<string, unknown>>;
/** A field of an event, as the names that lead to it. */
type Field = { readonly path: readonly string[]; readonly schema: Schema };
type Example = AnyEvent & { readonly data: Values };
/** Changes one field of an example to a bound of its schema, or just beyond it. `key` names the field, the bound and the side. */
type Change = { readonly key: string; readonly definition: Schema; readonly change: (event: Example) => AnyEvent };

const dayMs = 86_400_000;
const series = ['packetLossSend', 'packetLossRecv', 'bitrateSend', 'bitrateRecv'];
/** Stands for a field that is left out. */
const absent = Symbol('absent');
/** Texts that break patterns. Only those that break the pattern at hand are used. */
const oddTexts = ['?', 'a', '\0', '/\0', '../a', 'a//b', 'A B', '2026-01-01T09:00:00', '192.168.1.1_', '\u007f'];

/**
 * Events that lie at each bound of the schema, and that break each of its constraints on purpose. A constraint that several types
 * share is tried with one of them, which `seed` chooses. Each event has a session, a recording and a file of its own.
 */
export function boundEvents(seed: number, now: number, organizationOf: (index: number) => string): AnyEvent[] {
  const all = Object.values(eventSchema.$defs).flatMap((definition) => [...changesOf(definition, now)]);
  const byKey = Map.groupBy(all, ({ key }) => key);
  return [...byKey.values()].map((same, index) => {
    const { definition, change } = same[seed % same.length] as Change;
    return change(exampleOf(definition, { now, organizationId: organizationOf(index), index }));
  });
}

function* changesOf(definition: Schema, now: number): Generator<Change> {
  for (const { path, schema } of fieldsOf(definition)) {
    for (const [bound, value] of valuesAround(schema, path.at(-1) ?? ''))
      yield {
        key: `${path.join('.')} ${schema.anyOf ? '(alternatives) ' : ''}${bound}`,
        definition,
        change: (event) => withValue(event, path, value) as AnyEvent,
      };
  }
  const [{ type }] = definition.examples as readonly [AnyEvent];
  for (const [key, data] of beyondRules(String(type), now))
    yield { key, definition, change: (event) => ({ ...event, data: { ...event.data, ...data } }) };
}

/** Values that break what a schema says of several fields together. */
function beyondRules(type: string, now: number): readonly (readonly [rule: string, data: Values])[] {
  const at = (ms: number) => new Date(now + ms).toISOString();
  const samples = (count: number) => Object.fromEntries(series.map((name) => [name, Array(count).fill(1)]));
  if (type === 'room.client.sampled')
    return [
      ['a day of samples', { ...samples(24), sampleRateMs: 3_600_000 }],
      ['more than a day of samples', { ...samples(25), sampleRateMs: 3_600_000 }],
      ['a longer series', { bitrateSend: [1, 1] }],
      ['a shorter series', { ...samples(2), packetLossRecv: [1] }],
    ];
  if (type === 'room.client.spoke')
    return [
      ['a day of speech', { intervals: [{ from: at(-dayMs), to: at(0) }] }],
      ['more than a day of speech', { intervals: [{ from: at(-dayMs), to: at(1) }] }],
      ['more than a day of two intervals', { intervals: [-dayMs, 1].map((ms) => ({ from: at(ms), to: at(ms) })) }],
      ['an interval that ends before its start', { intervals: [{ from: at(0), to: at(-1) }] }],
      ['an interval too far away', { intervals: [newInterval(now + 40_000 * dayMs)] }],
    ];
  if (type === 'fact.retracted') return [['no room and no session', { roomName: null, roomSessionId: null }]];
  if (type !== 'recording.finished' && type !== 'transcription.finished') return [];
  const ofRecording =
    type === 'recording.finished' &&
    ([
      ['no location and no tracks', { location: undefined, tracks: undefined, filename: undefined }],
      ['a location without a filename', { filename: undefined }],
      ['a track twice', { tracks: Array(2).fill(newTrack(now)) }],
      ['a track that ends before its start', { tracks: [{ ...newTrack(now), endDate: at(-1) }] }],
      ['a track too far away', { tracks: [newTrack(now + 40_000 * dayMs)] }],
    ] as const);
  return [
    ...(ofRecording || []),
    ['equal dates', { startDate: at(0), endDate: at(0) }],
    ['an end before its start', { startDate: at(1), endDate: at(0) }],
    ['a start too far away', { startDate: at(40_000 * dayMs), endDate: at(40_001 * dayMs) }],
  ];
}

let tracksMade = 0;
/** A track of a participant and a file that no other event names. */
function newTrack(startsAt: number) {
  tracksMade += 1;
  const location = { bucket: 'others', key: `track-${tracksMade}-of-${process.pid}` };
  return { participantId: `p-${tracksMade}`, location, startDate: new Date(startsAt).toISOString() };
}

function newInterval(startsAt: number) {
  return { from: new Date(startsAt - 1000).toISOString(), to: new Date(startsAt).toISOString() };
}

type Own = { readonly now: number; readonly organizationId: string; readonly index: number };

/** The example of a type, with a session, a recording and a file that no other event names. */
function exampleOf({ examples }: Schema, { now, organizationId, index }: Own): Example {
  const [example] = examples as readonly [Example];
  const data: Record<string, unknown> = { ...example.data };
  const own = `00000000-0000-4000-9000-${String(index).padStart(12, '0')}`;
  const values = {
    ...Object.fromEntries(['roomSessionId', 'recordingId', 'transcriptionId'].map((name) => [name, own])),
    ...Object.fromEntries(['startDate', 'endDate', 'startedAt'].map((name) => [name, new Date(now).toISOString()])),
    ...Object.fromEntries(series.map((name) => [name, [1]])),
    location: { bucket: 'others', key: `${organizationId}/${index}` },
    tracks: [newTrack(now)],
    intervals: [newInterval(now)],
  };
  for (const [name, value] of Object.entries(values)) if (name in data) data[name] = value;
  return { ...example, id: `bound-${index}`, organizationId, createdAt: new Date(now).toISOString(), data };
}

/** Each field at any depth. Alternatives of a field have the same path. */
function* fieldsOf(schema: Schema, path: readonly string[] = []): Generator<Field> {
  yield { path, schema };
  const alternatives = [schema, ...((schema.anyOf ?? []) as readonly Schema[])];
  for (const each of alternatives)
    for (const [name, property] of Object.entries((each.properties ?? {}) as Record<string, Schema>)) {
      yield* fieldsOf(property, [...path, name]);
      const items = property.items as Schema | undefined;
      if (items?.properties) yield* fieldsOf(items, [...path, name, '0']);
    }
}

/** Values of a field at each bound and beyond it. */
function* valuesAround(schema: Schema, name: string): Generator<readonly [bound: string, value: unknown]> {
  if (name === '') return;
  const alternatives = (schema.anyOf ?? [schema]) as readonly Schema[];
  const types = alternatives.map(({ type }) => type);
  yield ['left out', absent];
  yield ['of another type', types.includes('boolean') ? 7 : true];
  yield ['null', null];
  for (const each of alternatives) {
    if (each.type === 'string') yield* textsAround(each, String(schema.description));
    if (each.type === 'number' || each.type === 'integer') yield* numbersAround(each);
    if (each.type === 'array') yield* listsAround(each, name);
    if ('const' in each) yield ['another constant', typeof each.const === 'number' ? each.const + 1 : 'other'];
  }
}

function* textsAround(schema: Schema, description: string): Generator<readonly [string, unknown]> {
  const { minLength = 0, maxLength = 0, pattern, format, allOf = [] } = schema;
  const patterns = [pattern, ...(allOf as readonly Schema[]).map((each) => each.pattern)].filter((each) => each);
  const first = String(patterns[0]).startsWith('^\\/') ? '/' : 'x';
  const text = (length: number) => (length > 0 ? first + 'x'.repeat(length - 1) : '');
  if (schema.enum) yield ['another word', 'OTHER'];
  if (Number(minLength) > 0)
    for (const less of [0, 1]) yield [`minLength ${minLength} - ${less}`, text(Number(minLength) - less)];
  if (Number(maxLength) > 0)
    for (const more of [0, 1]) yield [`maxLength ${maxLength} + ${more}`, text(Number(maxLength) + more)];
  const [, bytes] = /At most (\d+) bytes of UTF-8/i.exec(description) ?? [];
  if (bytes) yield [`${bytes} bytes + 1`, first + 'é'.repeat(Number(bytes) / 2)];
  const breaks = (odd: string) => patterns.some((each) => !new RegExp(String(each), 'u').test(odd));
  for (const odd of oddTexts.filter(breaks).slice(0, 4))
    yield [`text ${JSON.stringify(odd)} for ${patterns.join(' ')}`, odd];
  if (format === 'date-time') yield ['a day that does not exist', '2026-02-30T09:00:00Z'];
}

function* numbersAround({ type, minimum, maximum }: Schema): Generator<readonly [string, unknown]> {
  const steps = type === 'integer' ? [0, 1] : [0, 0.001, 1];
  if (minimum !== undefined) for (const step of steps) yield [`${minimum} - ${step}`, Number(minimum) - step];
  if (maximum !== undefined) for (const step of steps) yield [`${maximum} + ${step}`, Number(maximum) + step];
  if (type === 'integer') yield ['a half', Number(minimum) + 0.5];
}

function* listsAround(
  { minItems = 0, maxItems = 0, items }: Schema,
  name: string,
): Generator<readonly [string, unknown]> {
  const { type } = items as Schema;
  const newObject = name === 'intervals' ? newInterval : newTrack;
  const itemOf = () => (type === 'object' ? newObject(Date.now()) : type === 'string' ? 'x' : 1);
  const list = (length: number) => Array.from({ length }, itemOf);
  if (Number(minItems) > 0)
    for (const less of [0, 1]) yield [`${minItems} items - ${less}`, list(Number(minItems) - less)];
  if (Number(maxItems) > 0)
    for (const more of [0, 1]) yield [`${maxItems} items + ${more}`, list(Number(maxItems) + more)];
  for (const [bound, value] of valuesAround(items as Schema, 'item'))
    if (value !== absent) yield [`item ${bound}`, [value]];
}

/** Sets or removes a field. The series of samples have equal lengths, so each list of several values is set in all of them. */
function withValue(target: unknown, [name = '', ...deeper]: readonly string[], value: unknown): unknown {
  if (Array.isArray(target))
    return target.with(Number(name), deeper.length === 0 ? value : withValue(target[Number(name)], deeper, value));
  const { [name]: inner, ...others } = (typeof target === 'object' ? target : {}) as Values;
  if (deeper.length === 0 && value === absent) return others;
  if (deeper.length === 0 && series.includes(name) && Array.isArray(value) && value.length !== 1)
    return {
      ...others,
      ...Object.fromEntries(series.map((each) => [each, value])),
      ...(value.length > 1 && { sampleRateMs: 1000 }),
    };
  const usual = name === 'location' ? { bucket: 'others', key: 'a' } : {};
  return {
    ...others,
    [name]: deeper.length === 0 ? value : withValue(typeof inner === 'object' ? inner : usual, deeper, value),
  };
}
