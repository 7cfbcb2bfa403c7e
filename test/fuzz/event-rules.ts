import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** A JSON Schema, as far as this folder reads it. */
export type Schema = Readonly<Record<string, unknown>>;
/** An event with any content. */
export type AnyEvent = {
  readonly [field: string]: unknown;
  readonly type?: unknown;
  readonly organizationId?: unknown;
};
type Data = Readonly<Record<string, unknown>>;

/** The published schema of the events. */
export const eventSchema = JSON.parse(readFileSync('docs/events.schema.json', 'utf8')) as {
  readonly $defs: Readonly<Record<string, Schema>>;
};

// Lengths count UTF-16 units, as the schema says in words.
const ajv = new Ajv2020({ strict: false, logger: false, unicode: false });
formats.default(ajv, ['uuid']);
ajv.addFormat('date-time', (text) => {
  const year = momentOf(text).getUTCFullYear(); // NaN for an hour or a month that does not exist
  return year >= 1970 && year <= 9998 && isDay(text.slice(0, 10));
});
const conforms = ajv.compile(eventSchema);

const dayMs = 86_400_000;
/** The local runner accepts events of a hundred years. */
const mostDays = 36_500;
const series = ['packetLossSend', 'packetLossRecv', 'bitrateSend', 'bitrateRecv'];

/** What the rules need to know besides the event. */
export type Sent = { readonly at: number; readonly transcriptsBucket: string };

/**
 * Why an event by itself must be refused: it does not match the schema, or breaks a rule that the text of a field states.
 * Undefined if it must be accepted, unless an earlier event is in its way. Shares no code with the service.
 */
export function brokenRule(event: AnyEvent, sent: Sent): string | undefined {
  if (!conforms(event))
    return ajv.errorsText(conforms.errors?.filter(({ keyword }) => keyword !== 'oneOf').slice(0, 2));
  const definition = eventSchema.$defs[String(event.type)] ?? {};
  for (const [text, description] of textsOf(definition, event)) {
    const broken = brokenText(text, description);
    if (broken !== undefined) return broken;
  }
  return brokenTime(event, sent) ?? brokenData(event, sent);
}

/** The rules of a text that its description states in words. */
function brokenText(text: string, description: string): string | undefined {
  if (!text.isWellFormed()) return 'a lone surrogate';
  const [, bytes] = /At most (\d+) bytes of UTF-8/i.exec(description) ?? [];
  if (bytes !== undefined && Buffer.byteLength(text) > Number(bytes)) return `more than ${bytes} bytes`;
  if (description.includes('without NUL') && text.includes('\0')) return 'NUL';
  if (description.includes('No control characters') && /\p{Cc}/u.test(text)) return 'a control character';
  const isNoSegment = (segment: string) => ['', '.', '..'].includes(segment);
  return description.includes('No segment is empty') && text.split('/').some(isNoSegment) ? 'no segment' : undefined;
}

function brokenTime({ createdAt, ...event }: AnyEvent, { at }: Sent): string | undefined {
  const data = event.data as Data;
  const elements = { 'recording.finished': data.tracks, 'room.client.spoke': data.intervals }[String(event.type)];
  const timed = [data, ...((elements as Data[] | undefined) ?? [])];
  const inData = timed.flatMap(({ startDate, endDate, startedAt, from, to }) => [
    startDate,
    endDate,
    startedAt,
    from,
    to,
  ]);
  const times = [createdAt, ...inData];
  const isFar = (time: string) => Math.abs(momentOf(time).getTime() - at) > mostDays * dayMs;
  if (times.some((time) => typeof time === 'string' && isFar(time))) return 'a time far away';
  const isBackwards = ({ startDate, endDate, from, to }: Data) =>
    (typeof endDate === 'string' && momentOf(endDate) < momentOf(String(startDate))) ||
    (event.type === 'room.client.spoke' && typeof to === 'string' && momentOf(to) < momentOf(String(from)));
  return timed.some(isBackwards) ? 'an end before its start' : undefined;
}

function brokenData(event: AnyEvent, { transcriptsBucket }: Sent): string | undefined {
  const data = event.data as Data;
  const location = data.location as { readonly bucket: string; readonly key: string } | undefined;
  if (event.type === 'room.client.sampled') {
    const lengths = series.map((name) => (data[name] as unknown[]).length);
    if (new Set(lengths).size > 1) return 'series of different lengths';
    return (lengths[0] ?? 0) * Number(data.sampleRateMs) > dayMs ? 'samples of more than a day' : undefined;
  }
  if (event.type === 'room.client.updated')
    return (data.deviceId ?? data.spokenSeconds ?? null) === null ? 'no device, no seconds' : undefined;
  if (event.type === 'room.client.spoke') {
    const moments = (data.intervals as Data[]).flatMap(({ from, to }) =>
      [from, to].map((time) => momentOf(String(time))),
    );
    return Math.max(...moments.map(Number)) - Math.min(...moments.map(Number)) > dayMs
      ? 'speech of more than a day'
      : undefined;
  }
  if (event.type === 'fact.retracted') return (data.roomName ?? data.roomSessionId) ? undefined : 'no room, no session';
  if (event.type === 'recording.finished' || event.type === 'recording.track.finished')
    return brokenRecording(data as Recording, transcriptsBucket);
  if (location?.bucket !== transcriptsBucket) return undefined;
  const folder = `live/${event.organizationId}/${String(data.transcriptionId).toLowerCase()}/`;
  return location.key.startsWith(folder) ? undefined : 'a key of another transcription';
}

type Recording = Track & { readonly filename?: string; readonly tracks?: readonly Track[] };
type Track = Readonly<Record<'participantId' | 'startDate' | 'source', string | undefined>> & {
  readonly location?: { readonly bucket: string };
};

function brokenRecording({ location, filename, tracks = [], ...data }: Recording, transcriptsBucket: string) {
  if ([location, ...tracks.map((track) => track.location)].some((each) => each?.bucket === transcriptsBucket))
    return 'the bucket of transcripts';
  if (data.participantId !== undefined) return undefined; // one track
  if (!location && tracks.length === 0) return 'no location, no tracks';
  if (location && filename === undefined) return 'a location without a filename';
  const names = tracks.map(({ participantId, startDate, source = 'microphone' }) =>
    JSON.stringify([participantId, momentOf(String(startDate)).getTime(), source]),
  );
  return new Set(names).size < names.length ? 'a track twice' : undefined;
}

/** Each text of a known field, with the description of the field. */
function* textsOf(schema: Schema, value: unknown): Generator<readonly [text: string, description: string]> {
  if (typeof value === 'string') yield [value, String(schema.description)];
  if (Array.isArray(value)) for (const each of value) yield* textsOf((schema.items ?? {}) as Schema, each);
  else if (typeof value === 'object' && value !== null) {
    const alternatives = [schema, ...((schema.anyOf ?? []) as readonly Schema[])];
    const properties = alternatives.flatMap((each) =>
      Object.entries((each.properties ?? {}) as Record<string, Schema>),
    );
    for (const [name, property] of properties) yield* textsOf(property, (value as Data)[name]);
  }
}

/** JavaScript takes 30 February for a day in March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** `+0100` is as good as `+01:00`. */
function momentOf(text: string): Date {
  return new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
}
