import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { WebhookRecord } from '#shared/domain/webhooks/webhook.ts';
import { newWebhook } from '#shared/domain/webhooks/webhook-changes.ts';
import {
  InvalidRequest,
  ReplayInProgress,
  ServiceUnavailable,
  TooManyReplays,
  TooManyWebhooks,
} from '#shared/runtime/errors.ts';
import { createWebhook } from '#shared/use-cases/webhooks/create-webhook.ts';
import type { Rotation, WebhookCreation } from '#shared/use-cases/webhooks/ports.ts';
import { replayWebhook } from '#shared/use-cases/webhooks/replay-webhook.ts';
import { rotateWebhookSecret } from '#shared/use-cases/webhooks/rotate-webhook-secret.ts';
import { updateWebhook } from '#shared/use-cases/webhooks/update-webhook.ts';
import { organizationId, uuid } from '../../../support/operations/records.ts';

const acme = organizationId();
const now = () => new Date('2026-03-02T10:00:00.000Z');
const body = { url: 'https://receiver.example/', description: '', signature: 'standard' } as const;
const record = newWebhook(acme, body, { webhookId: uuid(1), creationId: 'creation-1', now: now() });
const key = { organizationId: acme, webhookId: uuid(1) };
const anyUrl = { refusalOf: () => undefined };
const apiUrl = 'https://api.example';
const pause = async () => {};
const newId = () => crypto.randomUUID();

/** Webhooks in memory, with the conditions of the table. `meanwhile` runs between the census and the creation. */
function memory(meanwhile: (webhooks: WebhookRecord[]) => void = () => {}) {
  const webhooks: WebhookRecord[] = [];
  let creations = 0;
  const creation: WebhookCreation = {
    count: async () => ({ creations, webhooks: [...webhooks] }),
    create: async (webhook, census) => {
      const before = webhooks.length;
      meanwhile(webhooks);
      creations += webhooks.length - before;
      if (census.creations !== creations) return false;
      webhooks.push(webhook);
      creations += 1;
      return true;
    },
  };
  return { webhooks, creation };
}

describe('createWebhook', () => {
  test('counts again if another webhook was created meanwhile, and stops at the ceiling', async () => {
    const { webhooks, creation } = memory((all) => {
      if (all.length === 1) all.push({ ...record, webhookId: uuid(9) });
    });
    const deps = { creation, caller: anyUrl, apiUrl, webhooksPerOrganization: 2, now, newId, pause };
    await createWebhook(deps, acme, body);
    await expect(createWebhook(deps, acme, body)).rejects.toThrow(TooManyWebhooks);
    expect(webhooks).toHaveLength(2);
  });

  test('gives up after many lost races', async () => {
    const { creation } = memory((all) => all.push({ ...record, webhookId: uuid(all.length + 2) }));
    const deps = { creation, caller: anyUrl, apiUrl, webhooksPerOrganization: 100, now, newId, pause };
    await expect(createWebhook(deps, acme, body)).rejects.toThrow(ServiceUnavailable);
  });

  test('returns the webhook of the first request with the same key, also at the ceiling', async () => {
    const { webhooks, creation } = memory();
    const deps = { creation, caller: anyUrl, apiUrl, webhooksPerOrganization: 1, now, newId, pause };
    const first = await createWebhook(deps, acme, body, 'key-1');
    expect(await createWebhook(deps, acme, body, 'key-1')).toBe(first);
    expect(webhooks).toEqual([first]);
  });

  test('stores nothing for an address that may not be called', async () => {
    const { webhooks, creation } = memory();
    const caller = { refusalOf: () => 'must name a host with a public address' };
    const refused = createWebhook(
      { creation, caller, apiUrl, webhooksPerOrganization: 1, now, newId, pause },
      acme,
      body,
    );
    await expect(refused).rejects.toThrow(InvalidRequest);
    await expect(refused).rejects.toMatchObject({ issues: [{ path: 'url' }] });
    expect(webhooks).toEqual([]);
  });
});

describe('the address of this service', () => {
  const message = 'must not be an address of this service';
  const url = 'https://API.example.:443/v1/hooks/connection/whereby';

  test('is refused for a new webhook', async () => {
    const { creation } = memory();
    const deps = { creation, caller: anyUrl, apiUrl, webhooksPerOrganization: 1, now, newId, pause };
    const refused = createWebhook(deps, acme, { ...body, url });
    await expect(refused).rejects.toMatchObject({ issues: [{ path: 'url', message }] });
  });

  test('is refused for a change', async () => {
    const change = vi.fn(async () => record);
    const deps = { webhooks: { change }, caller: anyUrl, apiUrl, wake: async () => {}, now };
    await expect(updateWebhook(deps, key, { url })).rejects.toMatchObject({ issues: [{ path: 'url', message }] });
    expect(change).not.toHaveBeenCalled();
  });
});

describe('rotateWebhookSecret', () => {
  test('rotates once if the answer of the first write was lost', async () => {
    let stored = record;
    const webhooks = {
      find: async () => stored,
      rotate: async (asRead: WebhookRecord, rotation: Rotation) => {
        if (asRead.secretVersion === stored.secretVersion) stored = { ...stored, ...rotation };
        return false; // the SDK has repeated the call, whose condition then fails
      },
    };
    expect(await rotateWebhookSecret({ webhooks, now, pause }, key, 60)).toEqual({
      secretVersion: 2,
      previousSecretExpiresAt: '2026-03-02T10:01:00.000Z',
    });
    expect(stored.secretVersion).toBe(2);
  });

  test('rotates again with the same key after a day', async () => {
    let stored = record;
    const webhooks = {
      find: async () => stored,
      rotate: async (_: WebhookRecord, rotation: Rotation) => {
        stored = { ...stored, ...rotation };
        return true;
      },
    };
    const rotateAt = async (time: string) => {
      await rotateWebhookSecret({ webhooks, now: () => new Date(time), pause }, key, 60, 'weekly');
      return stored.secretVersion;
    };
    expect(await rotateAt('2026-03-02T10:00:00.000Z')).toBe(2);
    expect(await rotateAt('2026-03-03T09:59:59.000Z')).toBe(2);
    expect(await rotateAt('2026-03-03T10:00:00.000Z')).toBe(3);
  });
});

describe('updateWebhook', () => {
  const changed = async (state: 'enabled' | 'disabled', change: object) => {
    const wake = vi.fn(async () => {});
    const webhooks = { change: async () => ({ ...record, state }) };
    await updateWebhook({ webhooks, caller: anyUrl, apiUrl, wake, now }, key, change);
    return wake.mock.calls.length;
  };

  test('lets deliveries go on after another address or once it is enabled, and never if it is disabled', async () => {
    expect(await changed('enabled', { state: 'enabled' })).toBe(1);
    expect(await changed('enabled', { url: body.url })).toBe(1);
    expect(await changed('enabled', { description: 'x' })).toBe(0);
    expect(await changed('disabled', { url: body.url })).toBe(0);
  });

  test('fails if the queue takes no message, so that the request is repeated', async () => {
    const wake = vi.fn(async () => Promise.reject(new Error('down')));
    const webhooks = { change: async () => record };
    await expect(
      updateWebhook({ webhooks, caller: anyUrl, apiUrl, wake, now }, key, { state: 'enabled' }),
    ).rejects.toThrow('down');
  });
});

describe('replayWebhook', () => {
  const notices = { exists: async () => true };
  const giveBack = vi.fn(async () => {});
  const allowance = { isExceeded: false, limit: 50, remaining: 49, resetsAt: 0 };
  const take = vi.fn(async () => ({ allowance, giveBack }));
  const ceiling = { take };
  beforeEach(() => void [take, giveBack].map((mock) => mock.mockClear()));

  test('of a period is counted, and not started beyond the ceiling', async () => {
    const startReplay = vi.fn(async () => 'started' as const);
    const webhooks = { find: async () => record, startReplay, failReplay: vi.fn() };
    const deps = { webhooks, notices, ceiling, sendReplay: async () => {}, now };
    const period = { from: '2026-03-01T00:00:00.000Z' };
    await replayWebhook(deps, key, period);
    expect([take.mock.calls, giveBack.mock.calls]).toEqual([[[acme]], []]);
    take.mockResolvedValueOnce({ allowance: { ...allowance, isExceeded: true }, giveBack });
    await expect(replayWebhook(deps, key, period)).rejects.toThrow(TooManyReplays);
    expect([startReplay.mock.calls.length, giveBack.mock.calls]).toEqual([1, []]);
  });

  test('of one notice is not counted', async () => {
    const webhooks = { find: async () => record, startReplay: async () => 'started' as const, failReplay: vi.fn() };
    const deps = { webhooks, notices, ceiling, sendReplay: async () => {}, now };
    const noticeId = 'ntc_3GqX0kq0C2mV5rT8nYbA1LfZ7eW';
    await replayWebhook(deps, key, { noticeId, createdAt: '2026-03-01T00:00:00.000Z' });
    expect(take).not.toHaveBeenCalled();
  });

  test('that cannot start does not count', async () => {
    const webhooks = { find: async () => record, startReplay: async () => 'in_progress' as const, failReplay: vi.fn() };
    const deps = { webhooks, notices, ceiling, sendReplay: async () => {}, now };
    await expect(replayWebhook(deps, key, { from: '2026-03-01T00:00:00.000Z' })).rejects.toThrow(ReplayInProgress);
    expect(giveBack).toHaveBeenCalledOnce();
  });

  test('that cannot be sent is marked as failed, so that another one can start', async () => {
    const failReplay = vi.fn(async () => {});
    const webhooks = { find: async () => record, startReplay: async () => 'started' as const, failReplay };
    const sendReplay = () => Promise.reject(new Error('down'));
    const deps = { webhooks, notices, ceiling, sendReplay, now, newId: () => uuid(7) };
    await expect(replayWebhook(deps, key, { from: '2026-03-01T00:00:00.000Z' })).rejects.toThrow('down');
    expect(failReplay.mock.calls).toEqual([[key, uuid(7)]]);
    failReplay.mockRejectedValue(new Error('down, too'));
    await expect(replayWebhook(deps, key, { from: '2026-03-01T00:00:00.000Z' })).rejects.toThrow('down');
  });

  test.each([
    ['2026-01-31T09:30:00.000Z', 'started'], // 30 days and half an hour
    ['2026-01-31T08:30:00.000Z', 'refused'],
    ['2026-03-02T09:59:59.999Z', 'started'],
    ['2026-03-02T10:00:00.000Z', 'refused'],
  ])('from %s is %s', async (from, expected) => {
    const webhooks = { find: async () => record, startReplay: async () => 'started' as const, failReplay: vi.fn() };
    const replay = replayWebhook({ webhooks, notices, ceiling, sendReplay: async () => {}, now }, key, { from });
    const outcome = await replay.then(
      () => 'started',
      (error) => (error instanceof InvalidRequest ? 'refused' : error),
    );
    expect(outcome).toBe(expected);
  });
});
