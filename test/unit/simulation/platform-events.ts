import { randomUUID } from 'node:crypto';
import type { EventOf, PlatformEvent } from '#tools/simulation/events.ts';

/** The organization of the events. */
export const acme = 'acme';
/** The default room and session. */
export const daily = { roomName: '/daily', roomSessionId: '5e551000-0000-4000-8000-000000000001' };
/** Another session of the same room. */
export const later = { ...daily, roomSessionId: '5e551000-0000-4000-8000-000000000002' };

/** A time of the test's day in ISO 8601: `at('09:30')`, `at('09:30:05.250')`. */
export function at(time: string): string {
  return new Date(`2026-03-02T${time}Z`).toISOString();
}

type Envelope = { readonly id?: string; readonly organizationId?: string };

/** An event as the platform sends it. */
export function platformEvent<Type extends PlatformEvent['type']>(
  type: Type,
  time: string,
  data: EventOf<Type>['data'],
  { id = randomUUID(), organizationId = acme }: Envelope = {},
): PlatformEvent {
  return { id, type, organizationId, createdAt: at(time), data } as PlatformEvent;
}

type Joining = Partial<EventOf<'room.client.joined'>['data']>;

/** A join. By default, each participant has their own device and no user. */
export function joined(participantId: string, time: string, more: Joining = {}, envelope?: Envelope): PlatformEvent {
  const person = { deviceId: `device of ${participantId}`, roleName: 'guest', displayName: participantId };
  return platformEvent('room.client.joined', time, { ...daily, participantId, ...person, ...more }, envelope);
}

/** A leave. */
export function left(participantId: string, time: string, session = daily): PlatformEvent {
  return platformEvent('room.client.left', time, { ...session, participantId });
}

/** A rating. */
export function rated(
  participantId: string,
  time: string,
  rating: number,
  more: Partial<EventOf<'room.client.rated'>['data']> = {},
): PlatformEvent {
  return platformEvent('room.client.rated', time, { ...daily, participantId, rating, ...more });
}

/** Network samples: the same values in all four series, by default one every two seconds. */
export function sampled(
  participantId: string,
  startedAt: string,
  values: readonly (number | null)[],
  { sampleRateMs = 2000, ...envelope }: Envelope & { readonly sampleRateMs?: number } = {},
): PlatformEvent {
  const { roomSessionId } = daily;
  const series = { packetLossSend: values, packetLossRecv: values, bitrateSend: values, bitrateRecv: values };
  const data = { roomSessionId, participantId, startedAt: at(startedAt), sampleRateMs };
  return platformEvent('room.client.sampled', startedAt, { ...data, ...structuredClone(series) } as never, envelope);
}
