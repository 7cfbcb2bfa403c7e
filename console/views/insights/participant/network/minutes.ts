import type { SessionMinute } from '../../../../../client/types.ts';
import { type Connection, type Series, type SeriesName, seriesNames } from './samples.ts';

/** One minute of a person: the mean of each series, or null without values. */
export type Minute = { readonly minute: number } & Readonly<Record<SeriesName, number | null>>;

/** Consecutive bad minutes: when, and the highest mean packet loss. */
export type BadRun = {
  readonly from: number;
  readonly to: number;
  readonly packetLossSend: number | null;
  readonly packetLossRecv: number | null;
};

const minuteMs = 60_000;

/** The minutes of UTC in which a person has samples, in the order of time. All connections count together. */
export function minutesOf(connections: readonly Connection[]): Minute[] {
  const sums = new Map<number, Float64Array>();
  for (const piece of connections.flatMap(({ pieces }) => pieces)) {
    for (const [minute, added] of sumsOfPiece(piece)) {
      const sum = sums.get(minute);
      if (sum) for (const [index, value] of added.entries()) sum[index] = (sum[index] as number) + value;
      else sums.set(minute, added.slice());
    }
  }
  return [...sums].toSorted(([one], [other]) => one - other).map(([minute, each]) => meansOf(minute, each));
}

type Piece = Connection['pieces'][number];
/** By minute: of each series the sum of its values and their number. */
type Sums = ReadonlyMap<number, Float64Array>;

/** A piece never changes, and pieces come one after the other: only the new one is added up. */
const knownSums = new WeakMap<Piece, Sums>();

function sumsOfPiece(piece: Piece): Sums {
  const before = knownSums.get(piece);
  if (before) return before;
  const sums = new Map<number, Float64Array>();
  for (const [series, name] of seriesNames.entries()) addUp(sums, { ...piece, values: piece[name] }, series);
  knownSums.set(piece, sums);
  return sums;
}

function addUp(sums: Map<number, Float64Array>, { from, rateMs, values }: Series, series: number): void {
  let [minute, current]: [number, Float64Array | undefined] = [Number.NaN, undefined];
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as number;
    if (Number.isNaN(value)) continue;
    const its = Math.floor((from + index * rateMs) / minuteMs) * minuteMs;
    if (its !== minute) {
      minute = its;
      current = sums.get(its) ?? new Float64Array(2 * seriesNames.length);
      sums.set(its, current);
    }
    if (!current) continue;
    current[2 * series] = (current[2 * series] as number) + value;
    current[2 * series + 1] = (current[2 * series + 1] as number) + 1;
  }
}

function meansOf(minute: number, sums: Float64Array): Minute {
  const mean = (series: number) => {
    const count = sums[2 * series + 1] as number;
    return count === 0 ? null : (sums[2 * series] as number) / count;
  };
  return { minute, packetLossSend: mean(0), packetLossRecv: mean(1), bitrateSend: mean(2), bitrateRecv: mean(3) };
}

/** Whether a minute is bad: its mean packet loss is at the limit or above, in at least one direction. Null if neither was measured. */
export function isBadMinute({ packetLossSend, packetLossRecv }: Minute, limit: number): boolean | null {
  if (packetLossSend === null && packetLossRecv === null) return null;
  return (packetLossSend ?? 0) >= limit || (packetLossRecv ?? 0) >= limit;
}

/** How many minutes have packet loss, and how many whole minutes of the stays have none. `until` is the end of stays without a leave. */
export function coverageOf(connections: readonly Connection[], minutes: readonly Minute[], until: number) {
  const measured = new Set(minutes.filter((each) => isBadMinute(each, 0) !== null).map(({ minute }) => minute));
  const unmeasured = new Set<number>();
  for (const { joinedAt, leftAt = until } of connections) {
    for (let at = Math.ceil(joinedAt / minuteMs) * minuteMs; at + minuteMs <= leftAt; at += minuteMs)
      if (!measured.has(at)) unmeasured.add(at);
  }
  return { measured: measured.size, unmeasured: unmeasured.size };
}

/** The bad minutes of a person. Those that follow each other are one run. */
export function badRuns(minutes: readonly Minute[], limit: number): BadRun[] {
  const runs: BadRun[] = [];
  for (const each of minutes) {
    if (!isBadMinute(each, limit)) continue;
    const { minute, packetLossSend, packetLossRecv } = each;
    const last = runs.at(-1);
    if (last?.to === minute) runs[runs.length - 1] = { from: last.from, to: minute + minuteMs, ...worst(last, each) };
    else runs.push({ from: minute, to: minute + minuteMs, packetLossSend, packetLossRecv });
  }
  return runs;
}

type Loss = Pick<Minute, 'packetLossSend' | 'packetLossRecv'>;

function worst(one: Loss, other: Loss): Loss {
  const most = (name: keyof Loss) => (one[name] === null ? other[name] : Math.max(one[name], other[name] ?? 0));
  return { packetLossSend: most('packetLossSend'), packetLossRecv: most('packetLossRecv') };
}

/** A figure over the people of a session: the median, or what only few have. */
export type SessionFigure = 'median' | 'worst';

/** A figure of a session as a series with one value a minute. For packet loss, `worst` is the 95th percentile; for bitrate, it is the 5th. */
export function sessionSeries(minutes: readonly SessionMinute[], name: SeriesName, figure: SessionFigure): Series[] {
  const [first, last] = [minutes[0], minutes.at(-1)];
  if (!first || !last) return [];
  const from = Date.parse(first.minute);
  const values = new Float64Array((Date.parse(last.minute) - from) / minuteMs + 1).fill(Number.NaN);
  for (const each of minutes) {
    values[(Date.parse(each.minute) - from) / minuteMs] = figureOf(each, name, figure) ?? Number.NaN;
  }
  return [{ from, rateMs: minuteMs, values }];
}

/**
 * A figure of a session in one minute, of those who sent the series: the API does not tell how many these are. Null if
 * only one person sent anything: it would be the figure of that person.
 */
export function figureOf(minute: SessionMinute, name: SeriesName, figure: SessionFigure): number | null {
  if (minute.participants < 2) return null;
  const figures = minute[name];
  if (figure === 'median') return figures.median;
  return 'p95' in figures ? figures.p95 : figures.p5;
}
