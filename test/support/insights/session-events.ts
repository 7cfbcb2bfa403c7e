import { randomUUID } from 'node:crypto';
import type { EventOf, PlatformEvent } from '#tools/simulation/events.ts';

/** A session of a room, as named in its events. */
export type SessionName = { readonly roomName: string; readonly roomSessionId: string };

/** A participant in a session. */
export type Guest = {
  readonly participantId: string;
  readonly deviceId: string;
  readonly userId: string;
  readonly externalId?: string;
};

/** Creates a new session of the room. */
export function newSession(roomName: string, newId: () => string = randomUUID): SessionName {
  return { roomName, roomSessionId: newId() };
}

/** Creates a new participant. All names have the same length. */
export function newGuest(facts: Partial<Guest> = {}, newId: () => string = randomUUID): Guest {
  return { participantId: newId(), deviceId: newId(), userId: newId(), ...facts };
}

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** Makes the events of an organization's sessions. `now` is the time of each event. */
export function platformOf(organizationId: string, now: () => number, newId: () => string = randomUUID) {
  const event = <Type extends PlatformEvent['type']>(type: Type, data: EventOf<Type>['data']) =>
    ({ id: newId(), type, organizationId, createdAt: new Date(now()).toISOString(), data }) as EventOf<Type>;
  return {
    created: (roomName: string) => event('room.created', { roomName, endAt: '2027-01-01T00:00:00.000Z' }),
    started: (session: SessionName) => event('room.session.started', { ...session }),
    ended: (session: SessionName) => event('room.session.ended', { ...session }),
    joined: (session: SessionName, guest: Guest) =>
      event('room.client.joined', {
        ...session,
        ...guest,
        roleName: 'participant',
        displayName: 'Katarína Castillo',
        userAgent,
      }),
    left: (session: SessionName, { participantId }: Guest) => event('room.client.left', { ...session, participantId }),
    rated: (session: SessionName, { participantId }: Guest, rating: number) =>
      event('room.client.rated', { ...session, participantId, rating, tags: ['audio'], comment: 'Worked at once.' }),
    sampled: (data: EventOf<'room.client.sampled'>['data']) => event('room.client.sampled', data),
    spoke: (data: EventOf<'room.client.spoke'>['data']) => event('room.client.spoke', data),
  };
}

/** The events of a platform. */
export type Platform = ReturnType<typeof platformOf>;

/** Joins of one session, in which a flood of an organization can consist. */
export function joinsOfOneSession(organizationId: string, count: number): PlatformEvent[] {
  const platform = platformOf(organizationId, Date.now);
  const session = newSession('/room');
  return Array.from({ length: count }, () => platform.joined(session, newGuest()));
}
