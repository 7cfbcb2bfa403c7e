import type { EventOf } from './events.ts';
import type { Random } from './random.ts';

/** The quality of a network in the generated samples. */
export type NetworkQuality = 'good' | 'bad';

type Data = EventOf<'room.client.sampled'>['data'];
type Client = Pick<Data, 'roomSessionId' | 'participantId'>;
type Values = (number | null)[];

const sampleRateMs = 2000;
const minuteMs = 60_000;
/** For a bad network: the share of lost events, and the share of samples without values. */
const lostMinutes = 0.2;
const lostSamples = 0.1;

type Range = readonly [from: number, to: number];
const hundredthsOfPercentLost: Record<NetworkQuality, Range> = { good: [0, 80], bad: [800, 3500] };
const kilobitsPerSecond: Record<NetworkQuality, Range> = { good: [900, 2500], bad: [30, 240] };

/** Generates the samples of a connection, one event per minute. */
export function createSamples(
  random: Random,
  client: Client,
  { from, to }: { readonly from: number; readonly to: number },
  quality: NetworkQuality,
): { readonly sentAt: number; readonly data: Data }[] {
  const minutes = Array.from({ length: Math.ceil((to - from) / minuteMs) }, (_, index) => from + index * minuteMs);
  const arriving =
    quality === 'good' ? minutes : minutes.filter((_, index) => !random.chance(lostMinutes) || index === 0);
  return arriving.map((startedAt) => {
    const count = Math.max(1, Math.floor(Math.min(minuteMs, to - startedAt) / sampleRateMs));
    const data = {
      ...client,
      startedAt: new Date(startedAt).toISOString(),
      sampleRateMs,
      ...series(random, count, quality),
    };
    return { sentAt: startedAt + count * sampleRateMs, data };
  });
}

function series(random: Random, count: number, quality: NetworkQuality) {
  const isMissing = Array.from({ length: count }, () => quality === 'bad' && random.chance(lostSamples));
  const each = (value: () => number): Values => isMissing.map((missing) => (missing ? null : value()));
  const loss = () => random.integer(...hundredthsOfPercentLost[quality]) / 100;
  const bitrate = () => random.integer(...kilobitsPerSecond[quality]) * 1000;
  return {
    packetLossSend: each(loss),
    packetLossRecv: each(loss),
    bitrateSend: each(bitrate),
    bitrateRecv: each(bitrate),
  };
}
