import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../support/machine.ts';

const form = { grant_type: 'client_credentials', client_id: 'acme', client_secret: 'local' };

function ask(fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(endpoints.tokenUrl, { method: 'POST', headers, body: new URLSearchParams(fields) });
}

describe('the local token endpoint', () => {
  it('issues a token for an hour, with the organization as its client id and caching forbidden', async () => {
    const response = await ask(form);

    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { access_token, token_type, expires_in } = (await response.json()) as Record<string, string>;
    expect([token_type, expires_in]).toEqual(['Bearer', 3600]);
    const { payload } = await jwtVerify(access_token ?? '', createRemoteJWKSet(new URL(endpoints.jwksUrl)), {
      issuer: endpoints.issuer,
      algorithms: ['RS256'],
    });
    expect(payload).toMatchObject({
      sub: 'acme',
      client_id: 'acme',
      token_use: 'access',
      scope: 'roomscribe/access',
      jti: expect.any(String),
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
  });

  it('accepts Basic authentication too', async () => {
    const authorization = `Basic ${Buffer.from('acme:local').toString('base64')}`;
    const response = await ask({ grant_type: 'client_credentials' }, { authorization });

    expect(response.status).toBe(200);
  });

  it.each([
    ['a wrong secret', { ...form, client_secret: 'guess' }],
    ['no client', { grant_type: 'client_credentials' }],
    ['an invalid organization id', { ...form, client_id: 'a b' }],
    ['an id that is too long', { ...form, client_id: 'a'.repeat(65) }],
  ])('rejects %s with invalid_client', async (_, fields) => {
    const response = await ask(fields);

    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic/);
    expect(await response.json()).toEqual({ error: 'invalid_client' });
  });

  it('issues a token for the scope of the API, and rejects others with invalid_scope', async () => {
    expect((await ask({ ...form, scope: 'roomscribe/access' })).status).toBe(200);
    const response = await ask({ ...form, scope: 'other/access' });
    expect([response.status, await response.json()]).toEqual([400, { error: 'invalid_scope' }]);
  });

  it('rejects other grants with unsupported_grant_type', async () => {
    const response = await ask({ ...form, grant_type: 'password' });

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'unsupported_grant_type' });
  });

  it.each([
    ['no grant', { client_id: 'acme', client_secret: 'local' }, {}],
    ['JSON', form, { 'content-type': 'application/json' }],
    ['two ways to authenticate', form, { authorization: `Basic ${Buffer.from('acme:local').toString('base64')}` }],
  ])('rejects %s with invalid_request', async (_, fields, headers) => {
    const response = await ask(fields, headers);

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'invalid_request' });
  });

  it('has no tokens of people, because the stage has no console', async () => {
    const url = endpoints.tokenUrl.replace('/oauth2/token', '/people/token');
    const response = await fetch(url, { method: 'POST', body: new URLSearchParams({ person_id: 'p-1' }) });

    expect(response.status).toBe(404);
    expect(endpoints.people).toBeUndefined();
  });
});
