import type { EventOf } from '#tools/simulation/events.ts';
import type { Random } from '#tools/simulation/random.ts';

type Data = EventOf<'room.client.sampled'>['data'];
type Samples = Omit<Data, 'roomSessionId' | 'participantId' | 'startedAt'>;
type Values = (number | null)[];

const sampleRateMs = 2000;
/** How many samples a disturbance lasts: a minute to ten minutes. */
const disturbed = [30, 300] as const;
const lostSamples = 0.01;

/**
 * Generates samples over a length of time. Packet loss is low but for disturbances, which come more often the worse the network is
 * (`badness` from 0 to 1). The bit rate wanders, and falls in a disturbance.
 */
export function longSamples(random: Random, lengthMs: number, badness: number): Samples {
  const count = Math.max(1, Math.floor(lengthMs / sampleRateMs));
  const series = { packetLossSend: [], packetLossRecv: [], bitrateSend: [], bitrateRecv: [] } as Record<string, Values>;
  const { packetLossSend, packetLossRecv, bitrateSend, bitrateRecv } = series as Pick<
    Samples,
    'packetLossSend' | 'packetLossRecv' | 'bitrateSend' | 'bitrateRecv'
  >;
  let [disturbedFor, kilobits] = [0, 1400];
  for (let index = 0; index < count; index += 1) {
    if (disturbedFor === 0 && random.chance(badness / 900)) disturbedFor = random.integer(...disturbed);
    const isDisturbed = disturbedFor > 0;
    disturbedFor = Math.max(0, disturbedFor - 1);
    kilobits = Math.min(2600, Math.max(300, kilobits + random.integer(-60, 60)));
    const isLost = random.chance(lostSamples * badness);
    const loss = () =>
      isLost ? null : random.integer(...((isDisturbed ? [400, 3000] : [0, 90]) as [number, number])) / 100;
    const bits = (part: number) => (isLost ? null : Math.round((kilobits * part) / (isDisturbed ? 5 : 1)) * 1000);
    packetLossSend.push(loss());
    packetLossRecv.push(loss());
    bitrateSend.push(bits(1));
    bitrateRecv.push(bits(1.3));
  }
  return { sampleRateMs, packetLossSend, packetLossRecv, bitrateSend, bitrateRecv };
}
