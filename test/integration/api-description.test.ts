import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { send } from '../support/checked-api.ts';
import { endpoints } from '../support/machine.ts';

const address = '/v1/openapi.json';
const checkedIn = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));

describe('GET /v1/openapi.json', () => {
  it('answers the description that is checked in, without a token', async () => {
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

  it('does not care for a token, a good one or a bad one', async () => {
    for (const authorization of ['Bearer x', 'Basic x', '']) {
      expect((await send('GET', address, { headers: { authorization } })).status).toBe(200);
    }
  });

  it('has itself in it, and says that it takes no token', async () => {
    const { text } = await send('GET', address);
    expect(JSON.parse(text).paths[address].get).toMatchObject({ operationId: 'get-api-description', security: [] });
  });

  it('sends nothing again to a client that has it', async () => {
    const { headers } = await send('GET', address);
    const etag = String(headers.etag);
    const again = await send('GET', address, { headers: { 'if-none-match': etag } });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    expect((await send('GET', address, { headers: { 'if-none-match': 'W/"another"' } })).status).toBe(200);
  });

  it('comes compressed to who takes gzip', async () => {
    const answer = await fetch(new URL(address, endpoints.apiUrl), { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(await answer.json()).toEqual(checkedIn);
  });

  it('is there for no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const { status, text } = await send(method, address);
      expect([status, JSON.parse(text)]).toEqual([404, { message: 'Not Found' }]);
    }
  });
});
