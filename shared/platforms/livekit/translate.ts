import type { Connection } from '#shared/contracts/platforms/connection.ts';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { uuidOf } from '../ids.ts';
import { mustParse } from '../must-parse.ts';
import type { Hook, HookState, NewEvent, Translation } from '../platform.ts';
import { egressEvents } from './egress.ts';
import { describe } from './participants.ts';
import { Named, type Participant, ParticipantWebhook, RoomWebhook } from './payload.ts';
import { LivekitSettings } from './settings.ts';

/** Translates a webhook of LiveKit. One that tells of a room tells of its start again, so a lost `room_started` costs nothing. */
export function translate(hook: Hook, state: HookState): Translation {
  const named = Named.safeParse(hook.payload);
  switch (named.data?.event) {
    case 'room_started':
      return { events: started(hook) };
    case 'room_finished':
      return { events: [...start(hook), finished(hook)] };
    case 'participant_joined':
      return { events: [...start(hook), joined(hook)] };
    case 'participant_left':
      return { events: [...start(hook), { ...joined(hook), inferred: true, reason: 'leave' }, left(hook)] };
    case 'participant_connection_aborted':
      return { events: start(hook), failedJoins: 1 };
    case 'track_published':
    case 'track_unpublished':
      return { events: start(hook) };
    case 'egress_ended':
      return { events: egressEvents(hook, state) };
    default:
      return { events: [] };
  }
}

function started(hook: Hook): NewEvent[] {
  const { room, createdAt } = mustParse(RoomWebhook, hook.payload);
  const time = must(startOf(room) ?? createdAt, 'room.creationTime');
  const { organizationId } = hook.connection;
  const { roomName } = sessionOf(hook.connection, room);
  return [
    { id: `livekit-room-${room.sid}`, type: 'room.created', organizationId, createdAt: time, data: { roomName } },
    startEvent(hook.connection, room, time),
  ];
}

/** The start of the session, with the same id and time in every webhook that knows it. None if this one does not. */
function start(hook: Hook): NewEvent[] {
  const { room } = mustParse(RoomWebhook, hook.payload);
  const time = startOf(room);
  return time === undefined ? [] : [startEvent(hook.connection, room, time)];
}

function startEvent(connection: Connection, room: RoomWebhook['room'], createdAt: string): NewEvent {
  const { organizationId } = connection;
  const data = sessionOf(connection, room);
  return { id: `livekit-start-${room.sid}`, type: 'room.session.started', organizationId, createdAt, data };
}

function finished({ payload, connection }: Hook): NewEvent {
  const { room, createdAt } = mustParse(RoomWebhook, payload);
  return {
    id: `livekit-end-${room.sid}`,
    type: 'room.session.ended',
    organizationId: connection.organizationId,
    createdAt: must(createdAt, 'createdAt'),
    data: sessionOf(connection, room),
  };
}

/**
 * The join of the participant. Its id and time come from the participant and not from the webhook, so that a leave tells the same join again
 * if `participant_joined` was lost. Names and attributes of a leave are those of its moment, so the join that a leave tells is a guess, and
 * the join of `participant_joined` counts, in any order of arrival.
 */
function joined({ payload, connection }: Hook): NewEvent {
  const { room, participant, createdAt } = mustParse(ParticipantWebhook, payload);
  return {
    id: `livekit-join-${participant.sid}`,
    type: 'room.client.joined',
    organizationId: connection.organizationId,
    createdAt: must(joinOf(participant) ?? createdAt, 'participant.joinedAt'),
    data: {
      ...sessionOf(connection, room),
      ...describe(participant, mustParse(LivekitSettings, connection.settings)),
      connectionId: participant.sid,
      exclusive: true, // a server removes the participant that has the identity of a new one
    },
  };
}

/** The leave. LiveKit dates it with whole seconds, so it may be up to a second before its join. Insights allow for that. */
function left({ payload, connection }: Hook): NewEvent {
  const { room, participant, createdAt } = mustParse(ParticipantWebhook, payload);
  return {
    id: `livekit-leave-${participant.sid}`,
    type: 'room.client.left',
    organizationId: connection.organizationId,
    createdAt: must(createdAt, 'createdAt'),
    data: { ...sessionOf(connection, room), participantId: participant.identity, connectionId: participant.sid },
  };
}

function sessionOf(connection: Connection, { sid, name }: RoomWebhook['room']) {
  return { roomName: `/${name}`, roomSessionId: uuidOf(connection, sid) };
}

const startOf = ({ creationTimeMs, creationTime }: RoomWebhook['room']) => creationTimeMs ?? creationTime;
const joinOf = ({ joinedAtMs, joinedAt }: Participant) => joinedAtMs ?? joinedAt;

function must(time: string | undefined, path: string): string {
  if (time === undefined) throw new InvalidRequest([{ path, message: 'is required' }]);
  return time;
}
