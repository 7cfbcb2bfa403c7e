import { createHash } from 'node:crypto';
import { AccessToken } from 'livekit-server-sdk';
import type { Dialect, Target, Webhook } from '../dialect.ts';
import { lastLeaveOf, later, type Meeting } from '../meeting.ts';

// What a LiveKit server sends: its own SDK signs it.

const seconds = (time: string) => String(Math.floor(Date.parse(time) / 1000));
const milliseconds = (time: string) => String(Date.parse(time));

async function signed(tells: string, event: object, { secret }: Target): Promise<Webhook> {
  const body = JSON.stringify(event);
  const token = new AccessToken(secret.id, secret.value, { ttl: '5m' });
  token.sha256 = createHash('sha256').update(body).digest('base64');
  const headers = { authorization: await token.toJwt(), 'content-type': 'application/webhook+json' };
  return { tells, headers, body };
}

const eventIdOf = (...parts: readonly unknown[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);

/** Names of the session on LiveKit. */
export const sidOf = ({ seed }: Meeting) => `RM_${String(seed).padStart(12, '0')}`;

/** LiveKit. */
export const livekit: Dialect = {
  platform: 'livekit',
  secret: { id: 'APIdialects', value: 'a secret of LiveKit that has more than 32 characters' },
  webhooks(meeting, target) {
    const { seed, room: name, createdAt, stays, recorder } = meeting;
    const room = {
      ...{ sid: sidOf(meeting), name, emptyTimeout: 300, departureTimeout: 20, turnPassword: 'turn-secret' },
      ...{ creationTime: seconds(createdAt), creationTimeMs: milliseconds(createdAt) },
    };
    const webhook = (tells: string, event: string, at: string, more: object = {}) =>
      signed(tells, { event, room, ...more, id: `EV_${eventIdOf(event, at, more)}`, createdAt: seconds(at) }, target);
    const clientOf = (sid: string, identity: string, joinedAt: string, more: object) => ({
      participant: {
        ...{ sid, identity, state: 'ACTIVE', joinedAt: seconds(joinedAt), joinedAtMs: milliseconds(joinedAt) },
        ...{ version: 3, permission: { canSubscribe: true, canPublish: true, canPublishData: true } },
        ...more,
      },
    });
    const people = stays.flatMap(({ number: stay, person, from, to }) => {
      const client = clientOf(`PA_${seed}_${stay}`, person.id, from, { name: person.name });
      return [
        webhook(`join ${stay}`, 'participant_joined', from, client),
        webhook(`leave ${stay}`, 'participant_left', to, client),
      ];
    });
    const egress = clientOf(`PA_${seed}_egress`, `EG_${seed}`, recorder.from, {
      kind: 'EGRESS',
      permission: { canSubscribe: true, hidden: true, recorder: true },
    });
    return Promise.all([
      webhook('start', 'room_started', createdAt),
      ...people,
      webhook('recorder', 'participant_joined', recorder.from, egress),
      webhook('recorder', 'participant_left', recorder.to, egress),
      webhook('end', 'room_finished', later(lastLeaveOf(meeting), 20)),
    ]);
  },
};
