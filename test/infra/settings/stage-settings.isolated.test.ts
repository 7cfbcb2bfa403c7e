import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { envNames } from '#shared/runtime/names.ts';
import type * as documentClients from '#shared/storage/common/document-client.ts';
import { blockKey } from '#shared/storage/insights/keys.ts';
import { toBlock, toBlockItem } from '#shared/storage/insights/session-blocks.ts';
import { type Answer, answering, type Call } from '../../support/client/fake-client.ts';
import { httpEvent, organizationClaim } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { sqsEvent } from '../../support/http/sqs-events.ts';
import { at, listOf } from '../../support/infra/templates.ts';
import { block } from '../../support/insights/network-samples.ts';
import { joined } from '../../support/insights/session-facts.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import { transcriptionRecord, uuid } from '../../support/operations/records.ts';

const dynamodb = vi.hoisted(() => ({ client: undefined as unknown }));
vi.mock('#shared/storage/common/document-client.ts', () => ({
  documentClient: () => dynamodb.client as ReturnType<typeof documentClients.documentClient>,
}));

/** Replaces DynamoDB with a client that gives these answers. */
function fakeDynamodb(answer?: Answer) {
  const { client, calls } = answering(DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-west-1' })), answer);
  dynamodb.client = client;
  return calls;
}

/** The time that many days from now, in epoch seconds. */
const epochSecondsIn = (days: number) => Date.now() / 1000 + days * 24 * 60 * 60;

beforeEach(() => {
  captureLogLines();
  vi.resetModules();
  vi.useFakeTimers({ now: Date.parse('2026-06-01T00:00:00Z'), toFake: ['Date'] });
  const isOptionalNumber = (name: string) => name.endsWith('_DAYS') || name === envNames.sessionIdleHours;
  for (const name of Object.values(envNames)) vi.stubEnv(name, isOptionalNumber(name) ? undefined : 'set');
  vi.stubEnv(envNames.organizationClaim, organizationClaim);
  vi.stubEnv(envNames.rateLimitPointsPerMinute, '1000');
  vi.stubEnv(envNames.personPointsPerMinute, '300');
  vi.stubEnv('AWS_REGION', 'eu-west-1');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** The items of all puts, in transactions and alone. */
const itemsOf = (calls: readonly Call[]) =>
  calls.flatMap(({ input }) => [input.Item, ...listOf(input.TransactItems).map((write) => at(write, 'Put', 'Item'))]);

test('facts expire after the configured number of days, and their session closes earlier', async () => {
  vi.stubEnv(envNames.factRetentionDays, '90');
  const join = joined('ann', '09:00');
  const calls = fakeDynamodb();
  const { handler } = await import('#functions/workers/platforms/record-room-events/index.ts');
  expect(await handler(sqsEvent(join))).toEqual({ batchItemFailures: [] });
  const items = itemsOf(calls);
  const block = { factKey: expect.stringMatching(/^events\0/), expiresAt: epochSecondsIn(90) };
  expect(items).toContainEqual(expect.objectContaining(block));
  const closesAt = new Date(epochSecondsIn(60) * 1000).toISOString();
  expect(items).toContainEqual(expect.objectContaining({ startedAt: join.createdAt, closesAt }));
});

test('the facts of visitors and session starts never expire, because the totals of rooms depend on them', async () => {
  vi.stubEnv(envNames.factRetentionDays, '90');
  const calls = fakeDynamodb();
  const { handler } = await import('#functions/workers/platforms/record-room-events/index.ts');
  await handler(sqsEvent(joined('ann', '09:00')));
  const facts = itemsOf(calls).filter((item) => at(item, 'noticeKey') === undefined); // a notice of the session expires, too
  const expiring = facts.filter((item) => at(item, 'expiresAt') !== undefined);
  expect(expiring.map((item) => at(item, 'factKey'))).toEqual([expect.stringMatching(/^events\0/)]);
  expect(itemsOf(calls).filter((item) => /^(visitors|start)\0/.test(String(at(item, 'factKey'))))).toHaveLength(2);
});

test('samples expire after the configured number of days', async () => {
  vi.stubEnv(envNames.sampleRetentionDays, '30');
  const calls = fakeDynamodb();
  const { handler } = await import('#functions/workers/platforms/record-network-samples/index.ts');
  const data = { roomSessionId: uuid(3), participantId: 'ann', ...block('09:00', [1, 2]) };
  const event = {
    id: 'event-1',
    type: 'room.client.sampled',
    organizationId: 'acme',
    createdAt: '2026-03-02T09:01:00Z',
  };
  expect(await handler(sqsEvent({ ...event, data }))).toEqual({ batchItemFailures: [] });
  expect(itemsOf(calls)).toEqual([expect.objectContaining({ expiresAt: epochSecondsIn(30) })]);
});

test('no access link is created for a transcript that is older than the configured number of days', async () => {
  vi.stubEnv(envNames.transcriptRetentionDays, '30');
  const Item = transcriptionRecord({ state: 'ready', createdAt: '2026-03-02T09:00:00.000Z' });
  fakeDynamodb(({ name }) => (name === 'GetCommand' ? { Item } : { Attributes: { points: 1 } }));
  const { handler } = await import('#functions/api/links/create-access-link/index.ts');
  const { statusCode, body } = await runEndpoint(handler, httpEvent({ params: { transcriptionId: uuid(1) } }));
  expect([statusCode, body]).toEqual([404, expect.objectContaining({ code: 'transcript_not_found' })]);
});

test('a join with a role of the stage is stored as that of a non-participant', async () => {
  vi.stubEnv(envNames.nonParticipantRoles, 'assistant,bot');
  const calls = fakeDynamodb();
  const { handler } = await import('#functions/workers/platforms/record-room-events/index.ts');
  await handler(sqsEvent(joined('ann', '09:00', { roleName: 'bot' }), joined('bob', '09:00')));
  const [item] = itemsOf(calls).filter((each) => /^events\0/.test(String(at(each, 'factKey'))));
  const { facts } = toBlock(item as Parameters<typeof toBlock>[0]);
  expect(facts.map((fact) => 'isNonParticipant' in fact)).toEqual([true, false]);
});

test('participant detail has the default rate of the stage for a connection without samples', async () => {
  vi.stubEnv(envNames.defaultSampleRateMs, '700');
  const join = joined('ann', '09:00');
  const { organizationId, data } = join;
  const key = blockKey({ organizationId, roomSessionId: data.roomSessionId }, 1);
  const log = { ...key, ...toBlockItem({ facts: [join], bytes: 1 }) };
  const isOfLog = (values: unknown) => String(at(values, ':first')).startsWith('events');
  fakeDynamodb(({ input }) => ({ Items: isOfLog(input.ExpressionAttributeValues) ? [log] : [] }));
  const { handler } = await import('#functions/api/insights/get-participant/index.ts');
  const query = `roomSessionId=${data.roomSessionId}&participantId=ann`;
  const { body } = await runEndpoint(handler, httpEvent({ query, claims: { [organizationClaim]: organizationId } }));
  expect(body).toMatchObject([{ timeStamp: join.createdAt, sampleRateMs: 700 }]);
});
