import { randomUUID } from 'node:crypto';
import type { EventOf, PlatformEvent } from '#tools/simulation/events.ts';

/** Whose events they are. */
export const acme = 'acme';
/** The room and session that a test is about, unless it says otherwise. */
export const daily = { roomName: '/daily', roomSessionId: '5e551000-0000-4000-8000-000000000001' };
/** Another session of the same room. */
export const later = { ...daily, roomSessionId: '5e551000-0000-4000-8000-000000000002' };

/** A time of the day that a test is about: `at('09:30')`, `at('09:30:05.250')`. */
export function at(time: string): string {
  return new Date(`2026-03-02T${time}Z`).toISOString();
}

type Envelope = { readonly id?: string; readonly organizationId?: string };

/** An event as the platform tells it. */
export function told<Type extends PlatformEvent['type']>(
  type: Type,
  time: string,
  data: EventOf<Type>['data'],
  { id = randomUUID(), organizationId = acme }: Envelope = {},
): PlatformEvent {
  return { id, type, organizationId, createdAt: at(time), data } as PlatformEvent;
}

type Joining = Partial<EventOf<'room.client.joined'>['data']>;

/** Somebody's join. Everybody has a device of their own and is no user. */
export function joined(participantId: string, time: string, more: Joining = {}, envelope?: Envelope): PlatformEvent {
  const person = { deviceId: `device of ${participantId}`, roleName: 'guest', displayName: participantId };
  return told('room.client.joined', time, { ...daily, participantId, ...person, ...more }, envelope);
}

/** Somebody's leave. */
export function left(participantId: string, time: string, session = daily): PlatformEvent {
  return told('room.client.left', time, { ...session, participantId });
}

/** Somebody's rating. */
export function rated(
  participantId: string,
  time: string,
  rating: number,
  more: Partial<EventOf<'room.client.rated'>['data']> = {},
): PlatformEvent {
  return told('room.client.rated', time, { ...daily, participantId, rating, ...more });
}

/** Somebody's network samples: the values of all four series, from a time on, one every two seconds. */
export function sampled(
  participantId: string,
  startedAt: string,
  values: readonly (number | null)[],
  { sampleRateMs = 2000, ...envelope }: Envelope & { readonly sampleRateMs?: number } = {},
): PlatformEvent {
  const { roomSessionId } = daily;
  const series = { packetLossSend: values, packetLossRecv: values, bitrateSend: values, bitrateRecv: values };
  const data = { roomSessionId, participantId, startedAt: at(startedAt), sampleRateMs };
  return told('room.client.sampled', startedAt, { ...data, ...structuredClone(series) } as never, envelope);
}
