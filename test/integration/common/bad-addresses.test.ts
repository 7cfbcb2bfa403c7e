import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { badLimits, goodLimits, unknownParameters } from '../../support/http/bad-queries.ts';
import { clientOf, codeOf, issuePaths } from '../../support/http/checked-api.ts';
import { organization } from '../../support/machine.ts';

const acme = organization();
const call = clientOf(acme);
const list = '/v1/transcriptions';
const onOne = [
  ['GET', ''],
  ['DELETE', ''],
  ['GET', '/access-link'],
] as const;

const notIds = [
  ...['abc', '1', 'null', 'undefined', '.', '..', '...', '%2e%2e%2f', '..%2f..%2fetc%2fpasswd', '%5c..', '*'],
  ...[
    '%00',
    `${randomUUID()}%00`,
    `${randomUUID()}%0A`,
    `%20${randomUUID()}`,
    `${randomUUID()}.md`,
    `${randomUUID()}%3Fx`,
  ],
  ...[randomUUID().replaceAll('-', ''), `%7B${randomUUID()}%7D`, `urn:uuid:${randomUUID()}`, 'x'.repeat(2048)],
  ...[
    encodeURIComponent('{"$gt":""}'),
    encodeURIComponent('TENANT#x'),
    encodeURIComponent('٣'),
    '%F0%9F%8E%99',
    '{transcriptionId}',
  ],
  ...['__proto__', 'constructor', "'%20OR%20'1'='1", `${randomUUID()};a=b`, `${randomUUID()},${randomUUID()}`],
];

describe.each(onOne)('%s /v1/transcriptions/{transcriptionId}%s', (method, suffix) => {
  it.each(notIds)('rejects the id %s', async (id) => {
    const answer = await call(method, `${list}/${id}${suffix}`);

    expect([answer.status, issuePaths(answer)]).toEqual([400, ['transcriptionId']]);
  });

  it.each(['%', '%zz', '%E0%A4%A', '%FF'])('returns 400 for the broken percent-encoding %s', async (id) => {
    expect((await call(method, `${list}/${id}${suffix}`)).status).toBe(400);
  });

  it('returns 404 for the nil UUID and for a UUID of an unknown version', async () => {
    for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', randomUUID()]) {
      const answer = await call(method, `${list}/${id}${suffix}`);
      expect(answer.status).toBe(method === 'DELETE' ? 204 : 404);
      if (method === 'GET') expect(codeOf(answer)).toBe('transcription_not_found');
    }
  });

  it('rejects unknown parameters', async () => {
    const answer = await call(method, `${list}/${randomUUID()}${suffix}?force=true&x%20y=1`);

    expect(answer.status).toBe(400);
    expect(issuePaths(answer).toSorted()).toEqual(['force', 'x y']);
  });

  it('names both an invalid id and an unknown parameter in one error', async () => {
    const answer = await call(method, `${list}/abc${suffix}?force=true`);

    expect(issuePaths(answer).toSorted()).toEqual(['force', 'transcriptionId']);
  });
});

describe('GET /v1/transcriptions', () => {
  it.each(badLimits)('rejects limit=%s', async (limit) => {
    const answer = await call('GET', `${list}?limit=${limit}`);

    expect([answer.status, issuePaths(answer)]).toEqual([400, ['limit']]);
  });

  it.each(goodLimits)('accepts limit=%s', async (limit) => {
    expect((await call('GET', `${list}?limit=${limit}`)).status).toBe(200);
  });

  const orders = [
    '',
    'startDate',
    'startDate:',
    'startDate:up',
    'startDate:ASC',
    'StartDate:asc',
    'createdAt:asc',
    '__proto__:asc',
  ];
  it.each([...orders, 'startDate:asc:desc', 'startDate%20asc', ':asc', 'startDate:asc,roomName:asc'])(
    'rejects sortBy=%s',
    async (order) => {
      const answer = await call('GET', `${list}?sortBy=${order}`);

      expect([answer.status, issuePaths(answer)]).toEqual([400, ['sortBy']]);
    },
  );

  it.each(unknownParameters)('rejects the unknown parameter "%s"', async (name) => {
    const answer = await call('GET', `${list}?${name}=1`);

    expect([answer.status, issuePaths(answer)]).toEqual([400, [name || 'query']]);
  });

  it.each([
    ['limit', 'limit=1&limit=2'],
    ['limit', 'limit=1&limit=1'],
    ['limit', 'limit=1&%6Cimit=1'],
    ['roomName', 'roomName=/a&limit=1&roomName=/b'],
    ['sortBy', 'sortBy=startDate:asc&sortBy=startDate:asc'],
    ['cursor', 'cursor=a&cursor=b'],
    ['limit', 'limit&limit'],
  ])('rejects a repeated %s parameter: %s', async (name, query) => {
    const answer = await call('GET', `${list}?${query}`);

    expect(answer.status).toBe(400);
    expect(issuePaths(answer)).toContain(name);
  });

  it('accepts an empty query and a query of ampersands only', async () => {
    for (const query of ['?', '?&', '?&&&']) expect((await call('GET', `${list}${query}`)).status).toBe(200);
  });

  it('does not echo rejected values', async () => {
    const answer = await call('GET', `${list}?roomName=%3Cscript%3Ealert(1)%3C/script%3E&cursor=secret-value`);

    expect(answer.text).not.toMatch(/script|secret-value/);
  });
});

describe('the gateway', () => {
  const id = randomUUID();
  it.each([
    ...['PUT', 'PATCH', 'OPTIONS', 'HEAD', 'DELETE'].map((method) => [method, list]),
    ...['PUT', 'PATCH', 'POST', 'HEAD'].map((method) => [method, `${list}/${id}`]),
    ...['POST', 'DELETE', 'PUT'].map((method) => [method, `${list}/${id}/access-link`]),
    ...[
      `${list}/`,
      `${list}/${id}/`,
      `${list}//${id}`,
      `/v1//transcriptions`,
      '/V1/transcriptions',
      '/v1/Transcriptions',
    ].map((path) => ['GET', path]),
    ...[
      '/',
      '/v1',
      '/v2/transcriptions',
      `${list}/${id}/access-link/x`,
      `${list}/../transcriptions`,
      '/v1/transcriptions%2F',
    ].map((path) => ['GET', path]),
    ...[`/dev${list}`, '/$default', '/health'].map((path) => ['GET', path]),
  ])('returns 404 for %s %s', async (method = '', path = '') => {
    const answer = await call(method, path);

    expect(answer.status).toBe(404);
    if (method !== 'HEAD') expect(JSON.parse(answer.text)).toEqual({ message: 'Not Found' });
  });

  it('returns 431 for more than 10 KB of headers, and serves the next request', async () => {
    const answer = await call('GET', list, { headers: { 'x-padding': 'a'.repeat(11_000) } });

    expect(answer.status).toBe(431);
    expect((await call('GET', list)).status).toBe(200);
  });
});
