import type { WebhookHealth } from './webhook.ts';

/** A call that takes longer is slow. */
const slowCallMs = 1_000;
/** For how long a webhook counts as slow after a slow call. */
const slowForMs = 3_600_000;
/** A run starts no call after that, so that another webhook gets its place. */
const startsForMs = { fast: 25_000, slow: 5_000 } as const;
const pauseMs = { shortest: 3_000, longest: 8_000 } as const;

/**
 * How many runs of slow webhooks an organization may have at the same time. All organizations share the 50 places of deliver-notices (16 on
 * one machine). A slow run holds its place for 15 seconds at most: it starts calls for 5, and each takes 10 at most. So the slow webhooks
 * of an organization hold 3 places, however many they are. Only a webhook that has just become slow holds another one, for 15 seconds and
 * once an hour, because its run did not know it before.
 */
export const slowPlacesOfOrganization = 3;

/** True if a call took so long that others must not wait for more of them. */
export function isSlowCall(ms: number): boolean {
  return ms > slowCallMs;
}

/** True if a run may start another call so long after its begin. */
export function mayStartAfter(ms: number, isSlow: boolean): boolean {
  return ms < (isSlow ? startsForMs.slow : startsForMs.fast);
}

/** Until when a webhook counts as slow that had a slow call now. */
export function slowUntil(now: Date): string {
  return new Date(now.getTime() + slowForMs).toISOString();
}

/** True if a webhook had a slow call not long ago, so that a run of it needs one of the places of its organization. */
export function isKnownSlow({ slowUntil: until }: Pick<WebhookHealth, 'slowUntil'>, now: Date): boolean {
  return until !== undefined && until > now.toISOString();
}

/** When a slow webhook may have its next run. The pause lets others of its organization have the place. `random` is from 0 to 1. */
export function postponedUntil(now: Date, random: number): string {
  return new Date(now.getTime() + pauseMs.shortest + random * (pauseMs.longest - pauseMs.shortest)).toISOString();
}

/** True if a webhook waits for a place, or lets others have it. */
export function isPostponed({ postponedUntil: until }: Pick<WebhookHealth, 'postponedUntil'>, now: Date): boolean {
  return until !== undefined && until > now.toISOString();
}
