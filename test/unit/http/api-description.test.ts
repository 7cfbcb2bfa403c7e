import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeEach, expect, test } from 'vitest';
import { createHandler } from '#functions/api/common/get-api-description/handler.ts';
import { httpEvent } from '../../support/http/http-events.ts';
import { captureLogLines, type LogLine } from '../../support/log-lines.ts';

const description = { openapi: '3.1.1', info: { title: 'x'.repeat(2000) } };

let lines: () => readonly LogLine[];
beforeEach(() => {
  lines = captureLogLines().lines;
});

function get(headers: Record<string, string> = {}, document: object = description) {
  const { authorizer: _, ...requestContext } = httpEvent({}).requestContext;
  const event: APIGatewayProxyEventV2 = { ...httpEvent({ headers }), requestContext };
  return createHandler({ description: document })(event);
}

test('the description is returned without a token, as cacheable JSON', async () => {
  const { statusCode, headers, body } = await get();
  expect(statusCode).toBe(200);
  expect(JSON.parse(body ?? '')).toEqual(description);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    etag: expect.stringMatching(/^W\/"[\w-]{43}"$/),
  });
});

test('the description is compressed for a client that accepts gzip', async () => {
  const { headers, body, isBase64Encoded } = await get({ 'accept-encoding': 'gzip' });
  expect([headers?.['content-encoding'], headers?.vary, isBase64Encoded]).toEqual(['gzip', 'accept-encoding', true]);
  expect(JSON.parse(gunzipSync(Buffer.from(body ?? '', 'base64')).toString())).toEqual(description);
});

test('a client that has the current description gets a 304 without a body', async () => {
  const etag = String((await get()).headers?.etag);
  for (const known of [etag, etag.replace('W/', ''), `"other", ${etag}`, '*']) {
    const { statusCode, headers, body } = await get({ 'if-none-match': known });
    expect([known, statusCode, headers?.etag, body]).toEqual([known, 304, etag, undefined]);
  }
});

test('a client that has another version gets the description', async () => {
  const etag = String((await get()).headers?.etag);
  const { statusCode, headers } = await get({ 'if-none-match': etag }, { openapi: '3.1.1' });
  expect(statusCode).toBe(200);
  expect(headers?.etag).not.toBe(etag);
});

test('a request writes one log line without any data about the caller', async () => {
  await get({ authorization: 'Bearer canary', 'if-none-match': 'canary' });
  expect(lines().map(({ facts }) => [facts.message, facts.operationId, facts.statusCode])).toEqual([
    ['request', 'get-api-description', 200],
  ]);
  expect(lines()[0]?.text).not.toContain('canary');
});
