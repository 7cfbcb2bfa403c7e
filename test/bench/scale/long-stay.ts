import { gzipSync } from 'node:zlib';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { longSamples } from '#tools/simulation/long-samples.ts';
import { createRandom } from '#tools/simulation/random.ts';
import type { CapacityMeter } from '../../support/capacity-meter.ts';
import { type InsightFunctions, type InsightTables, insightFunctions } from '../../support/insight-functions.ts';
import { newGuest, newSession, platformOf } from '../../support/session-events.ts';
import { median } from '../quantiles.ts';
import type { Finding } from '../report.ts';
import { spaced } from './sized-lists.ts';

const organizationId = 'bench-scale-long-stay'.padEnd(26, '-');
const hourMs = 3_600_000;
const startedAt = Date.parse('2026-03-02T00:00:00.000Z');
const hours = 24;
const samples = 43_200;
/** The most that an answer has, as docs/api.md states. */
const most = { samples: 864_000, bytes: 6_000_000 };
const rounds = 15;

type Answer = {
  readonly what: string;
  readonly milliseconds: number[];
  readonly units: Set<number>;
  readonly query: Record<string, string>;
  bytes: { plain: number; compressed: number };
  elements: number;
};

/** Records a participant who stays for a day and one who stays for an hour, with a sample every two seconds, and reads their details. */
export async function measureLongStay(meter: CapacityMeter, tables: InsightTables): Promise<Finding[]> {
  const insights = insightFunctions(meter.documents, tables);
  const [day, hour] = [await recordStay(insights, hours), await recordStay(insights, 1)];
  const noon = { from: timeAfter(12), to: timeAfter(13) };
  const [whole, short, narrowed] = [
    answer('a participant of 24 hours', day),
    answer('of one hour', hour),
    answer('one of its hours', { ...day, ...noon }),
  ] as const;
  for (let round = -1; round < rounds; round += 1)
    for (const each of [whole, short, narrowed]) await read(meter, insights, each, round >= 0);
  if (whole.elements !== samples) throw new Error(`The participant has ${whole.elements} samples, not ${samples}.`);
  return findingsOf(whole, short, narrowed);
}

const timeAfter = (hour: number) => new Date(startedAt + hour * hourMs).toISOString();

const answer = (what: string, query: Record<string, string>): Answer => ({
  ...{ what, query, milliseconds: [], units: new Set(), bytes: { plain: 0, compressed: 0 }, elements: 0 },
});

/** Records a session of one participant, whose samples come in one event for each hour. Returns the query for the participant. */
async function recordStay(insights: InsightFunctions, length: number): Promise<Record<string, string>> {
  const random = createRandom('long stay', length);
  const progress = openProgress(process.stderr);
  let now = startedAt;
  const platform = platformOf(organizationId, () => now, random.uuid);
  const session = newSession('/all-day', random.uuid);
  const guest = newGuest({}, random.uuid);
  const { roomSessionId, participantId } = { ...session, ...guest };
  await insights.record(platform.started(session), platform.joined(session, guest));
  for (let index = 0; index < length; index += 1) {
    now = startedAt + (index + 1) * hourMs;
    const series = longSamples(random, hourMs, 0.5);
    await insights.record(platform.sampled({ roomSessionId, participantId, startedAt: timeAfter(index), ...series }));
    progress.show(`Recording ${length} hours of samples`, index + 1, length);
  }
  await insights.record(platform.left(session, guest), platform.ended(session));
  progress.end();
  return { roomSessionId, participantId };
}

async function read(meter: CapacityMeter, insights: InsightFunctions, one: Answer, isMeasured: boolean): Promise<void> {
  const startedAt = performance.now();
  let body: unknown;
  const { reads } = await meter.measure(async () => {
    body = await insights.get('participant', organizationId, one.query);
  });
  if (isMeasured) one.milliseconds.push(performance.now() - startedAt);
  one.units.add(reads);
  const text = JSON.stringify(body);
  const [connection] = body as readonly { readonly samples: { readonly packetLossSend: readonly unknown[] } }[];
  one.elements = connection?.samples.packetLossSend.length ?? 0;
  one.bytes = { plain: Buffer.byteLength(text), compressed: Math.ceil((gzipSync(text, { level: 1 }).length * 4) / 3) };
}

function findingsOf(whole: Answer, short: Answer, narrowed: Answer): Finding[] {
  const units = ({ units }: Answer) => [...units].join(', ');
  const time = ({ milliseconds }: Answer) => `${median(milliseconds).toFixed(1)} ms`;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;
  return [
    {
      goal: `p50 of ${whole.what}, with ${spaced(samples)} samples in each of four series`,
      figure: time(whole),
      spread: `${short.what} ${time(short)}, ${narrowed.what} by from and to ${time(narrowed)}; ${rounds} reads of each`,
    },
    {
      goal: `read units of ${whole.what}`,
      figure: units(whole),
      spread: `${short.what} ${units(short)}, ${narrowed.what} by from and to ${units(narrowed)}`,
    },
    {
      goal: `size of the answer for ${whole.what}: at most ${most.bytes / 1e6} MB as it is sent, and ${spaced(most.samples)} samples`,
      figure: megabytes(whole.bytes.plain),
      spread: `${megabytes(whole.bytes.compressed)} with gzip and base64; ${spaced(samples)} samples, ${((samples / most.samples) * 100).toFixed(0)} % of the most`,
      isMet: whole.bytes.plain <= most.bytes && samples <= most.samples,
    },
  ];
}
