import { describe, expect, test } from 'vitest';
import type { Delivery, Webhook } from '../../../client/types.ts';
import { webhook as texts } from '../../../console/texts/en/webhooks.ts';
import {
  failureCodesOf,
  isBusy,
  nextAttemptOf,
  replayFrom,
  stateOf,
} from '../../../console/views/webhooks/webhook-state.ts';
import { deliveryFailureCodes } from '../../../shared/contracts/webhooks/webhooks.ts';

const now = Date.parse('2026-03-02T10:00:00.000Z');
const soon = '2026-03-02T10:00:30.000Z';
const later = '2026-03-02T11:00:00.000Z';
const earlier = '2026-03-02T09:00:00.000Z';

function webhook(changes: Partial<Webhook> = {}): Webhook {
  return { state: 'enabled', failingSince: null, parkedUntil: null, replay: null, ...changes } as Webhook;
}

function delivery(changes: Partial<Delivery>): Delivery {
  return { failureCode: null, nextAttemptAt: null, ...changes } as Delivery;
}

describe('the state of a webhook', () => {
  test('is active if the last delivery has succeeded', () => {
    expect(stateOf(webhook(), now)).toBe('active');
  });

  test('is failing, and parked while deliveries wait', () => {
    expect(stateOf(webhook({ failingSince: earlier }), now)).toBe('failing');
    expect(stateOf(webhook({ failingSince: earlier, parkedUntil: earlier }), now)).toBe('failing');
    expect(stateOf(webhook({ failingSince: earlier, parkedUntil: later }), now)).toBe('parked');
  });

  test('is disabled, whatever else it was', () => {
    expect(stateOf(webhook({ state: 'disabled', failingSince: earlier, parkedUntil: later }), now)).toBe('disabled');
  });
});

describe('a replay', () => {
  test('is offered from an hour before the first failure, or of the last day', () => {
    expect(replayFrom(earlier, now)).toBe('2026-03-02T08:00:00.000Z');
    expect(replayFrom(null, now)).toBe('2026-03-01T10:00:00.000Z');
  });
});

describe('deliveries', () => {
  test('are about to change during a replay, shortly after it, and before the next attempt', () => {
    const replay = (state: 'running' | 'finished', updatedAt: string) =>
      webhook({ replay: { state, updatedAt } as Webhook['replay'] });
    expect(isBusy(webhook(), [delivery({ nextAttemptAt: later })], now)).toBe(false);
    expect(isBusy(webhook(), [delivery({ nextAttemptAt: soon })], now)).toBe(true);
    expect(isBusy(replay('running', earlier), [], now)).toBe(true);
    expect(isBusy(replay('finished', '2026-03-02T09:59:30.000Z'), [], now)).toBe(true);
    expect(isBusy(replay('finished', earlier), [], now)).toBe(false);
  });

  test('are tried next when the pause of their webhook is over, and never while it is disabled', () => {
    const waiting = delivery({ nextAttemptAt: soon });
    expect(nextAttemptOf(waiting, webhook())).toBe(soon);
    expect(nextAttemptOf(waiting, webhook({ parkedUntil: earlier }))).toBe(soon);
    expect(nextAttemptOf(waiting, webhook({ parkedUntil: later }))).toBe(later);
    expect(nextAttemptOf(waiting, webhook({ state: 'disabled' }))).toBeNull();
    expect(isBusy(webhook({ parkedUntil: later }), [waiting], now)).toBe(false);
  });

  test('tell each failure code once', () => {
    const failed = delivery({ failureCode: 'timeout' });
    expect(failureCodesOf([failed, delivery({}), delivery({ failureCode: 'redirect' }), failed])).toEqual([
      'timeout',
      'redirect',
    ]);
  });

  test('have a cause and a remedy for every failure code', () => {
    expect(Object.keys(texts.failures).toSorted()).toEqual([...deliveryFailureCodes].toSorted());
  });
});
