import type { SessionMinute } from '#shared/contracts/insights/session-network.ts';
import type { EventOf } from './events.ts';

type SampledEvent = EventOf<'room.client.sampled'>;
type SeriesName = 'packetLossSend' | 'packetLossRecv' | 'bitrateSend' | 'bitrateRecv';
type Values = Readonly<Record<SeriesName, number | null>>;
/** A sample of somebody, and the minute in which it was taken, counted from 1970. */
type Sample = { readonly minute: number; readonly participantId: string; readonly values: Values };

/** A mean loss of five percent, sent or received, makes a minute bad. */
const badLoss = 5;

/** The network of a session in each minute with samples, from its events in any order. */
export function networkOf(events: readonly SampledEvent[]): SessionMinute[] {
  // Of two events with the same participant, time and id, the first to arrive counts.
  const distinct = [...Map.groupBy(events, identityOf).values()].flatMap(([first]) => first ?? []);
  const byMinute = Map.groupBy(distinct.flatMap(samplesOf), ({ minute }) => minute);
  return [...byMinute].toSorted(([one], [other]) => one - other).map(([minute, samples]) => minuteOf(minute, samples));
}

function identityOf({ id, data }: SampledEvent): string {
  return JSON.stringify([data.participantId, Date.parse(data.startedAt), id]);
}

function samplesOf({ data }: SampledEvent): Sample[] {
  const { participantId, startedAt, sampleRateMs } = data;
  return data.bitrateSend
    .map((_, index) => ({
      participantId,
      minute: Math.floor((Date.parse(startedAt) + index * sampleRateMs) / 60_000),
      values: {
        packetLossSend: data.packetLossSend[index] ?? null,
        packetLossRecv: data.packetLossRecv[index] ?? null,
        bitrateSend: data.bitrateSend[index] ?? null,
        bitrateRecv: data.bitrateRecv[index] ?? null,
      },
    }))
    .filter(({ values }) => Object.values(values).some((value) => value !== null));
}

function minuteOf(minute: number, samples: readonly Sample[]): SessionMinute {
  const people = [...Map.groupBy(samples, ({ participantId }) => participantId).values()];
  const means = (name: SeriesName) =>
    people.flatMap((own) => meanOf(own.flatMap(({ values }) => values[name] ?? []))).toSorted((a, b) => a - b);
  const loss = (name: 'packetLossSend' | 'packetLossRecv') => {
    const all = means(name);
    return { median: quantile(all, 0.5), p95: quantile(all, 0.95), max: quantile(all, 1) };
  };
  const bitrate = (name: 'bitrateSend' | 'bitrateRecv') => {
    const all = means(name);
    return { median: quantile(all, 0.5), p5: quantile(all, 0.05) };
  };
  const lossesOf = (own: readonly Sample[]) =>
    (['packetLossSend', 'packetLossRecv'] as const).flatMap((name) =>
      meanOf(own.flatMap(({ values }) => values[name] ?? [])),
    );
  return {
    minute: new Date(minute * 60_000).toISOString(),
    participants: people.length,
    samples: samples.length,
    packetLossSend: loss('packetLossSend'),
    packetLossRecv: loss('packetLossRecv'),
    bitrateSend: bitrate('bitrateSend'),
    bitrateRecv: bitrate('bitrateRecv'),
    badParticipants: people.filter((own) => lossesOf(own).some((mean) => mean >= badLoss)).length,
  };
}

/** The mean of values, computed in thousandths, so that the order of the values does not matter. Nothing without values. */
function meanOf(values: readonly number[]): number[] {
  const thousandths = values.reduce((sum, value) => sum + value * 1000, 0);
  return values.length === 0 ? [] : [Math.round(thousandths) / 1000 / values.length];
}

/** The first value that this part of all values does not exceed. Nothing comes between two values. */
function quantile(sorted: readonly number[], part: number): number | null {
  const found = sorted.find((_, index) => (index + 1) / sorted.length >= part - 1e-9);
  return found === undefined ? null : Math.round(found * 1000) / 1000;
}
