import { randomUUID } from 'node:crypto';
import type { EventOf, PlatformEvent } from '#tools/simulation/events.ts';

/** Parts of the personal data in the scripts. If a log contains one, personal data was logged. */
export const canaries = {
  displayName: 'displaycanary',
  comment: 'commentcanary',
  userAgent: 'agentcanary',
  externalId: 'externalcanary',
} as const;

/** The start of the scripts. */
export const scriptStart = Date.parse('2026-03-01T09:00:00.000Z');
const roomSessionId = '5e551011-0000-4000-8000-000000000001';

type Joined = EventOf<'room.client.joined'>['data'];
type Rated = EventOf<'room.client.rated'>['data'];
type Sampled = EventOf<'room.client.sampled'>['data'];

/**
 * Creates the events of one session at a number of seconds after the script's start. The scripts of all organizations
 * use the same names and ids, so that a mix-up is detected.
 */
export function scriptOf(organizationId: string, session: { roomName?: string; roomSessionId?: string } = {}) {
  const place = { roomName: '/standup', roomSessionId, ...session };
  const write = <Type extends PlatformEvent['type']>(type: Type, second: number, data: EventOf<Type>['data']) => {
    const createdAt = timeAt(second);
    return { id: randomUUID(), type, organizationId, createdAt, data } as EventOf<Type>; // the type parameter keeps type and data consistent
  };
  return {
    created: (second: number, endAt?: string) => write('room.created', second, { roomName: place.roomName, endAt }),
    started: (second: number) => write('room.session.started', second, place),
    ended: (second: number) => write('room.session.ended', second, place),
    joined: (participantId: string, second: number, more: Partial<Joined> = {}) =>
      write('room.client.joined', second, {
        ...place,
        participantId,
        deviceId: `device of ${participantId}`,
        userId: `user of ${participantId}`,
        roleName: 'guest',
        displayName: `${canaries.displayName} ${participantId}`,
        userAgent: `${canaries.userAgent}/1.0`,
        externalId: `${canaries.externalId}-${participantId}`,
        ...more,
      }),
    left: (participantId: string, second: number) => write('room.client.left', second, { ...place, participantId }),
    rated: (participantId: string, second: number, rating: number, more: Partial<Rated> = {}) =>
      write('room.client.rated', second, { ...place, participantId, rating, comment: canaries.comment, ...more }),
    retracted: (event: PlatformEvent) => {
      const { roomName, roomSessionId } = place;
      const ofRoom = event.type === 'room.created';
      return write('fact.retracted', 0, { eventId: event.id, roomName, ...(!ofRoom && { roomSessionId }) });
    },
    sampled: (participantId: string, second: number, values: readonly (number | null)[], more: Partial<Sampled> = {}) =>
      write('room.client.sampled', second + values.length * 2, {
        roomSessionId: place.roomSessionId,
        participantId,
        startedAt: timeAt(second),
        sampleRateMs: 2000,
        packetLossSend: [...values],
        packetLossRecv: [...values],
        bitrateSend: [...values],
        bitrateRecv: [...values],
        ...more,
      }),
    /** The intervals are in seconds after the script's start. */
    spoke: (participantId: string, ...intervals: readonly (readonly [from: number, to: number])[]) =>
      write('room.client.spoke', Math.max(0, ...intervals.map(([, to]) => to)), {
        ...{ roomSessionId: place.roomSessionId, participantId },
        intervals: intervals.map(([from, to]) => ({ from: timeAt(from), to: timeAt(to) })),
      }),
  };
}

function timeAt(second: number): string {
  return new Date(scriptStart + second * 1000).toISOString();
}

/** The same events with the same ids for another organization. */
export function of<Event extends PlatformEvent>(organizationId: string, events: readonly Event[]): Event[] {
  return events.map((event) => ({ ...event, organizationId }));
}

/** The message bodies of events, as a queue's worker receives them. */
export function bodiesOf(events: readonly PlatformEvent[]): string[] {
  return events.map((event) => JSON.stringify(event));
}
