import { sampleSeries } from '#shared/contracts/insights/insights.ts';
import type { SampleBlock } from '#shared/contracts/insights/network-samples.ts';
import { badPacketLoss, type SessionMinute } from '#shared/contracts/insights/session-network.ts';
import { maxBlock } from '../network-series.ts';

const minuteMs = 60_000;
/** Sums have this many parts of one. Whole parts add up to the same sum in every order. */
const parts = 1000;

/**
 * Blocks by the longest time from their first sample to their last. A reader of a minute looks for short blocks in the minute before it,
 * and only for long ones in the hour before it.
 */
export const blockSpans = [
  { name: '1m', ms: minuteMs },
  { name: '10m', ms: 10 * minuteMs },
  { name: '1h', ms: maxBlock.lengthMs },
] as const;

/** The name of the shortest span that contains all samples of a block. */
export function spanOf({ sampleRateMs, packetLossSend }: SampleBlock): string {
  const lengthMs = (packetLossSend.length - 1) * sampleRateMs;
  const [longest] = blockSpans.slice(-1) as [(typeof blockSpans)[number]];
  return (blockSpans.find(({ ms }) => lengthMs < ms) ?? longest).name;
}

/**
 * What a block tells of one minute: the number of its samples, and for each series the sum of its values and their number. Empty for a
 * minute without samples.
 */
export type MinuteSums = readonly number[];

/** The samples of one participant in one minute, and their sums in thousandths and numbers by series. */
type Totals = { samples: number; readonly sums: number[]; readonly counts: number[] };

/** The start of the minute of a time. */
export function minuteOf(ms: number): number {
  return Math.floor(ms / minuteMs) * minuteMs;
}

/** The start of the first minute that begins at a time or later. */
export function minuteFrom(ms: number): number {
  return Math.ceil(ms / minuteMs) * minuteMs;
}

/** The start of the minute after one. */
export function minuteAfter(minute: number): number {
  return minute + minuteMs;
}

/** Sums up the samples of a block for each minute that it touches, from that of its first sample on. A sample without any value does not count. */
export function sumsOfMinutes(block: SampleBlock): MinuteSums[] {
  const start = Date.parse(block.startedAt);
  const minutes: MinuteSums[] = [];
  const values = sampleSeries.map((name) => block[name]);
  for (const index of block[sampleSeries[0]].keys()) {
    const minute = (minuteOf(start + index * block.sampleRateMs) - minuteOf(start)) / minuteMs;
    while (minutes.length <= minute) minutes.push([]);
    const sample = values.map((series) => series[index] ?? null);
    if (sample.some((value) => value !== null)) minutes[minute] = withSample(minutes[minute] ?? [], sample);
  }
  return minutes.map((sums) => sums.map((sum) => Math.round(sum * parts) / parts));
}

function withSample([samples = 0, ...sums]: MinuteSums, sample: readonly (number | null)[]): MinuteSums {
  const next = sample.flatMap((value, series) => [
    (sums[2 * series] ?? 0) + (value ?? 0),
    (sums[2 * series + 1] ?? 0) + (value === null ? 0 : 1),
  ]);
  return [samples + 1, ...next];
}

/** Adds up the minutes of a session. */
export type SessionMinutes = ReturnType<typeof sessionMinutes>;

/** Collects what blocks tell, in any order. It keeps only minutes that begin from `first` on and before `end`. */
export function sessionMinutes({ first, end }: { readonly first: number; readonly end: number }) {
  const byMinute = new Map<number, Map<string, Totals>>();
  return {
    /** Adds what one block of a participant tells. */
    add(participantId: string, startedAt: number, minutes: readonly MinuteSums[]): void {
      for (const [index, sums] of minutes.entries()) {
        const minute = minuteOf(startedAt) + index * minuteMs;
        if (sums.length === 0 || minute < first || minute >= end) continue;
        const people = byMinute.get(minute) ?? new Map<string, Totals>();
        byMinute.set(minute, people);
        people.set(participantId, plus(people.get(participantId), sums));
      }
    },

    /** The minutes before a time that have samples, in their order. */
    before(time: number): number[] {
      return [...byMinute.keys()].filter((minute) => minute < time).toSorted((one, other) => one - other);
    },

    /** The figures of a minute. */
    at(minute: number): SessionMinute {
      return figuresOf(minute, [...(byMinute.get(minute)?.values() ?? [])]);
    },
  };
}

function plus(totals: Totals | undefined, [samples = 0, ...sums]: MinuteSums): Totals {
  const all = totals ?? { samples: 0, sums: sampleSeries.map(() => 0), counts: sampleSeries.map(() => 0) };
  all.samples += samples;
  for (const series of sampleSeries.keys()) {
    all.sums[series] = (all.sums[series] ?? 0) + Math.round((sums[2 * series] ?? 0) * parts);
    all.counts[series] = (all.counts[series] ?? 0) + (sums[2 * series + 1] ?? 0);
  }
  return all;
}

type Means = Readonly<Record<(typeof sampleSeries)[number], number | null>>;

function meansOf({ sums, counts }: Totals): Means {
  const means = sampleSeries.map((name, series) => {
    const [sum = 0, count = 0] = [sums[series], counts[series]];
    return [name, count === 0 ? null : sum / parts / count];
  });
  return Object.fromEntries(means) as Means;
}

/** Whether a participant's minute is bad, by its mean packet loss. A direction without samples is not bad. */
export function isBadMinute({ packetLossSend, packetLossRecv }: Pick<Means, 'packetLossSend' | 'packetLossRecv'>) {
  return [packetLossSend, packetLossRecv].some((loss) => loss !== null && loss >= badPacketLoss);
}

function figuresOf(minute: number, people: readonly Totals[]): SessionMinute {
  const means = people.map(meansOf);
  const sorted = (name: keyof Means) =>
    means
      .map((each) => each[name])
      .filter((mean) => mean !== null)
      .toSorted((one, other) => one - other);
  const loss = (name: keyof Means) => {
    const values = sorted(name);
    return { median: percentile(values, 50), p95: percentile(values, 95), max: percentile(values, 100) };
  };
  const bitrate = (name: keyof Means) => {
    const values = sorted(name);
    return { median: percentile(values, 50), p5: percentile(values, 5) };
  };
  return {
    minute: new Date(minute).toISOString(),
    participants: people.length,
    samples: people.reduce((sum, { samples }) => sum + samples, 0),
    packetLossSend: loss('packetLossSend'),
    packetLossRecv: loss('packetLossRecv'),
    bitrateSend: bitrate('bitrateSend'),
    bitrateRecv: bitrate('bitrateRecv'),
    badParticipants: means.filter(isBadMinute).length,
  };
}

/** The smallest value that is at least as large as this percentage of all (nearest rank), in thousandths. Null without values. */
function percentile(sorted: readonly number[], percent: number): number | null {
  const value = sorted[Math.ceil((sorted.length * percent) / 100) - 1];
  return value === undefined ? null : Math.round(value * parts) / parts;
}
