import { type ParticipantSessionDetail, sampleSeries } from '#shared/contracts/insights/insights.ts';
import type { SampleBlock } from '#shared/contracts/insights/network-samples.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import type { ConnectionEvents } from './connection-events.ts';
import { clockToleranceMs } from './session/session-projection.ts';

/** A sample that comes early by up to this part of an interval counts for the next interval. */
const earlyTolerance = 0.1;
/** A day at ten samples per second. More would exceed the size of a response and a function's memory. */
const maxSamples = 864_000;

/** At most an hour and 150 KB per item, so that reading a time range does not read far before its start. */
export const maxBlock = { lengthMs: 3_600_000, samples: 1_800 } as const;

/** A stored block counts as at least this many samples, because it takes memory and time of its own. */
const minCountedSamples = 10;

/** What a block counts towards the samples that an answer may have. */
export function countedSamples({ packetLossSend }: Pick<SampleBlock, 'packetLossSend'>): number {
  return Math.max(minCountedSamples, packetLossSend.length);
}

/** The requested time range: from `from` on and before `to`. */
export type TimeRange = { readonly from?: string | undefined; readonly to?: string | undefined };

/** Cuts the samples of an event into blocks, each of which is stored as one item. */
export function splitIntoBlocks(samples: SampleBlock): SampleBlock[] {
  const { startedAt, sampleRateMs } = samples;
  const size = Math.max(1, Math.min(maxBlock.samples, Math.floor(maxBlock.lengthMs / sampleRateMs)));
  const total = samples.packetLossSend.length;
  return Array.from({ length: Math.ceil(total / size) }, (_, index) => {
    const [first, end] = [index * size, (index + 1) * size];
    return {
      startedAt: new Date(Date.parse(startedAt) + first * sampleRateMs).toISOString(),
      sampleRateMs,
      ...forEachSeries((name) => samples[name].slice(first, end)),
    };
  });
}

/** Throws `InvalidRequest` if a series would have more elements, samples and gaps, than a response can carry. */
export function refuseTooMany(samples: number): void {
  if (samples <= maxSamples) return;
  const message = `must narrow the answer: it would have more than ${maxSamples} elements in each series`;
  throw new InvalidRequest(['from', 'to'].map((path) => ({ path, message })));
}

/**
 * The connections, in their order, each with its samples as evenly spaced series. `blocks` are in the order of their start; if two
 * have the same interval, the later one counts. Clients expect a `sampleRateMs` of every connection, so one without samples has
 * `defaultSampleRateMs`. Throws `InvalidRequest` if the series are too long.
 */
export function participantDetails(
  connections: readonly ConnectionEvents[],
  blocks: readonly SampleBlock[],
  range: TimeRange,
  defaultSampleRateMs: number,
): ParticipantSessionDetail[] {
  const starts = connections.map(({ joined }) => Date.parse(joined.createdAt));
  const byConnection = Map.groupBy(blocks, ({ startedAt }) => connectionAt(starts, Date.parse(startedAt)));
  const grids = starts.map((start, index) => gridOf(start, byConnection.get(index) ?? [], range));
  refuseTooMany(grids.reduce((sum, { end, first }) => sum + end - first, 0));
  return connections.map(({ joined: { createdAt, data }, events }, index) => {
    const grid = grids[index] as Grid; // one for each connection
    return {
      displayName: data.displayName,
      userRole: data.roleName,
      userAgent: data.userAgent ?? '',
      timeStamp: createdAt,
      samplesFrom: new Date(grid.start + grid.first * (grid.rateMs ?? 0)).toISOString(),
      sampleRateMs: grid.rateMs ?? defaultSampleRateMs,
      samples: forEachSeries((name) => seriesOf(grid, byConnection.get(index) ?? [], name)),
      events: [...events],
    };
  });
}

/** The last connection that had begun at that time, or the first one for an earlier time. */
function connectionAt(starts: readonly number[], at: number): number {
  return Math.max(
    0,
    starts.findLastIndex((start) => start <= at + clockToleranceMs),
  );
}

/** The intervals of one connection in the response, from number `first` (counted from the join) to the one before `end`. */
type Grid = { readonly start: number; readonly rateMs: number | null; readonly first: number; readonly end: number };

function gridOf(start: number, blocks: readonly SampleBlock[], { from, to }: TimeRange): Grid {
  if (blocks.length === 0) return { start, rateMs: null, first: 0, end: 0 };
  const rateMs = blocks.map(({ sampleRateMs }) => sampleRateMs).reduce((one, other) => Math.min(one, other));
  const intervalAt = (time: string) => Math.max(0, Math.ceil((Date.parse(time) - start) / rateMs));
  const afterLast = blocks
    .map((block) => intervalsOf(block, start, rateMs)(block.packetLossSend.length - 1) + 1)
    .reduce((one, other) => Math.max(one, other));
  const first = from === undefined ? 0 : intervalAt(from);
  const end = to === undefined ? afterLast : Math.min(afterLast, intervalAt(to));
  return { start, rateMs, first, end: Math.max(first, end) };
}

/** The interval number of each sample of a block. Intervals before the join have negative numbers. */
function intervalsOf(
  { startedAt, sampleRateMs }: SampleBlock,
  start: number,
  rateMs: number,
): (sample: number) => number {
  const blockStart = Date.parse(startedAt);
  return (sample) => Math.floor((blockStart + sample * sampleRateMs - start) / rateMs + earlyTolerance);
}

function seriesOf({ start, rateMs, first, end }: Grid, blocks: readonly SampleBlock[], name: SeriesName) {
  const series = new Array<number | null>(end - first).fill(null);
  if (rateMs === null) return series;
  for (const block of blocks) {
    const intervalOf = intervalsOf(block, start, rateMs);
    block[name].forEach((value, sample) => {
      const interval = intervalOf(sample);
      if (interval >= first && interval < end) series[interval - first] = value;
    });
  }
  return series;
}

type SeriesName = (typeof sampleSeries)[number];

function forEachSeries<Value>(make: (name: SeriesName) => Value): Record<SeriesName, Value> {
  return Object.fromEntries(sampleSeries.map((name) => [name, make(name)])) as Record<SeriesName, Value>;
}
