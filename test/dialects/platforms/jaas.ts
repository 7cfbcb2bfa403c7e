import { createHmac } from 'node:crypto';
import { createRandom } from '#tools/simulation/random.ts';
import type { Dialect, Target, Webhook } from '../dialect.ts';
import { lastLeaveOf, type Meeting } from '../meeting.ts';

// What 8x8's JaaS sends. It also tells ratings, devices and for how long people spoke.

function signed(tells: string, event: object, { secret }: Target): Webhook {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', secret.value).update(`${timestamp}.${body}`).digest('base64');
  const headers = { 'content-type': 'application/json', 'x-jaas-signature': `t=${timestamp},v1=${digest}` };
  return { tells, headers, body };
}

const appId = 'vpaas-magic-cookie-96f0941768964ab380ed0fbada7a502f';

/** The id of a session on JaaS. */
export const sessionIdOf = ({ seed }: Meeting) => createRandom('jaas session', seed).uuid();

/** The node of the JID of a stay. */
export const jidNodeOf = ({ seed }: Meeting, stay: number) => createRandom('jaas jid', seed, stay).uuid();

/** For how long the person of a stay spoke, in milliseconds. */
export const spokenMsOf = ({ seed }: Meeting, stay: number) => createRandom('jaas talk', seed, stay).integer(0, 60_000);

/** What JaaS tells at the end: a rating of Ada's, and a device of Bob's. */
export const ofTheEnd = { rating: 4, comments: 'Fine.', ratedBy: 'ada', deviceOf: 'bob', deviceId: 'device-of-bob' };

/** Jitsi as a Service. */
export const jaas: Dialect = {
  platform: 'jaas',
  secret: { value: 'whsec_9635df66714a4cf088ee9d0979dd3bf6' },
  webhooks(meeting, target) {
    const { seed, room, createdAt, stays } = meeting;
    const random = createRandom('jaas keys', seed);
    const webhook = (tells: string, eventType: string, at: string, data: object) => {
      const envelope = {
        ...{ idempotencyKey: random.uuid(), customerId: '96f0941768964ab380ed0fbada7a502f', appId, eventType },
        ...{ sessionId: sessionIdOf(meeting), timestamp: Date.parse(at), fqn: `${appId}/${room}` },
      };
      return signed(tells, { ...envelope, data }, target);
    };
    const conference = { conference: `${room}@conference.${appId}.8x8.vc`, isBreakout: false };
    const jidOf = (stay: number) => `${jidNodeOf(meeting, stay)}@8x8.vc`;
    const people = stays.flatMap(({ number, person, from, to }) => {
      const data = {
        ...{ avatar: '', name: person.name, email: `${person.id}@acme.example`, id: person.id },
        ...{ participantJid: jidOf(number), participantId: jidNodeOf(meeting, number).slice(0, 8) },
        moderator: number % 2 === 0 ? person.isHost : String(person.isHost), // JaaS sends both forms
      };
      return [
        webhook(`join ${number}`, 'PARTICIPANT_JOINED', from, data),
        webhook(`leave ${number}`, 'PARTICIPANT_LEFT', to, { ...data, disconnectReason: 'left' }),
      ];
    });
    const end = lastLeaveOf(meeting);
    const talk = (at: string, share: number) => {
      const heard = stays.map(({ number, person: { id, name } }) => {
        const time = Math.floor(spokenMsOf(meeting, number) * share);
        return [jidOf(number), { time, id, name, email: `${id}@acme.example` }];
      });
      return webhook('talk', 'SPEAKER_STATS', at, Object.fromEntries(heard));
    };
    return [
      webhook('start', 'ROOM_CREATED', createdAt, conference),
      ...people,
      webhook('recorder', 'RECORDING_STARTED', meeting.recorder.from, conference),
      webhook('recorder', 'RECORDING_ENDED', meeting.recorder.to, conference),
      // The times are totals. No document says that they come once, so the later webhook must count alone.
      ...(seed % 2 === 0 ? [talk(meeting.recorder.to, 0.5)] : []),
      talk(end, 1),
      webhook('rating', 'FEEDBACK', end, {
        rating: ofTheEnd.rating,
        comments: ofTheEnd.comments,
        userId: ofTheEnd.ratedBy,
      }),
      webhook('device', 'USAGE', end, [{ deviceId: ofTheEnd.deviceId, userId: ofTheEnd.deviceOf, callDirection: '' }]),
      webhook('end', 'ROOM_DESTROYED', end, conference),
    ];
  },
};
