import * as z from 'zod/mini';
import { event, maxCharacters, text } from './event.ts';
import { Identifier, RoomName, Timestamp, Uuid, wellFormed } from './fields.ts';

/** Platforms that have no value send null, or nothing: one and the same here. */
const optional = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.pipe(
    z.nullish(schema),
    z.transform((value) => value ?? undefined),
  );

const name = (maxLength: number) => z.string().check(maxCharacters(maxLength), wellFormed);
const session = { roomName: RoomName, roomSessionId: Uuid };
const client = { ...session, participantId: Identifier };

/** A room was set up; `endAt` is when it will close. */
export const RoomCreated = event('room.created', z.object({ roomName: RoomName, endAt: optional(Timestamp) }));
export type RoomCreated = z.infer<typeof RoomCreated>;

const SessionStarted = event('room.session.started', z.object(session));
const SessionEnded = event('room.session.ended', z.object(session));

const ClientJoined = event(
  'room.client.joined',
  z.object({
    ...client,
    deviceId: Identifier,
    userId: optional(Identifier),
    roleName: text(64),
    displayName: name(256),
    externalId: optional(Identifier),
    userAgent: optional(name(1024)),
  }),
);
/** Somebody, a recorder or a streamer connected. */
export type ClientJoined = z.infer<typeof ClientJoined>;

const ClientLeft = event('room.client.left', z.object(client));

const ClientRated = event(
  'room.client.rated',
  z.object({
    ...client,
    rating: z.number().check(z.minimum(1, 'must be from 1 to 5'), z.maximum(5, 'must be from 1 to 5')),
    tags: optional(z.array(text(100)).check(z.maxLength(50, 'must be at most 50 tags'))),
    comment: optional(name(5000)),
  }),
);
/** A participant's opinion of the session. */
export type ClientRated = z.infer<typeof ClientRated>;

/** What is said of one session: these are the facts that insights are made of. */
export const sessionEvents = [SessionStarted, SessionEnded, ClientJoined, ClientLeft, ClientRated] as const;
/** One of them, in the form in which it is kept too. */
export const SessionEvent = z.discriminatedUnion('type', sessionEvents);
export type SessionEvent = z.infer<typeof SessionEvent>;
/** Those of them that one participant is named in. */
export type ClientEvent = Extract<SessionEvent, { type: `room.client.${string}` }>;

/** Tells a session's events from others of the same queue. */
export function isSessionEvent(event: { readonly type: string }): event is SessionEvent {
  return sessionEvents.some(({ shape }) => shape.type.def.values.includes(event.type as never));
}

/** Tells a participant's events from the session's own. */
export function isClientEvent(event: SessionEvent): event is ClientEvent {
  return 'participantId' in event.data;
}
