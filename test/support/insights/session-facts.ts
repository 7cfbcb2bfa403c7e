import type { ParticipantEvent } from '#shared/contracts/insights/insights.ts';
import {
  type ClientJoined,
  type RoomCreated,
  SessionEvent,
  type SessionRetraction,
} from '#shared/contracts/insights/session-events.ts';
import type { SessionKey } from '#shared/domain/insights/participant-record.ts';
import { taken } from '../issues.ts';
import { organizationId, uuid } from '../operations/records.ts';

type Fact<Type extends SessionEvent['type']> = Extract<SessionEvent, { type: Type }>;
type More<Type extends SessionEvent['type']> = Partial<Fact<Type>['data']>;

/** The default session of a test. */
export const daily: SessionKey = { organizationId: organizationId(), roomName: '/daily', roomSessionId: uuid(3) };

/** A time of the default day: `at('09:30')`, `at('09:30:05.250')`. */
export function at(time: string): string {
  return new Date(`2026-03-02T${time}Z`).toISOString();
}

/** The time that is `ms` milliseconds after another. */
export function later(time: string, ms: number): string {
  return new Date(Date.parse(at(time)) + ms).toISOString();
}

/** The same event with another id. */
export function withId<Event extends { readonly id: string }>(id: string, event: Event): Event {
  return { ...event, id };
}

/** An event as it is stored. Its id contains its type, its time and its participant. */
function fact<Type extends SessionEvent['type']>(type: Type, createdAt: string, data: object): Fact<Type> {
  const { organizationId: owner, roomName, roomSessionId } = daily;
  const id = [type, createdAt, 'participantId' in data ? data.participantId : ''].join(' ').slice(0, 128);
  const event = { id, type, organizationId: owner, createdAt, data: { roomName, roomSessionId, ...data } };
  return taken(SessionEvent, event) as Fact<Type>;
}

/** The start of the session. A time has the format of `at` or is a full date. */
export function started(time: string, more: More<'room.session.started'> = {}) {
  return fact('room.session.started', instant(time), more);
}

/** The end of the session. */
export function ended(time: string, more: More<'room.session.ended'> = {}) {
  return fact('room.session.ended', instant(time), more);
}

/** The join of a participant, who has their own device and no external id. */
export function joined(participantId: string, time: string, more: More<'room.client.joined'> = {}): ClientJoined {
  const person = { deviceId: `device of ${participantId}`, roleName: 'guest', displayName: participantId };
  return fact('room.client.joined', instant(time), { participantId, ...person, ...more });
}

/** The leave of a participant. */
export function left(participantId: string, time: string, more: More<'room.client.left'> = {}) {
  return fact('room.client.left', instant(time), { participantId, ...more });
}

/** The rating of a participant. */
export function rated(participantId: string, time: string, rating: number, more: More<'room.client.rated'> = {}) {
  return fact('room.client.rated', instant(time), { participantId, rating, ...more });
}

/** What a platform tells of a participant later. */
export function updated(participantId: string, time: string, more: More<'room.client.updated'>) {
  return fact('room.client.updated', instant(time), { participantId, ...more });
}

/** The same event as a guess of an adapter. */
export function inferred<Event extends SessionEvent>(event: Event): Event {
  return { ...event, inferred: true, reason: 'test' };
}

/** The retraction of events of the session. */
export function retracted({ id }: { readonly id: string }): SessionRetraction {
  const { organizationId: owner, roomName, roomSessionId } = daily;
  const envelope = { id: `retraction of ${id}`.slice(0, 128), organizationId: owner, createdAt: at('12:00') };
  return { ...envelope, type: 'fact.retracted', data: { eventId: id, roomName, roomSessionId } };
}

/** The retraction of events with this id of every session with the session's id, in any room. */
export function retractedEverywhere(event: { readonly id: string }): SessionRetraction {
  const { data, ...envelope } = retracted(event);
  return { ...envelope, id: `${envelope.id} everywhere`.slice(0, 128), data: { ...data, roomName: undefined } };
}

/** The creation of the session's room, with its closing time. */
export function created(time: string, endAt?: string): RoomCreated {
  const { organizationId: owner, roomName } = daily;
  const [createdAt, data] = [instant(time), { roomName, endAt: endAt && instant(endAt) }];
  return { id: `room.created ${createdAt}`, type: 'room.created', organizationId: owner, createdAt, data };
}

/** Joins of one participant, a second apart, each with a device of its own. */
export function joinsOf(participantId: string, count: number) {
  return Array.from({ length: count }, (_, index) =>
    joined(participantId, later('09:00', index * 1000), { deviceId: `device ${index}` }),
  );
}

/** The events of a connection, in the order of this object. A time has the format of `at`. */
export function eventsOf(times: Partial<Record<ParticipantEvent['type'], string>>): ParticipantEvent[] {
  return Object.entries(times).map(([type, time]) => ({ type: type as keyof typeof times, timeStamp: instant(time) }));
}

/** All permutations of a few items. */
export function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

function instant(time: string): string {
  return time.includes('T') ? time : at(time);
}
