import { describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import {
  deliveryAfter,
  deliveryKeyOf,
  deliveryWithout,
  isDeliveryDue,
  plannedDelivery,
  wantsNotice,
} from '#shared/domain/webhooks/delivery.ts';
import { noticeKeyOf } from '#shared/storage/notices/notice-put.ts';

const now = new Date('2026-03-01T10:00:00.000Z');
const organizationId = OrganizationId.parse('acme');
const notice = {
  id: `ntc_${'a'.repeat(27)}`,
  type: 'transcription.finished',
  createdAt: '2026-03-01T09:59:59.000Z',
} as const;
const webhook = { organizationId, webhookId: '11111111-1111-4111-8111-111111111111' };
const planned = plannedDelivery(webhook, notice, now);
const failed = {
  ...{ succeeded: false, answerCode: 500, latencyMs: 20, now, random: 0.5 },
  failure: { code: 'answer_not_2xx', message: '' } as const,
};

test('a delivery has the key of its notice', () => {
  expect(deliveryKeyOf(planned)).toBe(noticeKeyOf(notice));
});

test('a planned delivery is due at once', () => {
  expect(planned).toMatchObject({ state: 'waiting', attempts: 0, plannedAt: now.toISOString() });
  expect(isDeliveryDue(planned, now)).toBe(true);
  expect(isDeliveryDue(planned, new Date(now.getTime() - 1))).toBe(false);
});

describe('an attempt', () => {
  test('that failed leaves a delivery that waits', () => {
    expect(deliveryAfter(planned, failed)).toMatchObject({
      ...{ state: 'waiting', attempts: 1, answerCode: 500, latencyMs: 20, failureCode: 'answer_not_2xx' },
      ...{ lastAttemptAt: now.toISOString(), nextAttemptAt: '2026-03-01T10:00:05.000Z' },
    });
  });

  test('that succeeded leaves nothing of the failure before', () => {
    const answer = { ...failed, succeeded: true, answerCode: 204, latencyMs: 5, failure: null };
    const delivered = deliveryAfter(deliveryAfter(planned, failed), answer);
    expect(delivered).toMatchObject({ state: 'delivered', attempts: 2, answerCode: 204 });
    expect(delivered).not.toHaveProperty('failureCode');
    expect(delivered).not.toHaveProperty('nextAttemptAt');
  });

  test('after 72 hours is the last one', () => {
    const late = { ...failed, now: new Date(now.getTime() + 72 * 3_600_000) };
    expect(deliveryAfter(planned, late)).toMatchObject({ state: 'failed', attempts: 1 });
    expect(isDeliveryDue(deliveryAfter(planned, late), late.now)).toBe(false);
  });

  test('that is not made counts no attempt', () => {
    expect(deliveryWithout(planned, 'notice_gone')).toMatchObject({
      state: 'failed',
      attempts: 0,
      failureCode: 'notice_gone',
    });
  });
});

test.each([
  [{}, true],
  [{ types: ['transcription.finished'] as const }, true],
  [{ types: ['transcription.failed'] as const }, false],
  [{ state: 'disabled' as const }, false],
  [{ createdAt: notice.createdAt }, true],
  [{ createdAt: '2026-03-01T10:00:04.001Z' }, false],
])('a webhook with %j gets a notice: %s', (changes, expected) => {
  const usual = { state: 'enabled', createdAt: '2026-01-01T00:00:00.000Z' } as const;
  expect(wantsNotice({ ...usual, ...changes }, notice)).toBe(expected);
});
