import type { Connection } from '#shared/contracts/platforms/connection.ts';
import { uuidOf } from '../ids.ts';
import { mustParse } from '../must-parse.ts';
import { newEvent } from '../new-event.ts';
import { translateParts } from '../parts.ts';
import type { Hook, NewEvent, Translation } from '../platform.ts';
import { type Meeting, MeetingEvent, Named, Payload, UserEvent } from './payload.ts';

/** The last moment that an event can have. */
const lastMs = Date.parse('9998-12-31T23:59:59.999Z');

/**
 * Translates a request of BigBlueButton, which can have several events. One that cannot be read loses no other. Each tells of the start of its meeting again, because the id of a
 * meeting ends with the time of its creation. So a lost `meeting-created` costs nothing.
 */
export function translate({ payload, connection }: Hook): Translation {
  const { events = [] } = Payload.safeParse(payload).data ?? {};
  if (events.length === 1) return { events: translateOne(events[0], connection) };
  return translateParts(events, (event) => translateOne(event, connection));
}

function translateOne(event: unknown, connection: Connection): NewEvent[] {
  switch (Named.safeParse(event).data?.data.id) {
    case 'meeting-created': {
      const { attributes, event: happened } = mustParse(MeetingEvent, event).data;
      return [...creation(attributes.meeting, connection, happened.ts), ...start(attributes.meeting, connection)];
    }
    case 'meeting-ended': {
      const { attributes, event: happened } = mustParse(MeetingEvent, event).data;
      const { meeting } = attributes;
      return [
        ...start(meeting, connection),
        newEvent(connection, 'room.session.ended', happened.ts, sessionOf(meeting, connection), idOf(meeting)),
      ];
    }
    case 'user-joined':
      return [...user(event, connection, 'room.client.joined')];
    case 'user-left':
      return [...user(event, connection, 'room.client.left')];
    default:
      return [];
  }
}

function user(event: unknown, connection: Connection, type: 'room.client.joined' | 'room.client.left'): NewEvent[] {
  const { attributes, event: happened } = mustParse(UserEvent, event).data;
  const { meeting, user: who } = attributes;
  const participantId = who['internal-user-id'];
  const client = { ...sessionOf(meeting, connection), participantId };
  const userId = who['external-user-id'];
  const userAgent = who['user-agent'];
  const joined = {
    ...{ ...client, deviceId: participantId, roleName: who.role === 'MODERATOR' ? 'moderator' : 'viewer' },
    displayName: who.name ?? '',
    ...(userId !== undefined && { userId }),
    ...(userAgent !== undefined && { userAgent }),
  };
  const data = type === 'room.client.joined' ? joined : client;
  return [...start(meeting, connection), newEvent(connection, type, happened.ts, data, idOf(meeting), participantId)];
}

function creation(meeting: Meeting, connection: Connection, ts: string): NewEvent[] {
  const { roomName } = sessionOf(meeting, connection);
  return [newEvent(connection, 'room.created', createdAtOf(meeting) ?? ts, { roomName }, idOf(meeting))];
}

/** The start of the session. None if the id of the meeting has no time. */
function start(meeting: Meeting, connection: Connection): NewEvent[] {
  const createdAt = createdAtOf(meeting);
  if (createdAt === undefined) return [];
  return [newEvent(connection, 'room.session.started', createdAt, sessionOf(meeting, connection), idOf(meeting))];
}

/** `<hash of the external id>-<milliseconds of the creation>`. */
function createdAtOf(meeting: Meeting): string | undefined {
  const ms = Number(/-(\d{1,15})$/.exec(idOf(meeting))?.[1] ?? Number.NaN);
  return ms <= lastMs ? new Date(ms).toISOString() : undefined;
}

const idOf = (meeting: Meeting) => meeting['internal-meeting-id'];

function sessionOf(meeting: Meeting, connection: Connection) {
  return { roomName: `/${meeting['external-meeting-id']}`, roomSessionId: uuidOf(connection, idOf(meeting)) };
}
