import type { PlatformSession } from '#shared/domain/platforms/platform-session.ts';
import { eventIdOf, sessionUuidOf } from '../ids.ts';
import { mustParse } from '../must-parse.ts';
import { translateParts } from '../parts.ts';
import { MaybeText } from '../payload-fields.ts';
import type { Hook, HookState, NeededRoom, NewEvent, Translation } from '../platform.ts';
import { latestStartAt, sessionAt, waitingFor } from '../session-at.ts';
import { endpointsOf, eventsOfOccupant, type Place } from './occupants.ts';
import {
  Occupant,
  OccupantPayload,
  RecordingPayload,
  RoomCreatedPayload,
  RoomDestroyedPayload,
  type RoomPayload,
} from './payload.ts';
import { recordingEvents } from './recordings.ts';

const nothing: Translation = { events: [] };
/** A recorder has a clock of its own. Those of occupants have that of Prosody, as the creation of the room has. */
const recorderMs = 60_000;

/** Translates a webhook of event_sync, or of the script that Jibri and the multitrack recorder run at the end of a recording. */
export function translate(hook: Hook, state: HookState): Translation {
  switch (typeOf(hook)) {
    case 'muc-room-created':
      return created(hook);
    case 'muc-room-destroyed':
      return destroyed(hook, state.sessions);
    case 'muc-occupant-joined':
      return occupant(hook, state, 'joined');
    case 'muc-occupant-left':
      return occupant(hook, state, 'left');
    case 'roomscribe-recording-finished':
      return recordingFinished(hook, state);
    default:
      return nothing;
  }
}

/**
 * The room whose sessions are needed: none if the event names its meeting. A recording without a room has a room of its own, in which its
 * meeting is remembered.
 */
export function roomOf(hook: Hook): NeededRoom | undefined {
  const { payload } = hook;
  switch (typeOf(hook)) {
    case 'muc-room-destroyed': {
      const { data } = RoomDestroyedPayload.safeParse(payload);
      return data && roomWithoutMeeting(data, data.created_at, 0);
    }
    case 'muc-occupant-joined':
    case 'muc-occupant-left': {
      const { data } = OccupantPayload.safeParse(payload);
      return data?.occupant && roomWithoutMeeting(data, data.occupant.joined_at);
    }
    case 'roomscribe-recording-finished': {
      const { data } = RecordingPayload.safeParse(payload);
      if (data?.room_name === undefined) return data && { roomName: roomOfMeeting(data.meeting_id ?? '') };
      return { roomName: `/${data.room_name}`, time: data.start, latestStart: latestStartAt(data.start, recorderMs) };
    }
    default:
      return undefined;
  }
}

function roomWithoutMeeting(room: RoomPayload, time: string, earlyMs?: number): NeededRoom | undefined {
  if (room.meeting_id !== undefined) return undefined;
  return { roomName: roomNameOf(room), time, latestStart: latestStartAt(time, earlyMs) };
}

function created({ payload, connection }: Hook): Translation {
  const room = mustParse(RoomCreatedPayload, payload);
  const key = room.meeting_id ?? keyOf(room);
  return {
    sessions: toRemember(room, key, room.created_at, null),
    events: startOf(room, placeOf(connection, room, key)),
  };
}

/** The end tells the whole session again, so that it fills what was lost. An occupant who cannot be read loses nobody else. */
function destroyed({ payload, connection }: Hook, sessions: readonly PlatformSession[]): Translation {
  const room = mustParse(RoomDestroyedPayload, payload);
  const known = sessions.find(({ startedAt }) => startedAt === room.created_at);
  const key = room.meeting_id ?? known?.sessionId ?? keyOf(room);
  const place = placeOf(connection, room, key);
  const ended: NewEvent = {
    id: eventIdOf(keyOf(room), 'ended'),
    type: 'room.session.ended',
    organizationId: place.organizationId,
    createdAt: room.destroyed_at,
    data: { roomName: place.roomName, roomSessionId: place.roomSessionId },
  };
  const { events: occupants, unreadable } = translateParts(room.all_occupants, (each) =>
    eventsOfOccupant(mustParse(Occupant, each), room, place, 'destroyed'),
  );
  return {
    sessions: toRemember(room, key, room.created_at, room.destroyed_at, endpointsOf(room.all_occupants, place.roles)),
    events: [...startOf(room, place), ...occupants, ended],
    unreadable,
  };
}

function occupant({ payload, connection }: Hook, state: HookState, source: 'joined' | 'left'): Translation {
  const room = mustParse(OccupantPayload, payload);
  if (!room.occupant) return nothing;
  const { joined_at: joinedAt, left_at: leftAt } = room.occupant;
  const found = room.meeting_id === undefined ? sessionAt(state, joinedAt) : {};
  const key = room.meeting_id ?? found.session?.sessionId;
  if (key === undefined) return waitingFor(found, connection, sessionUuidOf);
  const isEmpty = source === 'left' && room.active_occupants_count === 0;
  const lastCount = isEmpty && leftAt !== undefined && { at: leftAt, clients: 0 };
  return {
    ...(found.session && lastCount && { sessions: [{ ...found.session, lastCount }] }),
    events: eventsOfOccupant(room.occupant, room, placeOf(connection, room, key), source),
  };
}

/**
 * A recording without a room is remembered in the room of its meeting, where the name of the session is the room's. Tracks wait for the end of
 * the session, which tells whose connections recorded them.
 */
function recordingFinished({ payload, connection }: Hook, state: HookState): Translation {
  const recording = mustParse(RecordingPayload, payload);
  const { start, meeting_id: meetingId, room_name: name, tracks } = recording;
  const found = meetingId === undefined ? sessionAt(state, start, { earlyMs: recorderMs }) : {};
  const ofMeeting = name === undefined ? state.sessions[0] : undefined;
  const roomName = name === undefined ? ofMeeting?.sessionId : `/${name}`;
  const sessionKey = meetingId ?? found.session?.sessionId;
  if (roomName === undefined || sessionKey === undefined) return waitingFor(found, connection, sessionUuidOf);
  if (tracks && ofMeeting?.endedAt === null) return { events: [], waits: true };
  const session = { roomName, roomSessionId: sessionUuidOf(connection, sessionKey) };
  return { events: recordingEvents(connection, recording, { ...session, participants: ofMeeting?.participants }) };
}

function startOf(room: RoomCreatedPayload, { organizationId, roomName, roomSessionId }: Place): readonly NewEvent[] {
  const at = { organizationId, createdAt: room.created_at };
  return [
    { id: eventIdOf(keyOf(room), 'created'), type: 'room.created', ...at, data: { roomName } },
    { id: eventIdOf(keyOf(room), 'started'), type: 'room.session.started', ...at, data: { roomName, roomSessionId } },
  ];
}

/**
 * The session under its room, and, if it has the id of a meeting, the room under its meeting. The latter has the participants, for the tracks
 * of the multitrack recorder, which names no room.
 */
function toRemember(
  room: RoomPayload,
  sessionId: string,
  startedAt: string,
  endedAt: string | null,
  participants?: PlatformSession['participants'],
) {
  const times = { startedAt, endedAt };
  const roomName = roomNameOf(room);
  const session: PlatformSession = { roomName, sessionId, ...times };
  if (room.meeting_id === undefined) return [session];
  const meeting: PlatformSession = { roomName: roomOfMeeting(room.meeting_id), sessionId: roomName, ...times };
  return [session, participants ? { ...meeting, participants } : meeting];
}

function placeOf(connection: Hook['connection'], room: RoomPayload, sessionKey: string): Place {
  const { organizationId, settings } = connection;
  return {
    ...{ organizationId, roomName: roomNameOf(room), roles: settings.roles },
    roomSessionId: sessionUuidOf(connection, sessionKey),
  };
}

/** A breakout room is a room of its own: its events name the room that it belongs to. */
function roomNameOf({ room_name: name, is_breakout: isBreakout, breakout_room_id: id }: RoomPayload): string {
  return isBreakout ? `/${name}/${id ?? 'breakout'}` : `/${name}`;
}

/** The name of a session whose platform has none: Prosody creates a room at most once at a time. */
function keyOf({ room_jid: jid, breakout_room_id: breakout, created_at: at }: RoomCreatedPayload): string {
  return JSON.stringify([jid, breakout ?? '', at]);
}

function roomOfMeeting(meetingId: string): string {
  return `meeting ${meetingId}`;
}

function typeOf({ payload }: Hook): string | undefined {
  return MaybeText.safeParse((payload as { event_name?: unknown } | null)?.event_name).data;
}
