import type { PlatformSession } from '#shared/domain/platforms/platform-session.ts';
import { sessionUuidOf } from '../ids.ts';
import { mustParse } from '../must-parse.ts';
import { newEvent } from '../new-event.ts';
import type { Hook, HookState, NeededRoom, Translation } from '../platform.ts';
import { latestStartAt, sessionAt, waitingFor } from '../session-at.ts';
import { ClientWebhook, Envelope, SessionWebhook } from './payload.ts';

const nothing: Translation = { events: [] };
/** A leave and the end of a session can be a little after the end that is known. */
const lateMs = 5_000;
const types = ['room.session.started', 'room.session.ended', 'room.client.joined', 'room.client.left'];

/** The room of a webhook that does not name its session. */
export function roomOf({ payload }: Hook): NeededRoom | undefined {
  if (!types.includes(Envelope.safeParse(payload).data?.type ?? '')) return undefined;
  const { createdAt, data } = SessionWebhook.safeParse(payload).data ?? {}; // clients have these fields, too
  if (createdAt === undefined || data === undefined || data.roomSessionId !== undefined) return undefined;
  return { roomName: data.roomName, time: createdAt, latestStart: latestStartAt(createdAt) };
}

/**
 * Translates a webhook of Whereby, whose events are nearly ours. One without the id of its session belongs to the session of its room at
 * its time, which other webhooks have named.
 */
export function translate(hook: Hook, state: HookState): Translation {
  switch (Envelope.safeParse(hook.payload).data?.type) {
    case 'room.session.started':
      return session(hook, state, 'room.session.started');
    case 'room.session.ended':
      return session(hook, state, 'room.session.ended');
    case 'room.client.joined':
    case 'room.client.left':
      return client(hook, state);
    default:
      return nothing;
  }
}

function session(hook: Hook, state: HookState, type: 'room.session.started' | 'room.session.ended'): Translation {
  const { createdAt, data } = mustParse(SessionWebhook, hook.payload);
  const { roomName } = data;
  const found = sessionAt(state, createdAt, { lateMs: type === 'room.session.ended' ? lateMs : 0 });
  const sessionId = data.roomSessionId ?? found.session?.sessionId;
  if (sessionId === undefined) return waitingFor(found, hook.connection, sessionUuidOf);
  const roomSessionId = sessionUuidOf(hook.connection, sessionId);
  const endedAt = type === 'room.session.ended' ? createdAt : null;
  const known = state.sessions.find((one) => one.sessionId === sessionId);
  const isKnownEarlier = known !== undefined && Date.parse(known.startedAt) < Date.parse(createdAt);
  return {
    // The end says nothing about the start. Clients have named it, or name it later. What came before may be dated after the end.
    sessions: [{ roomName, sessionId, startedAt: isKnownEarlier ? known.startedAt : createdAt, endedAt }],
    events: [newEvent(hook.connection, type, createdAt, { roomName, roomSessionId }, sessionId, createdAt)],
  };
}

/** A webhook without the id of the participant says nothing: no join could be told from another. */
function client(hook: Hook, state: HookState): Translation {
  const { type } = mustParse(Envelope, hook.payload);
  const { createdAt, data } = mustParse(ClientWebhook, hook.payload);
  const { roomName, participantId, displayName, roleName, externalId, numClients } = data;
  if (participantId === undefined) return nothing;
  const found = sessionAt(state, createdAt, { lateMs: type === 'room.client.left' ? lateMs : 0 });
  const sessionId = data.roomSessionId ?? found.session?.sessionId;
  if (sessionId === undefined) return waitingFor(found, hook.connection, sessionUuidOf);
  const who = { roomName, roomSessionId: sessionUuidOf(hook.connection, sessionId), participantId };
  const counted = numClients === undefined ? {} : { numClients };
  const named = data.roomSessionId && { roomName, sessionId, startedAt: createdAt, endedAt: null };
  const lastCount = numClients === undefined ? undefined : { at: createdAt, clients: numClients };
  const seen = [named || found.session].flatMap((each): PlatformSession[] => (each ? [{ ...each, lastCount }] : []));
  const parts = [sessionId, participantId, createdAt] as const; // two webhooks of Whereby may give one event two ids
  if (type === 'room.client.left')
    return { sessions: seen, events: [newEvent(hook.connection, type, createdAt, { ...who, ...counted }, ...parts)] };
  const joined = {
    ...{ ...who, ...counted, deviceId: participantId, roleName: roleName ?? 'visitor' },
    displayName: displayName ?? '',
    ...(externalId !== undefined && { externalId }),
  };
  return { sessions: seen, events: [newEvent(hook.connection, 'room.client.joined', createdAt, joined, ...parts)] };
}
