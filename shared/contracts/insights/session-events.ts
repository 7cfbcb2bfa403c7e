import * as z from 'zod/mini';
import { Identifier, RoomName, Timestamp, Uuid, wellFormed } from '../common/fields.ts';
import { event, maxCharacters, text } from './event.ts';

/** A platform without a value sends null or omits the field. Both mean the same. */
const optional = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? undefined),
  );

const name = (maxLength: number) => z.string().check(maxCharacters(maxLength), wellFormed);
const session = { roomName: RoomName, roomSessionId: Uuid };
const client = { ...session, participantId: Identifier };
/** How many clients the platform counts in the session after the event. It shows which joins and leaves are missing. */
const numClients = optional(z.int().check(z.minimum(0, 'must be at least 0')));

/** A room was created. It will close at `endAt`. */
export const RoomCreated = event('room.created', z.object({ roomName: RoomName, endAt: optional(Timestamp) }));
export type RoomCreated = z.infer<typeof RoomCreated>;

/** The platform's id of a connection. A leave with one ends the connection of the join with it, and no other that has an id. */
const connectionId = optional(Identifier);

const SessionStarted = event('room.session.started', z.object(session));
const SessionEnded = event('room.session.ended', z.object(session));

/** A role in a session. The platform chooses its roles. */
export const RoleName = text(64);

const ClientJoined = event(
  'room.client.joined',
  z.object({
    ...client,
    deviceId: Identifier,
    userId: optional(Identifier),
    roleName: RoleName,
    displayName: name(256),
    externalId: optional(Identifier),
    userAgent: optional(name(1024)),
    numClients,
    connectionId,
    /** True if the platform ended the participant's other connections at this join. */
    exclusive: optional(z.boolean()),
  }),
);
/** Somebody connected: a person, or a recorder, a streamer or another service of the platform. */
export type ClientJoined = z.infer<typeof ClientJoined>;

const ClientLeft = event('room.client.left', z.object({ ...client, numClients, connectionId }));

const ClientRated = event(
  'room.client.rated',
  z.object({
    ...client,
    rating: z.number().check(z.minimum(1, 'must be from 1 to 5'), z.maximum(5, 'must be from 1 to 5')),
    tags: optional(z.array(text(100)).check(z.maxLength(50, 'must be at most 50 tags'))),
    comment: optional(name(5000)),
  }),
);
/** A participant's feedback on the session. */
export type ClientRated = z.infer<typeof ClientRated>;

const spokenSecondsMessage = 'must be from 0 to 315360000';
const ClientUpdated = event(
  'room.client.updated',
  z
    .object({
      ...client,
      deviceId: optional(Identifier),
      spokenSeconds: optional(
        z.number().check(z.minimum(0, spokenSecondsMessage), z.maximum(315_360_000, spokenSecondsMessage)),
      ),
    })
    .check(
      z.refine(
        ({ deviceId, spokenSeconds }) => deviceId !== undefined || spokenSeconds !== undefined,
        'must have deviceId, spokenSeconds or both',
      ),
    ),
);
/**
 * What a platform tells of a participant after the join: the device, and for how long the participant spoke during one
 * connection by the platform's own count.
 */
export type ClientUpdated = z.infer<typeof ClientUpdated>;

const roomOrSession = z.refine<{ roomName?: string | undefined; roomSessionId?: string | undefined }>(
  ({ roomName, roomSessionId }) => roomName !== undefined || roomSessionId !== undefined,
  'must have roomName, roomSessionId or both',
);

/**
 * The platform takes back the events with this id: a room's creations, or those of a session, in one room or in every room
 * with the session's id.
 */
export const FactRetracted = event(
  'fact.retracted',
  z.object({ eventId: text(128), roomName: optional(RoomName), roomSessionId: optional(Uuid) }).check(roomOrSession),
);
export type FactRetracted = z.infer<typeof FactRetracted>;
/** A retraction of a session's events. Without a room, it concerns every room with the session's id. */
export type SessionRetraction = FactRetracted & { readonly data: { readonly roomSessionId: string } };
/** A retraction of a room's creations. */
export type RoomRetraction = FactRetracted & { readonly data: { readonly roomName: string } };

/** The events of a session. They are the facts from which insights are computed. */
export const sessionEvents = [
  SessionStarted,
  SessionEnded,
  ClientJoined,
  ClientLeft,
  ClientRated,
  ClientUpdated,
] as const;
/** An event of a session. It is stored in the same form, and the service can mark a join (shared/domain/insights/connection-kind.ts). */
export const SessionEvent = z.discriminatedUnion('type', sessionEvents);
export type SessionEvent = z.infer<typeof SessionEvent>;
/** A fact of a session: an event, or a retraction of one. It is stored in the same form. */
export type SessionFact = SessionEvent | SessionRetraction;
/** The events that name a participant. */
export type ClientEvent = Extract<SessionEvent, { type: `room.client.${string}` }>;

/** True for the events of a session, and false for other events of the same queue. */
export function isSessionEvent(event: { readonly type: string }): event is SessionEvent {
  return sessionEvents.some(({ shape }) => shape.type.def.values.includes(event.type as never));
}

/** True for a retraction of a session's events, and false for one of a room's creation. */
export function isSessionRetraction(event: {
  readonly type: string;
  readonly data: object;
}): event is SessionRetraction {
  return event.type === 'fact.retracted' && (event as FactRetracted).data.roomSessionId !== undefined;
}

/** True for a fact of a session. */
export function isSessionFact(event: { readonly type: string; readonly data: object }): event is SessionFact {
  return isSessionEvent(event) || isSessionRetraction(event);
}

/** True for an event that names a participant, and false for an event of the whole session. */
export function isClientEvent(event: SessionEvent): event is ClientEvent {
  return 'participantId' in event.data;
}
