import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { ClientSampled } from '#shared/contracts/insights/network-samples.ts';
import { ClientSpoke } from '#shared/contracts/insights/speech.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import type { EventOf, PlatformEvent } from '#tools/simulation/events.ts';
import { createRandom, type Random } from '#tools/simulation/random.ts';
import { answering } from '../../support/client/fake-client.ts';
import { scriptOf, scriptStart } from '../support/insights/session-script.ts';
import type { Call, FaultPlan } from '../support/process.ts';
import { handOver, inBatches, seed, seededOrganization } from '../support/transcriptions/hand-over.ts';
import { useWorld } from '../support/use-world.ts';

const { world } = await useWorld();

type Sampled = EventOf<'room.client.sampled'>;

/** DynamoDB's limit for an item is 400 KB. */
const maxItemBytes = 350_000;
const rounds = [1, 2, 3];

/** Two participants with two connections each, and samples that overlap, precede a join or have no participant. */
function sampledSession(organizationId: string, random: Random): PlatformEvent[] {
  const { joined, left, sampled, ended } = scriptOf(organizationId);
  const stays = ['ada', 'bob'].flatMap((who) => [joined(who, 0), left(who, 90), joined(who, 100), left(who, 180)]);
  const stretches = Array.from({ length: 24 }, () => {
    const startedAt = new Date(scriptStart + random.integer(-4, 38) * 5000).toISOString(); // some start at the same time
    const series = () => Array.from({ length: count }, () => (random.chance(0.1) ? null : random.integer(0, 9000) / 8));
    const count = random.integer(1, 40);
    return sampled(random.pick(['ada', 'bob', 'nobody']), 0, series(), {
      startedAt,
      sampleRateMs: random.pick([500, 700, 1000, 2000]),
      bitrateRecv: series(),
    });
  });
  const long = sampled(
    'ada',
    101,
    Array.from({ length: 4000 }, (_, index) => index),
    { sampleRateMs: 100 },
  );
  return [...stays, ...stretches, long, ended(200)];
}

test.each(rounds)(
  `network samples give the same series in any order, in any batches and with repetitions (seed ${seed}, %i)`,
  async (round) => {
    const random = createRandom(seed, 'samples', round);
    const events = sampledSession(seededOrganization('samples'), random);
    const again = events.filter(() => random.chance(0.5));
    const batches = inBatches(random.shuffled([...events, ...again]), () => random.integer(1, 10));
    await handOver(world, batches, { workers: 4 });
  },
);

/** Speech of three people over hours, of which one never joins. Half of the events tell what another one tells, or a part of it. */
function spokenSession(organizationId: string, random: Random): PlatformEvent[] {
  const { joined, spoke, ended } = scriptOf(organizationId);
  const intervals = () =>
    Array.from({ length: random.integer(1, 12) }, (): [number, number] => {
      const from = random.integer(0, 12) * 20 + random.pick([0, 0, 3_600, 7_000]); // many events begin at the same time
      return [from, from + random.pick([0, 0.25, 1, 20, 4_000])];
    });
  const all = Array.from({ length: 20 }, () => spoke(random.pick(['ada', 'bob', 'nobody']), ...intervals()));
  return [joined('ada', 0), joined('bob', 1), ...all, ended(12_000)];
}

test.each(rounds)(
  `speech is the same union in any order, in any batches and with repetitions (seed ${seed}, %i)`,
  async (round) => {
    const random = createRandom(seed, 'speech', round);
    const events = spokenSession(seededOrganization('speech'), random);
    const again = events.filter(() => random.chance(0.5));
    const batches = inBatches(random.shuffled([...events, ...again]), () => random.integer(1, 10));
    await handOver(world, batches, { workers: 4 });
  },
);

test('network samples and speech of a participant who never joins create nothing', async () => {
  const organizationId = seededOrganization('nobody');
  const { sampled, spoke } = scriptOf(organizationId);
  await handOver(world, [[sampled('ada', 0, [1, 2, 3]), spoke('ada', [0, 5])]]);
  const rooms = await world.api('listRoomInsights', { organizationId });
  expect(rooms).toMatchObject({ status: 200, body: { results: [], cursor: null } });
});

describe('a session of a day', () => {
  /** The longest numbers in JSON, which compression hardly shortens. */
  const random = createRandom(seed, 'long numbers');
  const longNumber = () => (random.integer(1, 2 ** 31) * 1e-300) / 3;

  test.each([
    [10_000, 8_640],
    [2_000, 43_200],
    [100, 43_200],
    [3_600_000, 24],
  ])(
    'with samples every %i ms (%i samples) is stored in items within the limit of DynamoDB',
    async (sampleRateMs, count) => {
      const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' }));
      const { client, calls } = answering(documents);
      const series = Array.from({ length: count }, longNumber);
      const [organizationId, participantId] = ['o'.repeat(64), 'p'.repeat(256)];
      const event: Sampled = scriptOf(organizationId).sampled(participantId, 0, series, { sampleRateMs });
      await insightFacts(client, 'facts').keepSamples(ClientSampled.parse({ ...event, id: 'i'.repeat(128) }));
      const sizes = calls.map(({ input }) => bytesOf(input.Item));
      expect(calls.every(({ name }) => name === 'PutCommand')).toBe(true);
      expect(sizes.length).toBeGreaterThanOrEqual(Math.ceil(count / 1800));
      expect(Math.max(...sizes)).toBeLessThan(maxItemBytes);
    },
  );

  test('with as much speech as an event can have is stored in items within the limit of DynamoDB', async () => {
    const { client, calls } = answering(DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' })));
    const [organizationId, participantId] = ['o'.repeat(64), 'p'.repeat(256)];
    const intervals = (spanSeconds: number) =>
      Array.from({ length: 1000 }, (): [number, number] => {
        const from = random.integer(0, spanSeconds * 1000 - 500) / 1000;
        return [from, from + 0.4];
      });
    const kept = async (spanSeconds: number) => {
      const event = scriptOf(organizationId).spoke(participantId, ...intervals(spanSeconds));
      const before = calls.length;
      await insightFacts(client, 'facts').keepSpeech(ClientSpoke.parse({ ...event, id: 'i'.repeat(128) }));
      return calls.slice(before).map(({ input }) => bytesOf(input.Item));
    };
    expect(Math.max(...(await kept(3_600)))).toBeLessThan(maxItemBytes / 10);
    expect((await kept(86_400)).length).toBeLessThanOrEqual(25);
  });

  test('with 200 participants writes no item that grows with their number, and closes all connections', async () => {
    const organizationId = seededOrganization('crowd');
    const { started, joined, ended, sampled } = scriptOf(organizationId);
    const people = Array.from({ length: 200 }, (_, number) => `person ${number}`);
    const joins = people.map((who, number) => joined(who, number));
    const samples = sampled('person 7', 60, Array.from({ length: 8640 }, longNumber), { sampleRateMs: 10_000 });
    const sizes: number[] = [];
    const planOf = () => (call: Call) => void sizes.push(largestItemOf(call)) as ReturnType<FaultPlan>;
    await handOver(world, inBatches([started(0), ...joins, samples, ended(86_400)]), { planOf });
    expect(Math.max(...sizes)).toBeLessThan(maxItemBytes);
    const rooms = await world.api('listRoomInsights', { organizationId });
    const totalParticipantMinutes = people.reduce((sum, _, number) => sum + Math.ceil((86_400 - number) / 60), 0);
    expect(rooms).toMatchObject({ body: { results: [{ totalParticipantMinutes, totalUniqueParticipants: 200 }] } });
  });
});

/** The size of the largest written item in bytes, or 0 if the call writes nothing. */
function largestItemOf({ input }: Call): number {
  type Put = { readonly Item?: object };
  const { Item, TransactItems = [] } = input as Put & { readonly TransactItems?: readonly { readonly Put?: Put }[] };
  return Math.max(bytesOf(Item), ...TransactItems.map(({ Put }) => bytesOf(Put?.Item)));
}

/** An upper bound of the size that DynamoDB counts: names, texts and bytes, and a little for everything else. */
function bytesOf(value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 21;
  return Object.entries(value).reduce((sum, [name, part]) => sum + Buffer.byteLength(name) + bytesOf(part) + 1, 3);
}
