import { onTestFinished } from 'vitest';
import { limits } from '#shared/domain/insights/session/session-limits.ts';

/** Lets a session hold less until the current test is finished, so that few events reach a limit. */
export function withLimits(smaller: Partial<Record<keyof typeof limits, number>>): void {
  const before = { ...limits };
  onTestFinished(() => void Object.assign(limits, before));
  Object.assign(limits, smaller);
}
