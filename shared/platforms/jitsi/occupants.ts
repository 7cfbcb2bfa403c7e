import { maxRememberedParticipants } from '#shared/domain/platforms/platform-session.ts';
import { eventIdOf } from '../ids.ts';
import { jidOf, nodeOf } from '../jid.ts';
import type { NewEvent } from '../platform.ts';
import { Occupant, type RoomPayload } from './payload.ts';
import { serviceRoleOf } from './roles.ts';

/** Where an event belongs. */
export type Place = {
  readonly organizationId: string;
  readonly roomName: string;
  readonly roomSessionId: string;
  /** The setting `roles` of the connection. */
  readonly roles: string | undefined;
};

/** The mark of joins and leaves that the end of the session tells again. The live ones count, where they came. */
const told = { inferred: true, reason: 'occupants' } as const;

/**
 * The events of one connection. A leave tells its join again, so a lost join costs nothing. The same connection gives the same ids, whether
 * the live events or the end of the session tell of it, so what is told twice is there once.
 */
export function eventsOfOccupant(
  occupant: Occupant,
  room: RoomPayload,
  { organizationId, roomName, roomSessionId, roles }: Place,
  source: 'joined' | 'left' | 'destroyed',
): readonly NewEvent[] {
  const { occupant_jid: jid, joined_at: joinedAt, left_at: leftAt, name, id } = occupant;
  const service = serviceOf(occupant, roles);
  if (service === '-') return [];
  const client = { roomName, roomSessionId, participantId: participantIdOf(occupant, service) };
  const mark = source === 'destroyed' ? told : {};
  const idOf = (kind: string) => eventIdOf(room.room_jid, room.breakout_room_id ?? '', jid, joinedAt, kind);

  const joined = {
    ...client,
    deviceId: nodeOf(jid),
    displayName: name ?? '',
    ...(id !== undefined && { userId: id }),
    roleName: service ?? (isHost(occupant) ? 'host' : 'visitor'),
  };
  const events: NewEvent[] = [
    { id: idOf('joined'), type: 'room.client.joined', organizationId, createdAt: joinedAt, ...mark, data: joined },
  ];
  if (source === 'joined' || leftAt === undefined) return events;
  const left = { organizationId, createdAt: leftAt };
  events.push({ id: idOf('left'), type: 'room.client.left', ...left, ...mark, data: client });
  const spokenMs = occupant.total_dominant_speaker_time;
  if (service === undefined && spokenMs !== undefined && spokenMs >= 0) {
    const data = { ...client, spokenSeconds: spokenMs / 1000 };
    events.push({ id: idOf('spoke'), type: 'room.client.updated', ...left, data });
  }
  return events;
}

/** The user's id, so that a rejoin is the same participant; otherwise that of the connection. Callers may share one account. */
function participantIdOf({ id, occupant_jid: jid }: Occupant, service: string | undefined): string {
  if (id !== undefined) return id;
  const { resource } = jidOf(jid);
  return service === 'dial-in' && resource !== '' ? `${nodeOf(jid)}/${resource}` : nodeOf(jid);
}

/**
 * The participants of connections by their endpoints, which is how the recorder names connections: by the nick in the room, and Jitsi's web
 * client makes it of the first eight characters of the node. An endpoint of several participants names none of them.
 */
export function endpointsOf(occupants: readonly unknown[], roles: string | undefined): Record<string, string> {
  const found = new Map<string, string | undefined>();
  for (const each of occupants) {
    const { data } = Occupant.safeParse(each);
    if (!data) continue;
    const endpoint = nodeOf(data.occupant_jid).slice(0, 8).toLowerCase();
    const service = serviceOf(data, roles);
    const participantId = service === '-' ? undefined : participantIdOf(data, service);
    const isOther = found.has(endpoint) && found.get(endpoint) !== participantId;
    found.set(endpoint, isOther ? undefined : participantId);
  }
  const known = [...found].flatMap(([endpoint, id]) => (id === undefined ? [] : [[endpoint, id] as const]));
  return Object.fromEntries(known.slice(0, maxRememberedParticipants));
}

/** The role of a service. Who has the id of a user is none. */
function serviceOf({ id, occupant_jid: jid }: Occupant, roles: string | undefined): string | undefined {
  return id === undefined ? serviceRoleOf(jid, roles) : undefined;
}

function isHost({ moderator, affiliation }: Occupant): boolean {
  return moderator || affiliation === 'owner';
}
