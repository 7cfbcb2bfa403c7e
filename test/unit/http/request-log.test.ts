import { beforeEach, describe, expect, test, vi } from 'vitest';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { RecordingNotFound, ServiceUnavailable } from '#shared/runtime/errors.ts';
import { log } from '#shared/runtime/logger.ts';
import { admission, httpEvent, organizationClaim, personContext } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { captureLogLines, type LogLine } from '../../support/log-lines.ts';
import { uuid } from '../../support/operations/records.ts';

let lines: () => readonly LogLine[];

beforeEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  lines = captureLogLines().lines;
});

const longest = {
  claims: { [organizationClaim]: 'o'.repeat(64), secret: 'canary-claim' },
  requestId: 'r'.repeat(64),
  headers: { authorization: 'Bearer canary-token', 'user-agent': 'canary-agent' },
};
const requests: Record<string, object> = {
  'create-transcription': { body: { recordingId: uuid(2) } },
  'list-transcriptions': { query: `roomName=/canary-room&limit=100&cursor=canary-cursor` },
  'get-transcription': { params: { transcriptionId: uuid(1) } },
  'correct-speaker': {
    params: { transcriptionId: uuid(1), speaker: 'Speaker 1' },
    body: { displayName: 'canary-name' },
  },
  'undo-speaker-correction': { params: { transcriptionId: uuid(1), speaker: 'Speaker 1' } },
  'create-access-link': { params: { transcriptionId: uuid(1) }, query: 'format=json' },
  'create-recording-link': { params: { transcriptionId: uuid(1) }, query: 'participantId=canary-participant' },
  'revoke-access-links': { params: { transcriptionId: uuid(1) } },
  'delete-transcription': { params: { transcriptionId: uuid(1) } },
  'list-room-insights': { query: 'cursor=canary-cursor' },
  'list-room-session-insights': { query: `roomName=/canary-room&roomSessionId=${uuid(3)}` },
  'list-participants': { query: 'externalId=canary-external-id' },
  'get-participant': { query: `roomSessionId=${uuid(3)}&participantId=canary-participant` },
  'get-session-network': { query: `roomSessionId=${uuid(3)}` },
  'list-usage': { query: 'roomName=/canary-room&cursor=canary-cursor' },
  'create-webhook': { body: { url: 'https://canary.example.com/canary-path' } },
  'get-webhook': { params: { webhookId: uuid(1) } },
  'update-webhook': { params: { webhookId: uuid(1) }, body: { description: 'canary-description' } },
  'delete-webhook': { params: { webhookId: uuid(1) } },
  'rotate-webhook-secret': { params: { webhookId: uuid(1) }, body: {} },
  'test-webhook': { params: { webhookId: uuid(1) } },
  'list-webhook-deliveries': { params: { webhookId: uuid(1) } },
  'replay-webhook': { params: { webhookId: uuid(1) }, body: { from: '2026-03-02T00:00:00Z' } },
  'list-notices': { query: 'cursor=canary-cursor' },
  'bulk-delete-transcriptions': { body: { transcriptionIds: [uuid(1)], displayName: 'canary-name' } },
};

describe.each(endpointList)('a request of $operationId that succeeds', (definition) => {
  test('writes one line of at most 600 bytes with its organization and outcome', async () => {
    vi.stubEnv(
      '_X_AMZN_TRACE_ID',
      `Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1;Lineage=0`,
    );
    const facts = { transcriptionId: uuid(1), isNew: true, transcriptions: 10_000 };
    const handler = endpoint(definition, admission, async () => ({ facts, body: undefined }));
    const { statusCode } = await runEndpoint(handler, httpEvent({ ...longest, ...requests[definition.operationId] }));

    expect(statusCode).toBe(definition.successStatus);
    expect(lines()).toHaveLength(1);
    const [line] = lines();
    expect(line?.facts).toMatchObject({
      level: 'INFO',
      operationId: definition.operationId,
      organizationId: 'o'.repeat(64),
      correlationId: 'r'.repeat(64),
      statusCode,
      durationMs: expect.any(Number),
      ...facts,
    });
    expect(Buffer.byteLength(line?.text ?? '')).toBeLessThanOrEqual(600);
    expect(line?.text).not.toContain('canary');
  });
});

const [first] = endpointList.filter(({ operationId }) => operationId === 'delete-transcription');
if (!first) throw new Error('The contract has no delete-transcription.');
const definition = first;
const params = { transcriptionId: uuid(1) };
const failing = (error: unknown) =>
  runEndpoint(
    endpoint(definition, admission, async () => {
      throw error;
    }),
    httpEvent({ params }),
  );

test('an expected error writes one line with its code', async () => {
  await failing(new RecordingNotFound());
  expect(lines().map(({ facts }) => [facts.level, facts.statusCode, facts.code])).toEqual([
    ['INFO', 404, 'recording_not_found'],
  ]);
});

test('a request of a person is logged with the id of the person, and a machine has none', async () => {
  const handler = endpoint(definition, admission, async () => ({}));
  await runEndpoint(handler, httpEvent({ params, context: personContext('editor', 'person-7') }));
  await runEndpoint(handler, httpEvent({ params, context: personContext('reader', 'person-8') }));
  await runEndpoint(handler, httpEvent({ params }));
  expect(lines().map(({ facts }) => [facts.organizationId, facts.personId, facts.code])).toEqual([
    ['acme', 'person-7', undefined],
    ['acme', 'person-8', 'not_an_editor'],
    ['acme', undefined, undefined],
  ]);
});

test('an unavailable dependency writes one warning with the reason', async () => {
  await failing(new ServiceUnavailable('A queue did not take every message.', { cause: new Error('canary') }));
  expect(lines()).toHaveLength(1);
  expect(lines()[0]?.facts).toMatchObject({
    level: 'WARN',
    statusCode: 503,
    error: { code: 'service_unavailable', cause: { name: 'Error' } },
  });
  expect(lines()[0]?.text).not.toContain('canary');
});

test('a defect writes an error with its stack and without its message', async () => {
  await failing(new TypeError('canary is not a function'));
  const levels = lines().map(({ facts }) => facts.level);
  expect(levels).toEqual(['ERROR', 'INFO']);
  expect(lines()[0]?.facts).toMatchObject({
    operationId: 'delete-transcription',
    organizationId: 'acme',
    error: { name: 'TypeError', stack: expect.arrayContaining([expect.stringContaining('    at ')]) },
  });
  expect(
    lines()
      .map(({ text }) => text)
      .join(),
  ).not.toContain('canary');
});

test('a refused request logs only its code', async () => {
  const handler = endpoint(definition, admission, async () => ({}));
  await runEndpoint(handler, httpEvent({ params: { transcriptionId: 'canary' }, query: 'canary=canary' }));
  await runEndpoint(handler, httpEvent({ claims: { [organizationClaim]: 'canary canary' } }));
  expect(lines().map(({ facts }) => facts.code)).toEqual(['invalid_request', 'unauthorized']);
  expect(
    lines()
      .map(({ text }) => text)
      .join(),
  ).not.toContain('canary');
});

test('a request that takes too long is answered with an error code before the function times out', async () => {
  const never = endpoint(definition, admission, () => new Promise<never>(() => {}));
  const { statusCode, headers, body } = await runEndpoint(never, httpEvent({ params }), 0);
  expect(statusCode).toBe(503);
  expect(body.code).toBe('service_unavailable');
  expect(headers['retry-after']).toBeDefined();
  expect(lines().map(({ facts }) => facts.code)).toEqual(['service_unavailable']);
});

test('a request without an organization is logged with its operation and id', async () => {
  const handler = endpoint(definition, admission, async () => ({}));
  await runEndpoint(handler, httpEvent({ params, claims: {}, requestId: 'request-7' }));
  expect(lines()).toHaveLength(1);
  const { facts } = lines()[0] ?? { facts: {} };
  expect(facts).toMatchObject({
    operationId: 'delete-transcription',
    correlationId: 'request-7',
    statusCode: 401,
    code: 'unauthorized',
    durationMs: expect.any(Number),
  });
  expect(facts).not.toHaveProperty('organizationId');
});

test('a request that takes too long is logged with its organization and answered with its allowance', async () => {
  const never = endpoint(definition, admission, () => new Promise<never>(() => {}));
  const { headers } = await runEndpoint(never, httpEvent({ params }), 600);
  expect(headers).toMatchObject({ 'x-ratelimit-remaining': '999' });
  expect(lines().map(({ facts }) => [facts.level, facts.organizationId, facts.statusCode])).toEqual([
    ['WARN', 'acme', 503],
  ]);
});

test('concurrent requests with the same event object keep their facts, durations and allowances apart', async () => {
  const event = httpEvent({ params });
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let requests = 0;
  const spend = async () => ({ isExceeded: false, limit: 1000, remaining: ++requests, resetsAt: 1_800_000_000 });
  let handled = 0;
  const rateLimiter = { spend, knownRefusal: () => undefined, isFarFromLimit: () => false };
  const handler = endpoint(definition, { organizationClaim, rateLimiter }, async () => {
    const number = ++handled;
    await (number === 1 ? first : second).promise;
    if (number === 1) throw new RecordingNotFound();
    return { facts: { transcriptions: number } };
  });
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1000);
  const slow = runEndpoint(handler, event);
  clock.mockReturnValue(1400);
  const fast = runEndpoint(handler, event);
  await vi.waitFor(() => expect(handled).toBe(2));
  clock.mockReturnValue(1500);
  second.resolve();
  const answerOfFast = await fast;
  clock.mockReturnValue(2000);
  first.resolve();
  const answerOfSlow = await slow;

  expect([answerOfSlow, answerOfFast].map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['1', '2']);
  expect(lines().map(({ facts }) => [facts.statusCode, facts.durationMs, facts.transcriptions, facts.code])).toEqual([
    [204, 100, 2, undefined],
    [404, 1000, undefined, 'recording_not_found'],
  ]);
});

test('concurrent requests never mix their facts', async () => {
  const handler = endpoint(definition, admission, async ({ organizationId }) => {
    await Promise.resolve();
    log.info('at work', { seenBy: organizationId });
    return {};
  });
  const organizations = Array.from({ length: 20 }, (_, index) => `org-${index}`);
  await Promise.all(
    organizations.map((id) => runEndpoint(handler, httpEvent({ params, claims: { [organizationClaim]: id } }))),
  );
  const atWork = lines().filter(({ facts }) => facts.message === 'at work');
  expect(atWork.map(({ facts }) => facts.organizationId)).toEqual(atWork.map(({ facts }) => facts.seenBy));
  expect(new Set(atWork.map(({ facts }) => facts.organizationId)).size).toBe(20);
});
