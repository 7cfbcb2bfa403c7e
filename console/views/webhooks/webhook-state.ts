import type { Delivery, Webhook } from '../../../client/types.ts';

/** How a webhook is, as a reader wants to know it. */
export type WebhookState = 'active' | 'failing' | 'parked' | 'disabled';

/** How a webhook is at a moment. */
export function stateOf({ state, parkedUntil, failingSince }: Webhook, now: number): WebhookState {
  if (state === 'disabled') return 'disabled';
  if (parkedUntil !== null && Date.parse(parkedUntil) > now) return 'parked';
  return failingSince === null ? 'active' : 'failing';
}

/** The tone and the sign of a state. Neither carries it alone: its name stands beside them. */
export const stateSigns = {
  active: { tone: 'good', sign: '●' },
  failing: { tone: 'bad', sign: '▲' },
  parked: { tone: 'warn', sign: '❚❚' },
  disabled: { tone: 'soft', sign: '■' },
} as const satisfies Record<WebhookState, { readonly tone: string; readonly sign: string }>;

/** The tone and the sign of the state of a delivery. */
export const deliverySigns = {
  waiting: { tone: 'warn', sign: '◷' },
  delivered: { tone: 'good', sign: '✓' },
  failed: { tone: 'bad', sign: '✕' },
} as const satisfies Record<Delivery['state'], { readonly tone: string; readonly sign: string }>;

/** The states of deliveries, in the order in which a reader chooses. */
export const deliveryStates = ['waiting', 'delivered', 'failed'] as const satisfies readonly Delivery['state'][];

/** The state of deliveries that an address asks for. Undefined if it asks for all. */
export function deliveryStateOf(status: string | undefined): Delivery['state'] | undefined {
  return deliveryStates.find((each) => each === status);
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** From when a replay is offered: an hour before the first failure, because a notice is older than its first call, or else the last day. */
export function replayFrom(failingSince: string | null, now: number): string {
  return new Date(failingSince === null ? now - dayMs : Date.parse(failingSince) - hourMs).toISOString();
}

/** The failure codes of deliveries, each once, in the order in which they occur. */
export function failureCodesOf(deliveries: readonly Delivery[]): NonNullable<Delivery['failureCode']>[] {
  return [...new Set(deliveries.flatMap(({ failureCode }) => failureCode ?? []))];
}

/** When a delivery is tried next: not before its webhook's pause is over. Null if it does not wait, or if its webhook is disabled. */
export function nextAttemptOf({ nextAttemptAt }: Delivery, { state, parkedUntil }: Webhook): string | null {
  if (nextAttemptAt === null || state === 'disabled') return null;
  return parkedUntil !== null && parkedUntil > nextAttemptAt ? parkedUntil : nextAttemptAt;
}

/** The delivery that was tried last. Undefined if none was. */
export function lastTried(deliveries: readonly Delivery[]): Delivery | undefined {
  const tried = deliveries.filter(({ lastAttemptAt }) => lastAttemptAt !== null);
  return tried.toSorted((one, other) => ((one.lastAttemptAt ?? '') < (other.lastAttemptAt ?? '') ? 1 : -1))[0];
}

const soonMs = 60_000;

/** Whether deliveries are about to change: a replay runs or has just ended, or the next attempt of one is near. */
export function isBusy(webhook: Webhook, deliveries: readonly Delivery[], now: number): boolean {
  const { replay } = webhook;
  if (replay && (replay.state === 'running' || now - Date.parse(replay.updatedAt) < soonMs)) return true;
  return deliveries.some((delivery) => Date.parse(nextAttemptOf(delivery, webhook) ?? '') - now < soonMs);
}
