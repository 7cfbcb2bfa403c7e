import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { send } from '../../support/http/checked-api.ts';
import { endpoints } from '../../support/machine.ts';

const address = '/v1/openapi.json';
const checkedIn = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));

describe('GET /v1/openapi.json', () => {
  it('returns the committed description without a token', async () => {
    const { status, headers, text } = await send('GET', address);

    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/json',
      'public, max-age=300',
    ]);
    expect(JSON.parse(text)).toEqual(checkedIn);
    expect(await lintFromString({ source: text, config: await createConfig({ extends: ['recommended'] }) })).toEqual(
      [],
    );
  });

  it('ignores a token, whether valid or not', async () => {
    for (const authorization of ['Bearer x', 'Basic x', '']) {
      expect((await send('GET', address, { headers: { authorization } })).status).toBe(200);
    }
  });

  it('describes itself as an endpoint without a token', async () => {
    const { text } = await send('GET', address);
    expect(JSON.parse(text).paths[address].get).toMatchObject({ operationId: 'get-api-description', security: [] });
  });

  it('returns no body if the client already has the current version', async () => {
    const { headers } = await send('GET', address);
    const etag = String(headers.etag);
    const again = await send('GET', address, { headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    expect((await send('GET', address, { headers: { 'if-none-match': 'W/"another"' } })).status).toBe(200);
  });

  it('is compressed if the client accepts gzip', async () => {
    const answer = await fetch(new URL(address, endpoints.apiUrl), { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(await answer.json()).toEqual(checkedIn);
  });

  it('returns 404 for every other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, text } = await send(method, address);
      expect([status, JSON.parse(text)]).toEqual([404, { message: 'Not Found' }]);
    }
  });
});
