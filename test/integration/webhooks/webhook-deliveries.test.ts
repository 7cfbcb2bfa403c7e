import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Notice, NoticePage } from '#shared/contracts/notices.ts';
import { DeliveryPage, type Replay, type Webhook } from '#shared/contracts/webhooks/webhooks.ts';
import { clientOf, codeOf, issuePaths, read } from '../../support/http/checked-api.ts';
import { organization } from '../../support/machine.ts';
import {
  bodyOf,
  changeRow,
  createWebhook,
  pathOf,
  sessionNotice,
  storeDelivery,
  storeNotices,
} from '../../support/webhooks/webhooks.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A time before now, and before every webhook of these tests. */
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
const notices = '/v1/notices';

/** An organization with notices, one each hour, the oldest first. */
async function withNotices(count: number) {
  const own = organization();
  const made = Array.from({ length: count }, (_, index) => sessionNotice(own, ago((count - index) * hourMs)));
  await storeNotices(own, made);
  return { own, made, call: clientOf(own) };
}

/** All pages of a list of two elements each. */
async function pagesOf(organizationId: string, path: string, schema: typeof NoticePage | typeof DeliveryPage) {
  const results: unknown[] = [];
  let cursor: string | null = null;
  do {
    const more: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page: { readonly results: readonly unknown[]; readonly cursor: string | null } = read(
      schema,
      await clientOf(organizationId)('GET', `${path}limit=2${more}`),
    );
    results.push(...page.results);
    cursor = page.cursor;
  } while (cursor !== null);
  return results;
}

describe('list-notices', () => {
  it('lists the notices of the organization only, the oldest first, in pages', async () => {
    const [{ own, made }, other] = [await withNotices(5), await withNotices(1)];
    expect(await pagesOf(own, `${notices}?`, NoticePage)).toEqual(made);
    expect(await pagesOf(other.own, `${notices}?`, NoticePage)).toEqual(other.made);
  });

  it('includes `from` and not `to`, in pages', async () => {
    const { own, made } = await withNotices(6);
    const [from, to] = [made[1]?.createdAt ?? '', made[4]?.createdAt ?? ''];
    expect(await pagesOf(own, `${notices}?from=${from}&to=${to}&`, NoticePage)).toEqual(made.slice(1, 4));
    expect(await pagesOf(own, `${notices}?from=${from}&`, NoticePage)).toEqual(made.slice(1));
    expect(await pagesOf(own, `${notices}?to=${to}&`, NoticePage)).toEqual(made.slice(0, 4));
    expect(await pagesOf(own, `${notices}?to=2020-01-01T00:00:00Z&`, NoticePage)).toEqual([]);
  });

  it('leaves out notices that are older than 30 days', async () => {
    const own = organization();
    const [gone, kept] = [sessionNotice(own, ago(30 * dayMs + hourMs)), sessionNotice(own, ago(29 * dayMs))];
    await storeNotices(own, [gone, kept]);
    expect(await pagesOf(own, `${notices}?from=2020-01-01T00:00:00Z&`, NoticePage)).toEqual([kept]);
  });

  it('can be NDJSON, or CSV with the columns of every type', async () => {
    const { made, call } = await withNotices(2);
    const get = async (accept: string) => (await call('GET', notices, { headers: { accept } })).text;
    const lines = (await get('application/x-ndjson')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(made);
    const [head, first] = (await get('text/csv')).split('\r\n');
    expect(head).toMatch(/^id,apiVersion,createdAt,type,data\.revision,data\.transcriptionId,.*,data\.webhookId$/);
    expect(first).toContain(`${made[0]?.id},1.0,${made[0]?.createdAt},room.session.started,1,`);
  });

  it.each([
    ['limit=0', 'limit'],
    ['from=yesterday', 'from'],
    ['from=2026-03-02T00:00:00Z&to=2026-03-02T00:00:00Z', 'to'],
    ['cursor=x', 'cursor'],
    ['type=recording.received', 'type'],
  ])('refuses ?%s', async (query, path) => {
    const answer = await clientOf(organization())('GET', `${notices}?${query}`);
    expect([answer.status, issuePaths(answer)]).toEqual([400, [path]]);
  });

  it('refuses a cursor of another period', async () => {
    const { call, made } = await withNotices(3);
    const { cursor } = read(NoticePage, await call('GET', `${notices}?limit=1`));
    const answer = await call('GET', `${notices}?from=${made[0]?.createdAt}&limit=1&cursor=${cursor}`);
    expect([answer.status, issuePaths(answer)]).toEqual([400, ['cursor']]);
  });
});

describe('list-webhook-deliveries', () => {
  it('lists the deliveries of the webhook only, the latest notice first, in pages', async () => {
    const { own, made } = await withNotices(5);
    const [{ webhookId }, other] = [await createWebhook(own), await createWebhook(own)];
    for (const notice of made) await storeDelivery(own, webhookId, notice);
    await storeDelivery(own, other.webhookId, made[0] as Notice);
    const shown = (notice: Notice) => ({
      ...{ noticeId: notice.id, type: notice.type, createdAt: notice.createdAt, state: 'delivered', attempts: 1 },
      ...{ lastAttemptAt: notice.createdAt, answerCode: 204, latencyMs: 87, failureCode: null, nextAttemptAt: null },
      replayed: false,
    });

    const path = pathOf(webhookId, '/deliveries?');
    expect(await pagesOf(own, path, DeliveryPage)).toEqual(made.map(shown).toReversed());
    const { cursor } = read(DeliveryPage, await clientOf(own)('GET', `${path}limit=1`));
    const foreign = await clientOf(own)('GET', pathOf(other.webhookId, `/deliveries?cursor=${cursor}`));
    expect([foreign.status, issuePaths(foreign)]).toEqual([400, ['cursor']]);
  });

  it('shows a failed delivery with its reason, also in CSV', async () => {
    const { own, made, call } = await withNotices(1);
    const { webhookId } = await createWebhook(own);
    const failed = { state: 'failed', attempts: 17, answerCode: undefined, latencyMs: undefined } as const;
    await storeDelivery(own, webhookId, made[0] as Notice, { ...failed, failureCode: 'timeout', replayId: 'r-1' });

    const path = pathOf(webhookId, '/deliveries');
    expect(bodyOf<{ results: unknown[] }>(await call('GET', path)).results).toMatchObject([
      { state: 'failed', answerCode: null, failureCode: 'timeout', nextAttemptAt: null, replayed: true },
    ]);
    const { text } = await call('GET', path, { headers: { accept: 'text/csv' } });
    expect(text).toMatch(/^noticeId,type,createdAt,state,attempts,.*,replayed\r\n.*,failed,17,.*,timeout,,true\r\n$/);
  });

  it.each(['limit=0', 'cursor=x', 'state=failed'])('refuses ?%s', async (query) => {
    const own = organization();
    const { webhookId } = await createWebhook(own);
    expect((await clientOf(own)('GET', pathOf(webhookId, `/deliveries?${query}`))).status).toBe(400);
  });
});

describe('replay-webhook', () => {
  /** An organization with two notices and a webhook, and a function that asks for a replay. */
  const situation = async () => {
    const { own, made, call } = await withNotices(2);
    const { webhookId } = await createWebhook(own);
    const replay = (body: object) => call('POST', pathOf(webhookId, '/replay'), { body });
    return { own, made, call, webhookId, replay };
  };

  it('starts the replay of a period, and the webhook shows it', async () => {
    const { call, webhookId, replay } = await situation();
    const from = ago(3 * hourMs);
    const before = Date.now();
    const answer = await replay({ from });
    const started = bodyOf<Replay>(answer);

    expect(answer.status).toBe(202);
    expect(started).toMatchObject({ state: 'running', from, noticeId: null, planned: 0 });
    expect(Date.parse(started.to)).toBeGreaterThanOrEqual(before);
    expect([started.startedAt, started.updatedAt]).toEqual([started.to, started.to]);
    expect(bodyOf<Webhook>(await call('GET', pathOf(webhookId))).replay?.replayId).toBe(started.replayId);
  });

  it('ends a period now at the latest', async () => {
    const { replay } = await situation();
    const { startedAt, to } = bodyOf<Replay>(await replay({ from: ago(hourMs), to: '2999-01-01T00:00:00Z' }));
    expect(to).toBe(startedAt);
  });

  it('starts the replay of one notice', async () => {
    const { made, replay } = await situation();
    const { id, createdAt = '' } = made[0] ?? {};
    const answer = await replay({ noticeId: id, createdAt });
    const to = new Date(Date.parse(createdAt) + 1).toISOString();
    expect([answer.status, bodyOf(answer)]).toMatchObject([202, { noticeId: id, from: createdAt, to }]);
  });

  it('refuses a notice of another organization, of another time, or that has expired', async () => {
    const { own, made, replay } = await situation();
    const other = await withNotices(1);
    const expired = sessionNotice(own, ago(31 * dayMs));
    await storeNotices(own, [expired]);
    for (const { id, createdAt } of [...other.made, { id: made[0]?.id, createdAt: made[1]?.createdAt }, expired]) {
      const answer = await replay({ noticeId: id, createdAt });
      expect([answer.status, codeOf(answer)]).toEqual([404, 'notice_not_found']);
    }
  });

  it('runs once at a time, unless the one before has made no progress for an hour', async () => {
    const { own, webhookId, replay } = await situation();
    const first = bodyOf<Replay>(await replay({ from: ago(hourMs) }));
    const running = { ...first, replayId: randomUUID(), state: 'running' }; // no worker has it, so none finishes it

    await changeRow(own, webhookId, { replay: { ...running, updatedAt: ago(hourMs / 2) } });
    const refused = await replay({ from: ago(hourMs) });
    expect([refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([409, 'replay_in_progress', '1']);
    await changeRow(own, webhookId, { replay: { ...running, updatedAt: ago(hourMs + 60_000) } });
    expect((await replay({ from: ago(hourMs) })).status).toBe(202);
    for (const state of ['finished', 'failed']) {
      await changeRow(own, webhookId, { replay: { ...running, state } });
      expect((await replay({ from: ago(hourMs) })).status).toBe(202);
    }
  });

  it('starts once if requests race', async () => {
    const { own, webhookId, replay } = await situation();
    await changeRow(own, webhookId, { description: 'raced' });
    const answers = await Promise.all(Array.from({ length: 6 }, () => replay({ from: ago(hourMs) })));
    expect(answers.filter(({ status }) => status === 202).length).toBeGreaterThan(0); // it may finish between two of them
    for (const { status } of answers) expect([202, 409]).toContain(status);
  });

  it('is refused for a disabled webhook', async () => {
    const { call, webhookId, replay } = await situation();
    await call('PATCH', pathOf(webhookId), { body: { state: 'disabled' } });
    const answer = await replay({ from: ago(hourMs) });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'webhook_is_disabled']);
  });

  const id = 'ntc_3GqX0kq0C2mV5rT8nYbA1LfZ7eW';
  it.each([
    ['nothing', {}, 'body'],
    ['an id without its time', { noticeId: id }, 'body'],
    ['a time without its id', { createdAt: ago(hourMs) }, 'body'],
    ['a notice and a period', { noticeId: id, createdAt: ago(hourMs), from: ago(hourMs) }, 'body'],
    ['only an end', { to: ago(hourMs) }, 'body'],
    ['what is no id', { noticeId: 'x', createdAt: ago(hourMs) }, 'noticeId'],
    ['an end before the start', { from: ago(hourMs), to: ago(2 * hourMs) }, 'to'],
    ['a start more than 30 days ago', { from: ago(31 * dayMs) }, 'from'],
    ['a start in the future', { from: '2999-01-01T00:00:00Z' }, 'from'],
  ])('refuses %s', async (_, body, path) => {
    const { replay } = await situation();
    const answer = await replay(body);
    expect([answer.status, issuePaths(answer)]).toEqual([400, [path]]);
  });
});
