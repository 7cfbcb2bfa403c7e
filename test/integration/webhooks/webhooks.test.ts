import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Webhook, WebhookPage } from '#shared/contracts/webhooks/webhooks.ts';
import { clientOf, codeOf, issuePaths, read } from '../../support/http/checked-api.ts';
import { organization } from '../../support/machine.ts';
import {
  bodyOf,
  changeRow,
  createWebhook,
  pathOf,
  quietUrl,
  rowOf,
  webhooksPath,
} from '../../support/webhooks/webhooks.ts';

const acme = organization();
const call = clientOf(acme);
const create = (body: object, headers = {}) => call('POST', webhooksPath, { body, headers });

describe('create-webhook', () => {
  it('creates an enabled webhook of all types, and names its address', async () => {
    const answer = await create({ url: quietUrl });
    const { webhookId, createdAt, secret } = bodyOf<Webhook & { secret: string }>(answer);

    expect([answer.status, answer.headers.location]).toEqual([201, pathOf(webhookId)]);
    const webhook = {
      ...{ webhookId, url: quietUrl, types: null, description: '', signature: 'standard', state: 'enabled' },
      ...{ disabledBy: null, createdAt, failingSince: null, parkedUntil: null, previousSecretExpiresAt: null },
      replay: null,
    };
    expect(bodyOf(answer)).toEqual({ ...webhook, secret });
    expect(bodyOf(await call('GET', pathOf(webhookId)))).toEqual(webhook);
  });

  it('keeps what it is given, and each type once', async () => {
    const body = { url: `${quietUrl}?a=b`, description: 'Minutes ✓', signature: 'whereby', unknown: 1 } as const;
    const types = ['recording.received', 'webhook.disabled', 'recording.received'] as const;
    const { secret, webhookId } = await createWebhook(acme, { ...body, types: [...types] });

    const { unknown: _, ...kept } = body;
    expect(bodyOf(await call('GET', pathOf(webhookId)))).toMatchObject({
      ...kept,
      types: ['recording.received', 'webhook.disabled'],
    });
    expect(secret).toMatch(/^whsec_/);
  });

  const bad: readonly (readonly [what: string, body: object, path: string])[] = [
    ['no address', {}, 'url'],
    ['a path', { url: '/hooks' }, 'url'],
    ['another protocol', { url: 'ftp://receiver.example/' }, 'url'],
    ['a space in it', { url: 'https://receiver.example/ x' }, 'url'],
    ['a user name', { url: 'https://ada@receiver.example/' }, 'url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
    ['the address of metadata', { url: 'http://169.254.169.254/latest' }, 'url'],
    ['an address of 2049 bytes', { url: `https://receiver.example/${'x'.repeat(2024)}` }, 'url'],
    ['no types', { url: quietUrl, types: [] }, 'types'],
    ['an unknown type', { url: quietUrl, types: ['room.opened'] }, 'types.0'],
    ['a long description', { url: quietUrl, description: '✓'.repeat(86) }, 'description'],
    ['an unknown signature', { url: quietUrl, signature: 'none' }, 'signature'],
  ];
  it.each(bad)('refuses %s', async (_, body, path) => {
    const answer = await create(body);
    expect([answer.status, issuePaths(answer)]).toEqual([400, [path]]);
  });

  it('stops at the ceiling of an organization, also if requests race, and goes on after a deletion', async () => {
    const own = clientOf(organization());
    const post = () => own('POST', webhooksPath, { body: { url: quietUrl } });
    const answers = await Promise.all(Array.from({ length: 26 }, post));

    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map((answer) => [answer.status, codeOf(answer)])).toEqual(
      Array.from({ length: 6 }, () => [403, 'too_many_webhooks']),
    );
    const { results } = read(WebhookPage, await own('GET', `${webhooksPath}?limit=100`));
    expect(results).toHaveLength(20);
    await own('DELETE', pathOf(results[7]?.webhookId ?? ''));
    expect([(await post()).status, (await post()).status]).toEqual([201, 403]);
  });
});

describe('list-webhooks', () => {
  it('lists the webhooks of the organization only, the oldest first, in pages', async () => {
    const [own, other] = [organization(), organization()];
    const made: string[] = [];
    for (let index = 0; index < 5; index++) made.push((await createWebhook(own)).webhookId);
    await createWebhook(other);

    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '?limit=2' : `?limit=2&cursor=${cursor}`;
      const page: WebhookPageOf = read(WebhookPage, await clientOf(own)('GET', `${webhooksPath}${query}`));
      ids.push(...page.results.map(({ webhookId }) => webhookId));
      cursor = page.cursor;
    } while (cursor !== null);
    expect(ids).toEqual(made);
  });

  it('shows no secret, also in CSV and NDJSON', async () => {
    const own = organization();
    const { webhookId, secret } = await createWebhook(own, { types: ['recording.received', 'recording.refused'] });
    for (const accept of ['application/json', 'text/csv', 'application/x-ndjson']) {
      const { text } = await clientOf(own)('GET', webhooksPath, { headers: { accept } });
      expect(text).toContain(webhookId);
      expect(text).not.toContain(secret.slice(6));
    }
    const { text } = await clientOf(own)('GET', webhooksPath, { headers: { accept: 'text/csv' } });
    const [head, row] = text.split('\r\n');
    expect(head).toMatch(/^webhookId,url,types,.*,replay\.replayId,.*replay\.planned$/);
    expect(row).toContain('"[""recording.received"",""recording.refused""]"');
  });

  it.each(['?limit=0', '?limit=101', '?cursor=x', '?state=enabled', '?limit=1&limit=2'])(
    'refuses %s',
    async (query) => {
      expect((await call('GET', `${webhooksPath}${query}`)).status).toBe(400);
    },
  );
});

type WebhookPageOf = { readonly results: readonly Webhook[]; readonly cursor: string | null };

describe('update-webhook', () => {
  const patch = (webhookId: string, body: unknown) => call('PATCH', pathOf(webhookId), { body });

  it('changes what the body names, and nothing else', async () => {
    const { secret: _, ...before } = await createWebhook(acme, { types: ['recording.received'] });
    const { webhookId } = before;
    let expected: object = before;
    for (const change of [
      { description: 'Another' },
      { types: ['webhook.disabled'] },
      { types: null },
      { signature: 'whereby' },
      { url: 'https://another.example/' },
      { description: '', types: ['recording.refused'] },
    ]) {
      expected = { ...expected, ...change };
      const answer = await patch(webhookId, change);
      expect([answer.status, bodyOf(answer)]).toEqual([200, expected]);
      expect(bodyOf(await call('GET', pathOf(webhookId)))).toEqual(expected);
    }
  });

  it('disables and enables, which forgets earlier failures', async () => {
    const { webhookId } = await createWebhook(acme);
    const health = { failingSince: '2026-03-02T09:00:00.000Z', failuresInARow: 9, parkings: 2 };
    await changeRow(acme, webhookId, { ...health, parkedUntil: '2999-01-01T00:00:00.000Z' });

    const disabled = bodyOf<Webhook>(await patch(webhookId, { state: 'disabled' }));
    expect(disabled).toMatchObject({ state: 'disabled', disabledBy: 'owner', failingSince: health.failingSince });
    const enabled = bodyOf<Webhook>(await patch(webhookId, { state: 'enabled' }));
    expect(enabled).toMatchObject({ state: 'enabled', disabledBy: null, failingSince: null, parkedUntil: null });
    const row = await rowOf(acme, webhookId);
    expect(Object.keys(row ?? {}).filter((name) => /failing|failures|park|disabledBy/.test(name))).toEqual([
      'parkings',
    ]);
    expect(row?.parkings).toBe(1); // so that the first call is a single one
  });

  it('forgets failures for another address, and leaves a disabled webhook disabled', async () => {
    const { webhookId } = await createWebhook(acme);
    await changeRow(acme, webhookId, {
      state: 'disabled',
      disabledBy: 'service',
      parkedUntil: '2999-01-01T00:00:00.000Z',
    });
    expect(bodyOf(await patch(webhookId, { url: 'https://new.example/' }))).toMatchObject({
      ...{ url: 'https://new.example/', state: 'disabled', disabledBy: 'service', parkedUntil: null },
    });
  });

  it('changes attributes side by side with a run of deliveries', async () => {
    const { webhookId } = await createWebhook(acme);
    await changeRow(acme, webhookId, { runId: 'run-1', runUntil: '2999-01-01T00:00:00.000Z', wakes: 3 });
    await patch(webhookId, { description: 'Another' });
    expect(await rowOf(acme, webhookId)).toMatchObject({ runId: 'run-1', wakes: 3, description: 'Another' });
  });

  it.each([
    ['nothing', {}, 'body'],
    ['only what is unknown', { secret: 'x' }, 'body'],
    ['a private address', { url: 'https://[fd00::1]/' }, 'url'],
    ['an unknown state', { state: 'paused' }, 'state'],
    ['no types', { types: [] }, 'types'],
    ['a null description', { description: null }, 'description'],
  ])('refuses %s', async (_, body, path) => {
    const { webhookId } = await createWebhook(organization());
    const answer = await patch(webhookId, body);
    expect([answer.status, issuePaths(answer)]).toEqual([400, [path]]);
  });
});

describe('delete-webhook', () => {
  it('removes a webhook for good, and answers the same when it is repeated', async () => {
    const { webhookId } = await createWebhook(acme);
    for (let time = 0; time < 2; time++) expect((await call('DELETE', pathOf(webhookId))).status).toBe(204);
    for (const [method, suffix, body] of ofOne) {
      if (method === 'DELETE') continue;
      const answer = await call(method, pathOf(webhookId, suffix), { body });
      expect([suffix, answer.status, codeOf(answer)]).toEqual([suffix, 404, 'webhook_not_found']);
    }
    expect(await rowOf(acme, webhookId)).toBeUndefined(); // no update has brought it back
  });
});

const yesterday = () => new Date(Date.now() - 24 * 3_600_000).toISOString();
const ofOne = [
  ['GET', '', undefined],
  ['PATCH', '', { description: 'x' }],
  ['DELETE', '', undefined],
  ['POST', '/secret', {}],
  ['POST', '/test', undefined],
  ['GET', '/deliveries', undefined],
  ['POST', '/replay', { from: yesterday() }],
] as const;

describe.each(ofOne)('%s /v1/webhooks/{webhookId}%s', (method, suffix, body) => {
  it('treats the webhook of another organization as an unknown one, and leaves it unchanged', async () => {
    const victim = organization();
    const { webhookId } = await createWebhook(victim);
    const before = await rowOf(victim, webhookId);

    const foreign = await call(method, pathOf(webhookId, suffix), { body });
    const unknown = await call(method, pathOf(randomUUID(), suffix), { body });
    expect([foreign.status, foreign.text]).toEqual([unknown.status, unknown.text]);
    expect(foreign.status).toBe(method === 'DELETE' ? 204 : 404);
    expect(await rowOf(victim, webhookId)).toEqual(before);
  });

  it.each(['abc', '%00', `${randomUUID()}%0A`, '__proto__'])('refuses the id %s', async (id) => {
    const answer = await call(method, pathOf(id, suffix), { body });
    expect([answer.status, issuePaths(answer)]).toEqual([400, ['webhookId']]);
  });

  it('refuses unknown parameters', async () => {
    const answer = await call(method, `${pathOf(randomUUID(), suffix)}?force=true`, { body });
    expect([answer.status, issuePaths(answer)]).toEqual([400, ['force']]);
  });
});

const withBody = ofOne.filter(([, , body]) => body !== undefined);
describe.each(withBody)('the body of %s /v1/webhooks/{webhookId}%s', (method, suffix) => {
  it('must be JSON, and declared as such', async () => {
    const path = pathOf(randomUUID(), suffix);
    const broken = await call(method, path, { body: '{' });
    expect([broken.status, issuePaths(broken)]).toEqual([400, ['body']]);
    const undeclared = await call(method, path, { body: '{}', headers: { 'content-type': 'text/plain' } });
    expect([undeclared.status, codeOf(undeclared)]).toEqual([415, 'unsupported_media_type']);
  });
});
