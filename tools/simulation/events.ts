import type * as z from 'zod/mini';
import type { MeasuredEvent } from '#shared/contracts/insights/network-samples.ts';
import type { FactRetracted, RoomCreated, sessionEvents } from '#shared/contracts/insights/session-events.ts';

/** The events of a platform from which insights are made, as the platform writes them. */
export type PlatformEvent = z.input<
  typeof RoomCreated | (typeof sessionEvents)[number] | typeof FactRetracted | typeof MeasuredEvent
>;

/** The events of one type. */
export type EventOf<Type extends PlatformEvent['type']> = Extract<PlatformEvent, { type: Type }>;

/** The queue of an event. */
export function queueOf({ type }: Pick<PlatformEvent, 'type'>): 'roomEvents' | 'networkSamples' {
  return type === 'room.client.sampled' || type === 'room.client.spoke' ? 'networkSamples' : 'roomEvents';
}

/** When the event happened, in milliseconds since 1970. */
export function timeOf({ createdAt }: PlatformEvent): number {
  return Date.parse(createdAt);
}

/** Compares events by time, then by id. */
export function byTime(one: PlatformEvent, other: PlatformEvent): number {
  return timeOf(one) - timeOf(other) || (one.id < other.id ? -1 : 1);
}
