import type * as z from 'zod/mini';
import type { ClientSampled } from '../../shared/contracts/network-samples.ts';
import type { RoomCreated, sessionEvents } from '../../shared/contracts/session-events.ts';

/** What a platform sends of its rooms, as it writes it: all that insights are made of. */
export type PlatformEvent = z.input<typeof RoomCreated | (typeof sessionEvents)[number] | typeof ClientSampled>;

/** The events of one type. */
export type EventOf<Type extends PlatformEvent['type']> = Extract<PlatformEvent, { type: Type }>;

/** The queue that takes an event. */
export function queueOf({ type }: Pick<PlatformEvent, 'type'>): 'roomEvents' | 'networkSamples' {
  return type === 'room.client.sampled' ? 'networkSamples' : 'roomEvents';
}

/** When an event's thing happened. */
export function timeOf({ createdAt }: PlatformEvent): number {
  return Date.parse(createdAt);
}

/** The order in which things happened; of two at one time the one with the larger id is the later. */
export function byTime(one: PlatformEvent, other: PlatformEvent): number {
  return timeOf(one) - timeOf(other) || (one.id < other.id ? -1 : 1);
}
