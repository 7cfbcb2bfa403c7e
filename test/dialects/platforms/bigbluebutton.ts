import { createHash } from 'node:crypto';
import type { Dialect, Target, Webhook } from '../dialect.ts';
import { lastLeaveOf, type Meeting } from '../meeting.ts';

// What bbb-webhooks of a BigBlueButton sends: forms, signed by a checksum in the query.

function signed(tells: string, event: object, { url, secret }: Target): Webhook {
  const form = { domain: 'bbb.acme.example', event: JSON.stringify([event]), timestamp: String(Date.now()) };
  const body = new URLSearchParams(form).toString();
  const checksum = createHash('sha256').update(`${url}${body}${secret.value}`).digest('hex');
  return {
    tells,
    query: `checksum=${checksum}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  };
}

/** The id of a meeting on BigBlueButton: a hash, and when it was created. */
export function internalIdOf({ room, createdAt }: Meeting): string {
  return `${createHash('sha1').update(room).digest('hex')}-${Date.parse(createdAt)}`;
}

/** The id of a stay. */
export const userIdOf = ({ seed }: Meeting, stay: number) => `w_${seed}x${stay}`;

/** BigBlueButton. */
export const bigbluebutton: Dialect = {
  platform: 'bigbluebutton',
  secret: { value: 'shared-secret-of-bbb' },
  webhooks(meeting, target) {
    const { room, createdAt, stays } = meeting;
    const ids = { 'internal-meeting-id': internalIdOf(meeting), 'external-meeting-id': room };
    const webhook = (tells: string, id: string, at: string, more: object = {}) => {
      const attributes = { meeting: ids, ...more };
      return signed(tells, { data: { type: 'event', id, attributes, event: { ts: Date.parse(at) } } }, target);
    };
    const people = stays.flatMap(({ number, person, from, to }) => {
      const who = { 'internal-user-id': userIdOf(meeting, number), 'external-user-id': person.id };
      const joined = { ...who, name: person.name, role: person.isHost ? 'MODERATOR' : 'VIEWER', presenter: false };
      return [
        webhook(`join ${number}`, 'user-joined', from, { user: { ...joined, 'user-agent': 'Firefox' } }),
        webhook(`leave ${number}`, 'user-left', to, { user: who }),
      ];
    });
    return [
      webhook('start', 'meeting-created', createdAt, {
        meeting: { ...ids, name: room, 'create-time': Date.parse(createdAt), 'is-breakout': false },
      }),
      ...people,
      webhook('end', 'meeting-ended', lastLeaveOf(meeting)),
    ];
  },
};
