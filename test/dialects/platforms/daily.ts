import { createHmac } from 'node:crypto';
import { createRandom } from '#tools/simulation/random.ts';
import type { Dialect, Target, Webhook } from '../dialect.ts';
import { lastLeaveOf, later, type Meeting } from '../meeting.ts';

// What Daily sends. Its participants' events name a room and no session.

const seconds = (time: string) => Date.parse(time) / 1000;

function signed(tells: string, event: object, { secret }: Target): Webhook {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const hmac = createHmac('sha256', Buffer.from(secret.value, 'base64')).update(`${timestamp}.${body}`);
  const headers = {
    'content-type': 'application/json',
    'x-webhook-timestamp': timestamp,
    'x-webhook-signature': hmac.digest('base64'),
  };
  return { tells, headers, body };
}

/** The id of a meeting on Daily. */
export const meetingIdOf = ({ seed }: Meeting) => createRandom('daily meeting', seed).uuid();

/** The id of a connection on Daily. */
export const sessionIdOf = ({ seed }: Meeting, stay: number) => createRandom('daily connection', seed, stay).uuid();

/** Daily. */
export const daily: Dialect = {
  platform: 'daily',
  waits: true,
  secret: { value: 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=' },
  webhooks(meeting, target) {
    const { seed, room, createdAt, stays } = meeting;
    const start_ts = seconds(createdAt);
    const end_ts = seconds(lastLeaveOf(meeting));
    const meeting_id = meetingIdOf(meeting);
    const webhook = (tells: string, type: string, id: string, at: number, payload: object) =>
      signed(tells, { version: '1.1.0', type, id, payload, event_ts: at + 0.3 }, target);
    const people = stays.flatMap(({ number, person, from, to }) => {
      const session_id = sessionIdOf(meeting, number);
      const payload = {
        ...{ joined_at: seconds(from), session_id, room, user_id: person.id, user_name: person.name },
        ...{ owner: person.isHost, will_eject_at: seconds(later(to, 3600)) },
        permissions: { hasPresence: true, canSend: true, canAdmin: false },
      };
      const left = { ...payload, duration: seconds(to) - seconds(from) };
      const idOf = (kind: string, at: string) => `ptcpt-${kind}-${session_id}-${Date.parse(at)}`;
      return [
        webhook(`join ${number}`, 'participant.joined', idOf('join', from), seconds(from), payload),
        webhook(`leave ${number}`, 'participant.left', idOf('left', to), seconds(to), left),
      ];
    });
    return [
      webhook('start', 'meeting.started', `mtg-started-${seed}`, start_ts, { start_ts, meeting_id, room }),
      ...people,
      webhook('end', 'meeting.ended', `mtg-ended-${seed}`, end_ts, { start_ts, end_ts, meeting_id, room }),
    ];
  },
};
