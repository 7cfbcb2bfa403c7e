import { uuidOf } from '../ids.ts';
import { mustParse } from '../must-parse.ts';
import { newEvent } from '../new-event.ts';
import type { Hook, HookState, NeededRoom, Translation } from '../platform.ts';
import { latestStartAt, sessionAt, waitingFor } from '../session-at.ts';
import { Envelope, instantOf, MeetingPayload, ParticipantPayload, RecordingPayload } from './payload.ts';
import { recordingEvents } from './recordings.ts';

const nothing: Translation = { events: [] };

/** The room of a webhook that names a room and no meeting. */
export function roomOf({ payload }: Hook): NeededRoom | undefined {
  const { type, payload: data } = Envelope.safeParse(payload).data ?? {};
  switch (type) {
    case 'participant.joined':
    case 'participant.left': {
      const participant = ParticipantPayload.safeParse(data).data;
      return participant && roomAt(participant.room, participant.joined_at);
    }
    case 'recording.ready-to-download': {
      const recording = RecordingPayload.safeParse(data).data;
      return recording && roomAt(recording.room_name, recording.start_ts);
    }
    default:
      return undefined;
  }
}

function roomAt(room: string, seconds: number): NeededRoom {
  const time = instantOf(seconds);
  return { roomName: `/${room}`, time, latestStart: latestStartAt(time) };
}

/** Translates a webhook of Daily. Those of participants and recordings belong to the meeting of their room at their time. */
export function translate(hook: Hook, state: HookState): Translation {
  switch (Envelope.safeParse(hook.payload).data?.type) {
    case 'meeting.started':
    case 'meeting.ended':
      return meeting(hook);
    case 'participant.joined':
    case 'participant.left':
      return participant(hook, state);
    case 'recording.ready-to-download':
      return recording(hook, state);
    default:
      return nothing;
  }
}

/** The end names the start, too, so a lost start costs nothing. */
function meeting(hook: Hook): Translation {
  const { meeting_id, room, start_ts, end_ts } = mustParse(MeetingPayload, mustParse(Envelope, hook.payload).payload);
  const roomName = `/${room}`;
  const data = { roomName, roomSessionId: uuidOf(hook.connection, meeting_id) };
  return {
    sessions: [{ roomName, sessionId: meeting_id, startedAt: start_ts, endedAt: end_ts ?? null }],
    events: [
      newEvent(hook.connection, 'room.session.started', start_ts, data, meeting_id),
      ...(end_ts === undefined ? [] : [newEvent(hook.connection, 'room.session.ended', end_ts, data, meeting_id)]),
    ],
  };
}

/** A leave tells its join again, so a lost join costs nothing. The ids come from the connection, so doubles are the same events. */
function participant(hook: Hook, state: HookState): Translation {
  const { room, session_id, user_id, user_name, owner, joined_at, duration } = mustParse(
    ParticipantPayload,
    mustParse(Envelope, hook.payload).payload,
  );
  const joinedAt = instantOf(joined_at);
  const found = sessionAt(state, joinedAt);
  const { session } = found;
  if (!session) return waitingFor(found, hook.connection, uuidOf);
  const participantId = user_id ?? session_id;
  const client = {
    roomName: `/${room}`,
    roomSessionId: uuidOf(hook.connection, session.sessionId),
    participantId,
  };
  const joined = {
    ...{
      ...client,
      deviceId: session_id,
      roleName: owner ? 'host' : 'visitor',
      displayName: user_name ?? '',
    },
    ...(participantId !== session_id && { userId: participantId }),
  };
  const parts = [session_id, joinedAt] as const;
  return {
    // Only the tracks of recordings need to know who a connection was, and recordings need the setting.
    ...(participantId !== session_id &&
      hook.connection.settings.bucket !== undefined && {
        sessions: [{ ...session, participants: { [session_id]: participantId } }],
      }),
    events: [
      newEvent(hook.connection, 'room.client.joined', joinedAt, joined, ...parts),
      ...(duration === undefined
        ? []
        : [newEvent(hook.connection, 'room.client.left', instantOf(joined_at + duration), client, ...parts)]),
    ],
  };
}

function recording(hook: Hook, state: HookState): Translation {
  const payload = mustParse(RecordingPayload, mustParse(Envelope, hook.payload).payload);
  // Daily dates a recording in whole seconds, so it can begin just before its meeting.
  const found = sessionAt(state, instantOf(payload.start_ts));
  const { session } = found;
  if (!session) return waitingFor(found, hook.connection, uuidOf);
  const unreadable = (payload.tracks ?? []).filter((track) => track === undefined).length;
  return { events: recordingEvents(hook, payload, session), unreadable: unreadable || undefined };
}
