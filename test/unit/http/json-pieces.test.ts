import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isLong, jsonPieces } from '#shared/http/json-pieces.ts';
import { emptyResponse } from '#shared/http/json-response.ts';
import { deliverableBody } from '#shared/http/response-body.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';

const deliverableJson = (body: unknown, acceptEncoding?: string, narrowedBy?: readonly string[]) =>
  deliverableBody(
    emptyResponse(200, { 'x-a': 'b' }),
    { pieces: jsonPieces(body), isLong: isLong(body) },
    acceptEncoding,
    narrowedBy,
  );
const long = (length: number) => Array.from({ length }, (_, index) => (index % 3 === 0 ? null : index / 7));

test.each([
  ['a value without arrays', { a: 1, b: undefined, c: 'é"' }],
  ['an array of 10 000 elements', long(10_000)],
])('%s is not long', (_what, value) => {
  expect(isLong(value)).toBe(false);
  expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value));
});

test.each([10_001, 20_000, 20_001, 45_678])('the pieces of arrays of %d elements are together their JSON', (length) => {
  const value = [{ name: 'a', samples: { one: long(length), none: [], other: long(length) }, end: 1 }, long(3)];
  expect(isLong(value)).toBe(true);
  const texts = [...jsonPieces(value)];
  expect(texts.join('')).toBe(JSON.stringify(value));
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThan(250_000);
});

test('each element of a list whose arrays are long together is a piece', () => {
  const value = Array.from({ length: 30 }, () => ({ name: 'é', samples: long(400) }));
  expect(isLong(value)).toBe(true);
  const texts = [...jsonPieces(value)];
  expect(texts.join('')).toBe(JSON.stringify(value));
  expect(Math.max(...texts.map((text) => text.length))).toBe(JSON.stringify(value[0]).length);
});

test('a body in pieces is delivered as it is, or compressed', async () => {
  const body = { samples: long(30_000) };
  const plain = await deliverableJson(body);
  expect(plain).toMatchObject({ statusCode: 200, headers: { 'x-a': 'b' }, body: JSON.stringify(body) });
  const { headers, body: text = '', isBase64Encoded } = await deliverableJson(body, 'gzip');
  expect([headers?.['content-encoding'], isBase64Encoded]).toEqual(['gzip', true]);
  expect(gunzipSync(Buffer.from(text, 'base64')).toString()).toBe(JSON.stringify(body));
});

test('a body in pieces that is too large is rejected before all of its text is written', async () => {
  let written = 0;
  const counting = { toJSON: () => ++written };
  const body = { samples: Array(900_000).fill(0.123_456_789), last: Array(20_000).fill(counting) };
  const answer = deliverableJson(body, undefined, ['from', 'to']);
  await expect(answer).rejects.toThrow(InvalidRequest);
  await expect(answer).rejects.toMatchObject({
    issues: [
      { path: 'from', message: expect.stringContaining('at most 6 MB can be returned, or accept gzip') },
      { path: 'to' },
    ],
  });
  expect(written).toBe(0);
});
