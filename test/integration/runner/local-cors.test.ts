import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startLocalApi } from '../../support/local-api.ts';

const origin = 'https://app.example.com';
const cors = {
  AllowOrigins: [origin, 'http://localhost:5173'],
  AllowMethods: ['GET', 'POST'],
  AllowHeaders: ['authorization', 'idempotency-key'],
  ExposeHeaders: ['x-ratelimit-limit', 'apigw-requestid'],
  MaxAge: 3600,
};

let api: Awaited<ReturnType<typeof startLocalApi>>;
let authorization = '';
beforeAll(async () => {
  api = await startLocalApi(['GET /things', 'POST /things'], { cors });
  authorization = `Bearer ${await api.sign()}`;
});
afterAll(() => api.stop());
beforeEach(() => {
  api.events.length = 0;
  api.behind.answer = async () => ({ ok: true, payload: '{}' });
});

/** The CORS headers of an answer. */
function corsOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));
}

const preflight = (headers: Record<string, string>, path = '/things') =>
  fetch(`${api.url}${path}`, { method: 'OPTIONS', headers });
const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' };

describe('a CORS preflight', () => {
  it.each(cors.AllowOrigins)(
    'from %s is answered by the gateway, without a token and without the function',
    async (from) => {
      const response = await preflight({ ...asked, origin: from });

      expect([response.status, await response.text()]).toEqual([204, '']);
      expect(corsOf(response)).toEqual({
        'access-control-allow-origin': from,
        'access-control-allow-methods': 'GET,POST',
        'access-control-allow-headers': 'authorization,idempotency-key',
        'access-control-expose-headers': 'x-ratelimit-limit,apigw-requestid',
        'access-control-max-age': '3600',
      });
      expect(api.events).toEqual([]);
    },
  );

  it.each(['https://evil.example.com', 'https://app.example.com.evil.org', 'http://app.example.com', 'null'])(
    'from %s gets no CORS headers',
    async (from) => {
      const response = await preflight({ ...asked, origin: from });
      expect([response.status, corsOf(response)]).toEqual([204, {}]);
    },
  );

  it('is answered for an unknown route too', async () => {
    expect((await preflight({ ...asked, origin }, '/nothing')).status).toBe(204);
  });
});

describe('a cross-origin call', () => {
  const call = (from: string | undefined, path = '/things', headers: Record<string, string> = { authorization }) =>
    fetch(`${api.url}${path}`, { headers: { ...headers, ...(from && { origin: from }) } });
  const readable = {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'x-ratelimit-limit,apigw-requestid',
  };

  it('from an allowed origin can be read by the page', async () => {
    const response = await call(origin);
    expect([response.status, corsOf(response)]).toEqual([200, readable]);
  });

  it('that fails can be read by the page too, at every stage of the failure', async () => {
    const refused = await call(origin, '/things', {});
    expect([refused.status, corsOf(refused)]).toEqual([401, readable]);
    const missed = await call(origin, '/nothing');
    expect([missed.status, corsOf(missed)]).toEqual([404, readable]);
    api.behind.answer = async () => ({ ok: false, fault: { errorType: 'Error', errorMessage: 'a defect', trace: [] } });
    const broken = await call(origin);
    expect([broken.status, corsOf(broken)]).toEqual([500, readable]);
  });

  it('from another origin, or without one, is answered without CORS headers', async () => {
    for (const from of ['https://evil.example.com', undefined]) {
      const response = await call(from);
      expect([response.status, corsOf(response)]).toEqual([200, {}]);
    }
  });
});

it('the gateway answers no preflight and sends no CORS headers if the stack has no CORS', async () => {
  const closed = await startLocalApi(['GET /things']);
  try {
    const response = await fetch(`${closed.url}/things`, { method: 'OPTIONS', headers: { ...asked, origin } });
    expect([response.status, corsOf(response)]).toEqual([404, {}]);
  } finally {
    await closed.stop();
  }
});
