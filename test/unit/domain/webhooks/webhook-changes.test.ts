import { describe, expect, test } from 'vitest';
import { ReplayWebhook, UpdateWebhook } from '#shared/contracts/webhooks/webhooks.ts';
import { toWebhook } from '#shared/domain/webhooks/webhook.ts';
import {
  changesOf,
  createdBefore,
  creationIdOf,
  newReplay,
  newWebhook,
  requestIdOf,
} from '#shared/domain/webhooks/webhook-changes.ts';
import { isProbed } from '#shared/domain/webhooks/webhook-parking.ts';
import { IdempotencyKeyReused } from '#shared/runtime/errors.ts';
import { organizationId, uuid } from '../../../support/operations/records.ts';

const now = new Date('2026-03-02T10:00:00.000Z');
const ids = { webhookId: uuid(1), creationId: 'creation-1', now };
const body = { url: 'https://receiver.example/', description: '', signature: 'standard' } as const;
const webhook = newWebhook(organizationId(), body, ids);

test('a new webhook is enabled, gets all types, and begins with the first secret', () => {
  expect(webhook).toEqual({
    ...{ ...body, organizationId: 'acme', webhookId: uuid(1), creationId: 'creation-1', state: 'enabled' },
    ...{ createdAt: now.toISOString(), secretVersion: 1 },
  });
  expect(toWebhook(webhook, now)).not.toHaveProperty('creationId');
});

test('a request without a key is like no other, and a key is not kept', () => {
  expect(requestIdOf(undefined)).not.toBe(requestIdOf(undefined));
  expect(requestIdOf('key-1')).toBe(requestIdOf('key-1'));
  expect(requestIdOf('key-1')).not.toContain('key-1');
});

test('a repetition finds its webhook for a day', () => {
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  expect(createdBefore([webhook], 'creation-1', at(23.9))).toBe(webhook);
  expect(createdBefore([webhook], 'creation-1', at(24.1))).toBeUndefined();
  expect(createdBefore([webhook], 'creation-2', at(1))).toBeUndefined();
});

test('the key of a creation is refused with another body, also if the end of the creation was not stored', () => {
  const created = newWebhook(organizationId(), body, { ...ids, creationId: creationIdOf('key-1', body) });
  const other = { ...body, url: 'https://other.example/' };
  expect(createdBefore([created], creationIdOf('key-1', body), now)).toBe(created);
  expect(() => createdBefore([created], creationIdOf('key-1', other), now)).toThrow(IdempotencyKeyReused);
  expect(createdBefore([created], creationIdOf('key-2', other), now)).toBeUndefined();
});

test('a creation whose key alone was stored is found by its key', () => {
  const created = newWebhook(organizationId(), body, { ...ids, creationId: requestIdOf('key-1') });
  expect(createdBefore([created], creationIdOf('key-1', body), now)).toBe(created);
});

describe('a change', () => {
  const forgotten = { failingSince: undefined, failuresInARow: undefined, parkedUntil: undefined };
  const fresh = { ...forgotten, parkings: 1, freshStartId: expect.any(String) };
  const inTwoMinutes = '2026-03-02T10:02:00.000Z';
  const due = { dueAt: inTwoMinutes, lookAgainAt: inTwoMinutes };
  test.each([
    [{ description: 'x' }, { description: 'x' }],
    [{ types: null }, { types: undefined }],
    [{ state: 'disabled' }, { state: 'disabled', disabledBy: 'owner', ...due }],
    [{ state: 'enabled' }, { state: 'enabled', disabledBy: undefined, ...fresh, ...due }],
    [{ url: 'https://new.example/' }, { url: 'https://new.example/', ...fresh, ...due }],
    [
      { url: 'https://new.example/', state: 'disabled' },
      { url: 'https://new.example/', state: 'disabled', disabledBy: 'owner', ...fresh, ...due },
    ],
  ])('%j sets and removes these attributes', (change, expected) => {
    const changes = changesOf(UpdateWebhook.parse(change), now);
    expect(changes).toStrictEqual(expected);
  });

  test('that starts afresh leads to a single probe', () => {
    expect(isProbed(changesOf({ state: 'enabled' }, now))).toBe(true);
  });

  test('must change something', () => {
    expect(UpdateWebhook.safeParse({ unknown: 1 }).success).toBe(false);
  });
});

describe('a replay', () => {
  const made = { replayId: uuid(2), now };
  test('of a period ends now at the latest', () => {
    const from = '2026-03-01T00:00:00.000Z';
    expect(newReplay({ from }, made).to).toBe(now.toISOString());
    expect(newReplay({ from, to: '2999-01-01T00:00:00.000Z' }, made).to).toBe(now.toISOString());
    expect(newReplay({ from, to: '2026-03-01T12:00:00.000Z' }, made).to).toBe('2026-03-01T12:00:00.000Z');
  });

  test('of one notice is the millisecond in which it was made', () => {
    const replay = newReplay({ noticeId: 'ntc_1', from: '2026-03-01T00:00:00.999Z' }, made);
    expect([replay.from, replay.to]).toEqual(['2026-03-01T00:00:00.999Z', '2026-03-01T00:00:01.000Z']);
  });

  test('is asked for by a notice and its time, or by a period', () => {
    const noticeId = 'ntc_3GqX0kq0C2mV5rT8nYbA1LfZ7eW';
    const [createdAt, from] = ['2026-03-01T00:00:00Z', '2026-03-01T00:00:00+01:00'];
    const isValid = (request: object) => ReplayWebhook.safeParse(request).success;
    expect([{ noticeId, createdAt }, { from }, { from, to: createdAt }].map(isValid)).toEqual([true, true, true]);
    const wrong = [{}, { noticeId }, { createdAt }, { to: createdAt }, { noticeId, createdAt, from }];
    expect(wrong.map(isValid)).toEqual(wrong.map(() => false));
  });
});
