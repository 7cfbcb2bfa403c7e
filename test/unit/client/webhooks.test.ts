import { describe, expect, test } from 'vitest';
import { ConflictError, Roomscribe } from '#client/index.ts';
import { answerOf, type Scripted, scriptedFetch } from '../../support/client/scripted-fetch.ts';

function webhooksWith(...script: readonly Scripted[]) {
  const { fetch, sent } = scriptedFetch(...script);
  return { ...new Roomscribe({ apiUrl: 'https://api.example', token: 't', fetch }), sent };
}

const base = '/v1/webhooks';

describe('each method sends its request', () => {
  const url = 'https://shop.example/hooks';
  test.each([
    [
      'create',
      [{ url, types: ['transcription.finished'] }],
      201,
      'POST',
      base,
      { url, types: ['transcription.finished'] },
    ],
    ['get', ['w-1'], 200, 'GET', `${base}/w-1`, undefined],
    [
      'update',
      ['w-1', { types: null, state: 'enabled' }],
      200,
      'PATCH',
      `${base}/w-1`,
      { types: null, state: 'enabled' },
    ],
    ['delete', ['w-1'], 204, 'DELETE', `${base}/w-1`, undefined],
    ['rotateSecret', ['w-1'], 200, 'POST', `${base}/w-1/secret`, {}],
    [
      'rotateSecret',
      ['w-1', { previousValidForSeconds: 0 }],
      200,
      'POST',
      `${base}/w-1/secret`,
      { previousValidForSeconds: 0 },
    ],
    ['test', ['w-1'], 200, 'POST', `${base}/w-1/test`, undefined],
    [
      'replay',
      ['w-1', { from: '2026-03-01T00:00:00Z' }],
      202,
      'POST',
      `${base}/w-1/replay`,
      { from: '2026-03-01T00:00:00Z' },
    ],
  ] as const)('%s(%j)', async (method, args, status, verb, path, body) => {
    const answer = status === 204 ? new Response(null, { status }) : answerOf(status, { webhookId: 'w-1' });
    const { webhooks, sent } = webhooksWith(answer);
    const result: unknown = await Reflect.apply(webhooks[method], webhooks, args);
    expect(result).toEqual(status === 204 ? undefined : { webhookId: 'w-1' });
    const [request] = sent;
    expect([request?.method, request?.url.pathname, request?.body && JSON.parse(request.body)]).toEqual([
      verb,
      path,
      body,
    ]);
  });

  test('the lists fetch their pages', async () => {
    const script = [answerOf(200, { results: [1], cursor: 'more' }), answerOf(200, { results: [2], cursor: null })];
    const { webhooks, sent } = webhooksWith(...script, ...script);
    expect(await webhooks.list({ limit: 1 }).toArray()).toEqual([1, 2]);
    expect(await webhooks.listDeliveries('w-1').toArray()).toEqual([1, 2]);
    expect(sent.map(({ url: { pathname, search } }) => pathname + search)).toEqual([
      `${base}?limit=1`,
      `${base}?limit=1&cursor=more`,
      `${base}/w-1/deliveries`,
      `${base}/w-1/deliveries?cursor=more`,
    ]);
  });
});

test.each(['create', 'rotateSecret'] as const)('%s has one idempotency key for all its attempts', async (method) => {
  const answer = answerOf(method === 'create' ? 201 : 200, { secret: 's' });
  const { webhooks, sent } = webhooksWith(answerOf(503, {}, { 'retry-after': '0' }), answer);
  await Reflect.apply(webhooks[method], webhooks, method === 'create' ? [{ url: 'https://a.example' }] : ['w-1']);
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toEqual([expect.stringMatching(/^.{36}$/), keys[0]]);
});

test('a replay in progress is not repeated', async () => {
  const { webhooks, sent } = webhooksWith(answerOf(409, { code: 'replay_in_progress', message: 'Wait.' }));
  await expect(webhooks.replay('w-1', { from: '2026-03-01T00:00:00Z' })).rejects.toBeInstanceOf(ConflictError);
  expect(sent).toHaveLength(1);
});
