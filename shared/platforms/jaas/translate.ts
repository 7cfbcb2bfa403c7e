import { eventIdOf, sessionUuidOf, shortened } from '../ids.ts';
import { nodeOf } from '../jid.ts';
import { mustParse } from '../must-parse.ts';
import { type Parts, translateParts } from '../parts.ts';
import type { Hook, NewEvent, Translation } from '../platform.ts';
import {
  Envelope,
  FeedbackData,
  ParticipantData,
  PlaceData,
  Speaker,
  SpeakerData,
  Usage,
  UsageData,
} from './payload.ts';

/** Makes an event of a webhook. Its id is that of the webhook, unless another one is given. */
type Make = (type: NewEvent['type'], data: object, id?: string) => NewEvent;
/** Reads the data of a webhook of one type, and says what it means. */
type Translator = (webhook: Webhook) => readonly NewEvent[] | Parts;

type Webhook = {
  readonly id: string;
  readonly sessionId: string;
  readonly data: unknown;
  /** Makes an event of the meeting, or of one of its breakout rooms. */
  readonly in: (place: { readonly isBreakout: boolean; readonly breakoutRoomId?: string | undefined }) => Make;
};

const meeting = { isBreakout: false };

const translators: ReadonlyMap<string, Translator> = new Map<string, Translator>([
  ['ROOM_CREATED', roomCreated],
  ['ROOM_DESTROYED', (webhook) => [webhook.in(mustParse(PlaceData, webhook.data))('room.session.ended', {})]],
  ['PARTICIPANT_JOINED', joined()],
  ['PARTICIPANT_LEFT', left],
  ...['DIAL_IN', 'DIAL_OUT', 'SIP_CALL_IN', 'SIP_CALL_OUT'].flatMap((call): [string, Translator][] => [
    [`${call}_STARTED`, joined('dial-in')],
    [`${call}_ENDED`, left],
  ]),
  ...service('RECORDING', 'recorder'),
  ...service('LIVE_STREAM', 'streamer'),
  ['FEEDBACK', rated],
  ['USAGE', devices],
  ['SPEAKER_STATS', speakers],
]);

/** Translates a webhook of JaaS. It needs no state, because every webhook names its session. */
export function translate({ payload, connection, digest }: Hook): Translation {
  const translator = translators.get(typeOf(payload));
  if (!translator) return { events: [] };
  const { idempotencyKey: id = digest, sessionId, timestamp, fqn } = mustParse(Envelope, payload);
  const room = `/${fqn.slice(fqn.indexOf('/') + 1)}`;
  const { data } = payload as { data?: unknown };

  const translated = translator({
    ...{ id, sessionId, data },
    in: ({ isBreakout, breakoutRoomId = 'breakout' }) => {
      const place = isBreakout
        ? {
            roomName: `${room}/${breakoutRoomId}`,
            roomSessionId: sessionUuidOf(connection, `${sessionId}|${breakoutRoomId}`),
          }
        : { roomName: room, roomSessionId: sessionUuidOf(connection, sessionId) };
      return (type, more, ownId = id) =>
        ({
          id: ownId,
          type,
          organizationId: connection.organizationId,
          createdAt: timestamp,
          data: { ...(type === 'room.created' ? { roomName: place.roomName } : place), ...more },
        }) as NewEvent;
    },
  });
  return 'events' in translated ? translated : { events: translated };
}

function roomCreated(webhook: Webhook): readonly NewEvent[] {
  const make = webhook.in(mustParse(PlaceData, webhook.data));
  return [make('room.created', {}, eventIdOf(webhook.id, 'room')), make('room.session.started', {})];
}

/** JaaS sends calls by phone and SIP in place of `PARTICIPANT_JOINED`, so they are joins of their own. */
function joined(role?: string): Translator {
  return (webhook) => {
    const participant = mustParse(ParticipantData, webhook.data);
    const { id, name, nick, moderator } = participant;
    const data = {
      participantId: participantIdOf(participant),
      deviceId: connectionIdOf(participant),
      ...(id !== undefined && { userId: id }),
      roleName: role ?? (moderator ? 'host' : 'visitor'),
      displayName: name ?? nick ?? '',
    };
    return [webhook.in(participant)('room.client.joined', data)];
  };
}

function left(webhook: Webhook): readonly NewEvent[] {
  const participant = mustParse(ParticipantData, webhook.data);
  return [webhook.in(participant)('room.client.left', { participantId: participantIdOf(participant) })];
}

/** A recorder or streamer joins the meeting, and JaaS names neither its id nor its address. A meeting has one of each at a time. */
function service(name: string, roleName: 'recorder' | 'streamer'): [string, Translator][] {
  const client = { participantId: roleName };
  const join = { ...client, deviceId: roleName, roleName, displayName: '' };
  return [
    [`${name}_STARTED`, (webhook) => [webhook.in(meeting)('room.client.joined', join)]],
    [`${name}_ENDED`, (webhook) => [webhook.in(meeting)('room.client.left', client)]],
  ];
}

function rated(webhook: Webhook): readonly NewEvent[] {
  const { rating, comments, userId } = mustParse(FeedbackData, webhook.data);
  if (userId === undefined || rating === undefined || rating < 1 || rating > 5) return [];
  const comment = comments === undefined ? {} : { comment: comments };
  return [webhook.in(meeting)('room.client.rated', { participantId: userId, rating, ...comment })];
}

function devices(webhook: Webhook): Parts {
  return translateParts(mustParse(UsageData, webhook.data), (usage) => {
    const { deviceId, userId } = mustParse(Usage, usage);
    if (deviceId === undefined || userId === undefined) return [];
    const data = { participantId: userId, deviceId };
    return [webhook.in(meeting)('room.client.updated', data, eventIdOf(webhook.id, 'device', userId, deviceId))];
  });
}

/**
 * Each entry is one connection, so somebody who joined twice has two, and their times are added. A time is a total. Its id is that of the
 * connection, so a later webhook replaces it.
 */
function speakers(webhook: Webhook): Parts {
  return translateParts(Object.entries(mustParse(SpeakerData, webhook.data)), ([address, entry]) => {
    const { time, id } = mustParse(Speaker, entry);
    const jid = shortened(address);
    if (time === undefined || time < 0) return [];
    const data = { participantId: id ?? nodeOf(jid), spokenSeconds: time / 1000 };
    return [webhook.in(meeting)('room.client.updated', data, eventIdOf('jaas speaker', webhook.sessionId, jid))];
  });
}

/** The user's id, so that a rejoin is the same participant and ratings, devices and talk time find it; otherwise the connection's. */
function participantIdOf(participant: ParticipantData): string {
  return participant.id ?? connectionIdOf(participant);
}

function connectionIdOf({ participantJid, participantId, id }: ParticipantData): string {
  return (participantJid === undefined ? participantId : nodeOf(participantJid)) ?? id ?? '';
}

function typeOf(payload: unknown): string {
  const { eventType } = (payload ?? {}) as { readonly eventType?: unknown };
  return typeof eventType === 'string' ? eventType : '';
}
