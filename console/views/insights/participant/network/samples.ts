import type { ParticipantSessionDetail } from '../../../../../client/types.ts';
import type { TimeWindow } from '../../../../parts/time-window/window.ts';

/** The four series of network samples. */
export const seriesNames = ['packetLossSend', 'packetLossRecv', 'bitrateSend', 'bitrateRecv'] as const;
/** One of the four series. */
export type SeriesName = (typeof seriesNames)[number];

/** Samples at equal distances. A value that is missing is NaN. */
export type Series = { readonly from: number; readonly rateMs: number; readonly values: Float64Array };

/** One stay of a participant with its samples, in pieces in the order of time. */
export type Connection = Pick<ParticipantSessionDetail, 'displayName' | 'userRole' | 'userAgent' | 'events'> & {
  readonly joinedAt: number;
  /** When it ended, if that was told. */
  readonly leftAt: number | undefined;
  readonly pieces: readonly (Pick<Series, 'from' | 'rateMs'> & Readonly<Record<SeriesName, Float64Array>>)[];
};

/** A time as the API writes it. */
export function isoOf(time: number | undefined): string | undefined {
  return time === undefined ? undefined : new Date(time).toISOString();
}

/** The connections of an answer, with the samples that it has. */
export function connectionsOf(details: readonly ParticipantSessionDetail[]): Connection[] {
  return details.map((detail) => {
    const { displayName, userRole, userAgent, events, timeStamp } = detail;
    const left = events.findLast(({ type }) => type === 'left');
    const leftAt = left && Date.parse(left.timeStamp);
    return {
      displayName,
      userRole,
      userAgent,
      events,
      joinedAt: Date.parse(timeStamp),
      leftAt,
      pieces: piecesOf(detail),
    };
  });
}

function piecesOf({ samplesFrom, sampleRateMs, samples }: ParticipantSessionDetail): Connection['pieces'] {
  if (Object.values(samples).every((series) => series.every((sample) => sample === null))) return [];
  const { packetLossSend, packetLossRecv, bitrateSend, bitrateRecv } = samples;
  return [
    {
      from: Date.parse(samplesFrom),
      rateMs: sampleRateMs,
      packetLossSend: numbersOf(packetLossSend),
      packetLossRecv: numbersOf(packetLossRecv),
      bitrateSend: numbersOf(bitrateSend),
      bitrateRecv: numbersOf(bitrateRecv),
    },
  ];
}

function numbersOf(samples: readonly (number | null)[]): Float64Array {
  return Float64Array.from(samples, (sample) => sample ?? Number.NaN);
}

/**
 * Adds the samples of a later window to the connections that are known. A connection is the same if it began at the same time, as the same of those
 * that began then. The later answer counts for its events.
 */
export function withWindow(known: readonly Connection[], later: readonly Connection[]): Connection[] {
  const before = new Map(keysOf(known).map((key, index) => [key, known[index]]));
  const keys = keysOf(later);
  return later.map((connection, index) => ({
    ...connection,
    pieces: [...(before.get(keys[index] ?? '')?.pieces ?? []), ...connection.pieces],
  }));
}

function keysOf(connections: readonly Connection[]): string[] {
  const counts = new Map<number, number>();
  return connections.map(({ joinedAt }) => {
    const count = (counts.get(joinedAt) ?? 0) + 1;
    counts.set(joinedAt, count);
    return `${joinedAt} ${count}`;
  });
}

/** One series of a connection, piece by piece. */
export function seriesOf({ pieces }: Connection, name: SeriesName): Series[] {
  return pieces.map((piece) => ({ from: piece.from, rateMs: piece.rateMs, values: piece[name] }));
}

/** So many samples of one series come in one answer: parsing it must not keep the page busy. */
const mostSamples = 15_000;
const [shortest, longest] = [10 * 60_000, 12 * 3_600_000];
/** The first answer tells how far samples are apart. */
const first = 60 * 60_000;

/** The next window of samples to fetch. `rateMs` is how far they are apart, if that is known. */
export function nextWindow(from: number, to: number, rateMs: number | undefined): TimeWindow {
  const length = rateMs === undefined ? first : Math.min(longest, Math.max(shortest, mostSamples * rateMs));
  return { from, to: Math.min(to, from + length) };
}

/** How far the samples of connections are apart, or undefined without samples. */
export function rateOf(connections: readonly Connection[]): number | undefined {
  const rates = connections.flatMap(({ pieces }) => pieces.map(({ rateMs }) => rateMs));
  return rates.length === 0 ? undefined : rates.reduce((least, rate) => Math.min(least, rate));
}

/**
 * Puts connections into as few lanes as possible so that in no lane two have samples at the same time: each lane is one line of a chart. Mostly
 * there is one, because a person is seldom connected twice at once.
 */
export function lanesOf(connections: readonly Connection[]): Connection[][] {
  const lanes: { readonly connections: Connection[]; end: number }[] = [];
  for (const connection of connections) {
    const [begin] = connection.pieces;
    const last = connection.pieces.at(-1);
    if (!begin || !last) continue;
    const end = last.from + last.packetLossSend.length * last.rateMs;
    const lane = lanes.find((each) => each.end <= begin.from + begin.rateMs);
    if (lane) {
      lane.connections.push(connection);
      lane.end = end;
    } else lanes.push({ connections: [connection], end });
  }
  return lanes.map(({ connections: all }) => all);
}
