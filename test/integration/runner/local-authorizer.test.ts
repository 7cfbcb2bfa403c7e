import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startLocalApi } from '../../support/local-api.ts';

let api: Awaited<ReturnType<typeof startLocalApi>>;
beforeAll(async () => {
  api = await startLocalApi(['GET /things/{id}']);
});
afterAll(() => api.stop());
beforeEach(() => {
  api.events.length = 0;
  api.authorizer.events.length = 0;
});

const call = (authorization?: string, to = api) =>
  fetch(`${to.url}/things/a?b=c`, { headers: authorization === undefined ? {} : { authorization } });
const contextOf = (event: (typeof api.events)[number] | undefined) => event?.requestContext.authorizer.lambda;

/** Lets the authorizer give another answer, for one test. */
function answerWith(answer: typeof api.authorizer.answer) {
  const { answer: usual } = api.authorizer;
  api.authorizer.answer = answer;
  onTestFinished(() => {
    api.authorizer.answer = usual;
  });
}

describe('the gateway calls the authorizer', () => {
  it('with the identity source and the request, and passes its context to the endpoint', async () => {
    const authorization = `Bearer ${await api.sign()}`;

    expect((await call(authorization)).status).toBe(200);
    expect(api.authorizer.events).toEqual([
      expect.objectContaining({
        version: '2.0',
        type: 'REQUEST',
        routeArn: 'arn:aws:execute-api:us-east-1:000000000000:local/$default/GET/things/a',
        identitySource: [authorization],
        routeKey: 'GET /things/{id}',
        rawPath: '/things/a',
        rawQueryString: 'b=c',
        pathParameters: { id: 'a' },
      }),
    ]);
    expect(contextOf(api.events[0])).toEqual({ client_id: 'acme', tokenExpiry: String(api.claims.exp) });
  });

  it.each([
    ['an expired token', 'expired', async () => `Bearer ${await api.sign({ ...api.claims, exp: 1 })}`],
    ['a token without Bearer', 'scheme', () => api.sign()],
    ['two tokens in one header', 'scheme', async () => `Bearer ${await api.sign()}, Bearer ${await api.sign()}`],
    ['a token of another scope', 'scope', async () => `Bearer ${await api.sign({ ...api.claims, scope: 'other' })}`],
    ['an unknown key', 'key', async () => `Bearer ${await api.sign(api.claims, { kid: 'unknown' })}`],
  ])('and passes on why it refused %s', async (_, reason, header) => {
    await call(await header());
    expect(api.events.map(contextOf)).toEqual([{ tokenRefusal: reason }]);
  });
});

describe('the gateway itself answers, and calls no endpoint,', () => {
  it.each([[undefined], ['']])('with 401 for the header %j, without the authorizer', async (header) => {
    const response = await call(header);
    expect([response.status, await response.json()]).toEqual([401, { message: 'Unauthorized' }]);
    expect([api.authorizer.events, api.events]).toEqual([[], []]);
  });

  it('with 403 if the authorizer denies', async () => {
    answerWith(async () => ({ ok: true, payload: '{"isAuthorized":false}' }));
    const response = await call('Bearer x');
    expect([response.status, await response.json()]).toEqual([403, { message: 'Forbidden' }]);
    expect(api.events).toEqual([]);
  });

  it.each(['{}', 'null', '"true"', '{"isAuthorized":"true"}', '{"principalId":"x"}'])(
    'with 500 if the authorizer returns %s',
    async (payload) => {
      answerWith(async () => ({ ok: true, payload }));
      expect((await call('Bearer x')).status).toBe(500);
      expect(api.events).toEqual([]);
    },
  );

  it('with 500 if the authorizer throws', async () => {
    answerWith(async () => ({ ok: false, fault: { errorType: 'Error', errorMessage: 'Unauthorized', trace: [] } }));
    expect((await call('Bearer x')).status).toBe(500);
    expect(api.events).toEqual([]);
  });
});

describe('the results of the authorizer', () => {
  it('are not cached without a time', async () => {
    const authorization = `Bearer ${await api.sign()}`;
    await call(authorization);
    await call(authorization);
    expect(api.authorizer.events).toHaveLength(2);
  });

  it('are cached for each header if the template says so, except failures', async () => {
    const cached = await startLocalApi(['GET /things/{id}'], { cacheSeconds: 60 });
    onTestFinished(() => cached.stop());
    const [one, other] = [`Bearer ${await cached.sign()}`, `Bearer ${await cached.sign({ ...cached.claims, exp: 1 })}`];
    for (const header of [one, one, other, other]) await call(header, cached);
    expect(cached.authorizer.events.map(({ identitySource }) => identitySource)).toEqual([[one], [other]]);
    expect(cached.events.map(contextOf)).toEqual([
      ...Array(2).fill({ client_id: 'acme', tokenExpiry: String(cached.claims.exp) }),
      ...Array(2).fill({ tokenRefusal: 'expired' }),
    ]);
    cached.authorizer.answer = async () => ({ ok: true, payload: 'null' });
    for (let turn = 0; turn < 2; turn += 1) expect((await call('Bearer new', cached)).status).toBe(500);
    expect(cached.authorizer.events).toHaveLength(4);
  });
});
