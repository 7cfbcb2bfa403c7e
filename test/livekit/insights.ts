import { expect } from 'vitest';
import type { RoomInsight, RoomSessionInsight, SessionParticipant } from '#shared/contracts/insights/insights.ts';
import { roomscribeOf } from '../support/client/typed-client.ts';
import { eventually } from '../support/eventually.ts';
import type { OneMachine } from './connect.ts';

/** What the insights say of a room with one session. */
export type SeenRoom = {
  readonly room: RoomInsight;
  readonly session: RoomSessionInsight;
  /** By their ids. */
  readonly participants: Readonly<Record<string, SessionParticipant>>;
};

/** Nothing is missing: the platform told everything. */
export const observed = { state: 'observed', missing: [] };

/** The platform did not tell this. */
export function inferred(...missing: readonly string[]) {
  return { state: 'inferred', missing };
}

/** Reads the insights of a room of LiveKit until they are as expected. `expectations` throws if they are not yet. */
export function seen(
  machine: OneMachine,
  [organizationId, livekitRoom]: readonly [string, string],
  expectations: (seen: SeenRoom) => void,
): Promise<SeenRoom> {
  const { insights } = client(machine, organizationId);
  const roomName = `/${livekitRoom}`;
  return eventually(async () => {
    const rooms = await insights.listRooms({ 'roomName[exact]': roomName }).toArray();
    const sessions = await insights.listRoomSessions({ roomName }).toArray();
    expect([rooms.length, sessions.length]).toEqual([1, 1]);
    const [[room], [session]] = [rooms as [RoomInsight], sessions as [RoomSessionInsight]];
    const people = await insights.listParticipants({ roomSessionId: session.roomSessionId }).toArray();
    const participants = Object.fromEntries(people.map((person) => [person.participantId, person]));
    const answer = { room, session, participants };
    expectations(answer);
    return answer;
  }, 30_000);
}

/** Expects that a session has ended, and that its room knows it. */
export function hasEnded({ room, session }: SeenRoom): void {
  expect(session.endedAt).not.toBeNull();
  expect(room.asOf).toBe(session.asOf);
}

/** The joins and leaves of each connection of a participant, in milliseconds since 1970. */
export async function staysOf(
  machine: OneMachine,
  organizationId: string,
  participant: Pick<SessionParticipant, 'roomSessionId' | 'participantId'> | undefined,
): Promise<{ readonly joined: number; readonly left: number }[]> {
  const { insights } = client(machine, organizationId);
  if (participant === undefined) throw new Error('The participant is missing.');
  const { roomSessionId, participantId } = participant;
  const connections = await insights.getParticipant({ roomSessionId, participantId });
  return connections.map(({ events }) => {
    expect(events.map(({ type }) => type)).toEqual(['joined', 'left']);
    const [joined = Number.NaN, left = Number.NaN] = events.map(({ timeStamp }) => Date.parse(timeStamp));
    return { joined, left };
  });
}

/** How far a time of LiveKit may be from the script's, which sees a join when its media flows. LiveKit dates leaves in whole seconds. */
export const toleratedMs = 3_000;

/** Expects that LiveKit dated something at this time of the script. */
export function expectAt(time: string | number | null | undefined, did: number): void {
  expect(Math.abs(new Date(time ?? Number.NaN).getTime() - did)).toBeLessThan(toleratedMs);
}

function client({ endpoints }: OneMachine, organizationId: string) {
  const { apiUrl, tokenUrl } = endpoints;
  return roomscribeOf(organizationId, { apiUrl, tokenUrl });
}
