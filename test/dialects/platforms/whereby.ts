import { createHash, createHmac } from 'node:crypto';
import { createRandom } from '#tools/simulation/random.ts';
import type { Dialect, Target, Webhook } from '../dialect.ts';
import { lastLeaveOf, type Meeting } from '../meeting.ts';

// What Whereby sends. A session begins with its second person, and each event of a client counts the clients.

function signed(tells: string, event: object, { secret }: Target): Webhook {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', secret.value).update(`${timestamp}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'whereby-signature': `t=${timestamp},v1=${digest}` };
  return { tells, headers, body };
}

/** The id of a session on Whereby. */
export const sessionIdOf = ({ seed }: Meeting) => createRandom('whereby session', seed).uuid();

/** The id of a client on Whereby: another one for each stay. */
export const participantIdOf = ({ seed }: Meeting, stay: number) =>
  createRandom('whereby participant', seed, stay).uuid();

/** When the second person comes. */
export function secondJoinOf({ stays }: Meeting): string {
  return stays.map(({ from }) => from).toSorted()[1] ?? '';
}

/** Everyone who connects, with the role. */
export function clientsOf(meeting: Meeting) {
  const { stays, recorder } = meeting;
  const people = stays.map(({ number, person, from, to }) => ({
    ...{ tells: ['join', 'leave'].map((kind) => `${kind} ${number}`), from, to, externalId: `crm-${person.id}` },
    ...{ participantId: participantIdOf(meeting, number), displayName: person.name },
    roleName: person.isHost ? 'host' : 'visitor',
  }));
  const recording = {
    ...{ tells: ['recorder', 'recorder'], ...recorder, externalId: null, displayName: '', roleName: 'recorder' },
    participantId: participantIdOf(meeting, -1),
  };
  return [...people, recording];
}

/** Everyone who is connected just after a time. */
export function presentAt(meeting: Meeting, time: string) {
  return clientsOf(meeting).filter(({ from, to }) => from <= time && time < to);
}

/** Whereby. */
export const whereby: Dialect = {
  platform: 'whereby',
  secret: { value: 'test-secret' },
  webhooks(meeting, target) {
    const { seed, room } = meeting;
    const clients = clientsOf(meeting);
    const common = { meetingId: String(seed), roomName: `/${room}`, subdomain: 'acme' };
    const webhook = (tells: string, type: string, createdAt: string, data: object) => {
      const id = createHash('sha256')
        .update(JSON.stringify([seed, type, createdAt, data]))
        .digest('hex');
      return signed(tells, { id, apiVersion: '1.0', createdAt, type, data: { ...common, ...data } }, target);
    };
    const clientEvents = clients.flatMap(({ tells, from, to, ...client }) => {
      const dataAt = (time: string) => {
        const present = presentAt(meeting, time);
        return {
          ...{ ...client, roomSessionId: sessionIdOf(meeting), metadata: null, isDialIn: false },
          numClients: present.length,
          numClientsByRoleName: Object.fromEntries(
            [...Map.groupBy(present, ({ roleName }) => roleName)].map(([role, of]) => [role, of.length]),
          ),
        };
      };
      return [
        webhook(tells[0] ?? '', 'room.client.joined', from, dataAt(from)),
        webhook(tells[1] ?? '', 'room.client.left', to, dataAt(to)),
      ];
    });
    return [
      webhook('start', 'room.session.started', secondJoinOf(meeting), {}),
      ...clientEvents,
      webhook('end', 'room.session.ended', lastLeaveOf(meeting), {}),
    ];
  },
};
