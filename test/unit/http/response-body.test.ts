import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { jsonResponse } from '#shared/http/json-response.ts';
import { deliverable } from '#shared/http/response-body.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { jsonSchema } from '#tools/description/json-schema.ts';
import { admission, httpEvent } from '../../support/http/http-events.ts';
import { runEndpoint } from '../../support/http/run-endpoint.ts';
import { captureLogLines } from '../../support/log-lines.ts';
import { uuid } from '../../support/operations/records.ts';

const minBytes = 1024;
const maxBytes = 6_000_000;
/** A JSON body of the given number of bytes. */
const response = (bytes: number, character = 'a') => jsonResponse(200, character.repeat(bytes - 2));
const worthIt = response(minBytes);
const isCompressed = (acceptEncoding: string | undefined, of = worthIt) =>
  deliverable(of, acceptEncoding).isBase64Encoded === true;

beforeEach(() => {
  captureLogLines();
});

describe('a body is compressed', () => {
  test.each([
    'gzip',
    'GZIP',
    'gzip, deflate, br',
    'br, gzip',
    'deflate;q=0.9, gzip;q=0.8',
    'gzip;q=1.0, identity;q=0.5',
    'gzip;q=0.001',
    'identity;q=0, gzip',
    '*',
    'br;q=1, *;q=0.5',
  ])('for a client that accepts %j', (acceptEncoding) => {
    expect(isCompressed(acceptEncoding)).toBe(true);
  });

  test.each([
    undefined,
    '',
    ' ',
    'identity',
    'br',
    'deflate, br',
    'gzip;q=0',
    'gzip;q=0, *',
    'identity, gzip;q=0',
    'identity;q=1, gzip;q=0.5',
    '*;q=0',
    'gzipped',
    ';;;,=',
  ])('not for a client that accepts %j', (acceptEncoding) => {
    expect(deliverable(worthIt, acceptEncoding)).toBe(worthIt);
  });

  test('if it has at least a kilobyte', () => {
    expect(isCompressed('gzip', response(minBytes - 1))).toBe(false);
    expect(isCompressed('gzip', response(minBytes))).toBe(true);
    expect(isCompressed('gzip', jsonResponse(200, 'é'.repeat(600)))).toBe(true); // bytes, not characters
  });

  test('and decompresses to the same body, with additional headers for the encoding', () => {
    const body = { results: Array.from({ length: 500 }, (_, number) => ({ number, name: 'é😀' })), cursor: null };
    const plain = jsonResponse(200, body, { location: '/x' });
    const { statusCode, headers, body: text = '', isBase64Encoded } = deliverable(plain, 'gzip');
    expect(JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString())).toEqual(body);
    expect([statusCode, isBase64Encoded]).toEqual([200, true]);
    expect(headers).toEqual({ ...plain.headers, 'content-encoding': 'gzip', vary: 'accept-encoding' });
  });

  test('not if there is none', () => {
    const none = jsonResponse(204, undefined);
    expect(deliverable(none, 'gzip')).toBe(none);
  });
});

describe('a body that is larger than Lambda can return', () => {
  const tooLarge = (hint: string, size = 7) =>
    `must narrow the answer: it would be ${size} MB, and at most 6 MB can be returned${hint}`;
  const issuesOf = (of: ReturnType<typeof response>, acceptEncoding?: string, narrowedBy?: readonly string[]) => {
    try {
      deliverable(of, acceptEncoding, narrowedBy);
    } catch (error) {
      if (error instanceof InvalidRequest) return error.issues;
      throw error;
    }
    return undefined;
  };
  /** Lambda's quota covers the whole answer. The body is a string within its JSON, so `"` takes two bytes. */
  const bodyOf = (bytes: number) => ({ statusCode: 200, body: 'a'.repeat(bytes - 2) });

  test('gives a 400 that names the parameters to narrow it, and gzip if the client did not accept it', () => {
    const message = tooLarge(', or accept gzip');
    expect(issuesOf(bodyOf(maxBytes))).toBeUndefined();
    expect(issuesOf(bodyOf(maxBytes + 1), undefined, ['from', 'to'])).toEqual([
      { path: 'from', message },
      { path: 'to', message },
    ]);
  });

  test("is measured as it is encoded in the function's answer", () => {
    const quotes = { statusCode: 200, body: '"'.repeat(maxBytes / 2) };
    expect(issuesOf(quotes, undefined, ['limit'])).toEqual([{ path: 'limit', message: tooLarge(', or accept gzip') }]);
  });

  test('is returned to a client that accepts gzip if that makes it small enough', () => {
    expect(issuesOf(bodyOf(50_000_000), 'gzip')).toBeUndefined();
  });

  test('gives a 400 if gzip does not make it small enough', () => {
    const noise = Buffer.from(Uint32Array.from({ length: 1_600_000 }, () => Math.random() * 2 ** 32).buffer).toString(
      'base64',
    );
    const [issue] = issuesOf({ statusCode: 200, body: noise }, 'gzip', ['limit']) ?? [];
    expect(issue?.path).toBe('limit');
    expect(issue?.message).toMatch(/^must narrow the answer: it would be \d+ MB, and at most 6 MB can be returned$/);
  });
});

describe('an endpoint', () => {
  const { getParticipant } = insightEndpoints;
  const query = `roomSessionId=${uuid(3)}&participantId=ann`;
  const ask = (values: readonly number[], headers: Record<string, string> = {}) => {
    const samples = { packetLossSend: values, packetLossRecv: values, bitrateSend: values, bitrateRecv: values };
    const time = '2026-03-02T09:00:00.000Z';
    const detail = { displayName: 'Ann', userRole: 'guest', userAgent: '', timeStamp: time, samplesFrom: time };
    const handler = endpoint(getParticipant, admission, async () => ({
      body: [{ ...detail, sampleRateMs: 2000, samples: samples as never, events: [] }],
    }));
    return { handler, event: httpEvent({ query, headers }) };
  };

  test('compresses for a client that accepts gzip, by the header that the gateway passes on', async () => {
    const { handler, event } = ask(Array(1000).fill(0), { 'accept-encoding': 'gzip, br' });
    const { headers, isBase64Encoded } = await handler(event, { getRemainingTimeInMillis: () => 29_000 } as never);
    expect([headers?.['content-encoding'], isBase64Encoded]).toEqual(['gzip', true]);
  });

  test('also compresses a long error', async () => {
    const { handler, event } = ask([], { 'accept-encoding': 'gzip' });
    const unknown = Array.from({ length: 20 }, (_, number) => `${'unknown'.repeat(8)}${number}=1`).join('&');
    const {
      statusCode,
      headers,
      body = '',
    } = await handler({ ...event, rawQueryString: unknown }, {
      getRemainingTimeInMillis: () => 29_000,
    } as never);
    expect([statusCode, headers?.['content-encoding']]).toEqual([400, 'gzip']);
    expect(JSON.parse(gunzipSync(Buffer.from(body, 'base64')).toString()).issues).toHaveLength(20);
  });

  test('returns a 400 that names its parameters if the body is too large', async () => {
    const { handler, event } = ask(Array(100_000).fill(123_456_789_012.345));
    const { statusCode, body } = await runEndpoint(handler, event);
    expect([statusCode, body.code]).toEqual([400, 'invalid_request']);
    expect(body.issues.map(({ path }: { path: string }) => path)).toEqual(['from', 'to']);
  });
});

test.each(Object.values(insightEndpoints))(
  '$operationId names the parameters that narrow its answer',
  ({ query, narrowedBy }) => {
    const parameters = Object.keys(jsonSchema(query, 'input').properties ?? {});
    expect(narrowedBy.length).toBeGreaterThan(0);
    for (const parameter of narrowedBy) expect(parameters).toContain(parameter);
  },
);
