import { createRandom } from '#tools/simulation/random.ts';
import type { Dialect, Target, Webhook } from '../dialect.ts';
import { lastLeaveOf, type Meeting } from '../meeting.ts';

// What Prosody's event_sync component of a Jitsi of one's own sends. All times are seconds. The end repeats all that happened.

const seconds = (time: string) => Date.parse(time) / 1000;
const domain = 'meet.acme.example';

/** The node of the JID of a stay; -1 is the recorder's. */
export const jidNodeOf = ({ seed }: Meeting, stay: number) => createRandom('jitsi jid', seed, stay).uuid();

/** The id that the module for Prosody adds to each event. */
export const meetingIdOf = ({ seed }: Meeting) => createRandom('jitsi meeting', seed).uuid();

/** For how long the person of a stay was the dominant speaker, in milliseconds. */
export const spokenMsOf = ({ seed }: Meeting, stay: number) =>
  createRandom('jitsi talk', seed, stay).integer(0, 60_000);

/** The address of the room in XMPP. */
export const roomJidOf = ({ room }: Meeting) => `${room}@conference.${domain}`;

/** How many occupants there are just after a time. */
function countAt({ stays, recorder }: Meeting, time: string): number {
  return [...stays, recorder].filter(({ from, to }) => from <= time && time < to).length;
}

function occupantsOf(meeting: Meeting) {
  const people = meeting.stays.map(({ number, person, from, to }) => ({
    ...{ tells: [`join ${number}`, `leave ${number}`], from, to },
    joined: {
      ...{ name: person.name, email: `${person.id}@acme.example`, id: person.id, joined_at: seconds(from) },
      occupant_jid: `${jidNodeOf(meeting, number)}@${domain}/OWhl8jSh`,
    },
    ended: { left_at: seconds(to), total_dominant_speaker_time: spokenMsOf(meeting, number) },
  }));
  const { from, to } = meeting.recorder;
  const jibri = {
    ...{ tells: ['recorder', 'recorder'], from, to },
    joined: { occupant_jid: `jibri@recorder.${domain}/x`, joined_at: seconds(from) },
    ended: { left_at: seconds(to) },
  };
  return [...people, jibri];
}

/** A Jitsi of one's own, with or without the module that adds the id of the meeting. */
export const jitsi = ({ hasMeetingId }: { readonly hasMeetingId: boolean }): Dialect => ({
  platform: 'jitsi',
  waits: !hasMeetingId,
  secret: { value: 'k6ZxVgkZrV7z1B3m5n7p9r1t3v5x7z9B1D3F5H7J9L1' },
  // Without the id of the meeting, a session is its room and its start.
  ...(!hasMeetingId && {
    sessionId: (meeting: Meeting) => JSON.stringify([roomJidOf(meeting), '', meeting.createdAt]),
  }),
  webhooks(meeting, { secret }: Target) {
    const { room, createdAt } = meeting;
    const common = {
      ...{ room_name: room, room_jid: roomJidOf(meeting), is_breakout: false },
      ...(hasMeetingId && { meeting_id: meetingIdOf(meeting) }),
    };
    const webhook = (tells: string, below: string, payload: object): Webhook => ({
      ...{ tells, below, body: JSON.stringify({ ...common, ...payload }) },
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secret.value}` },
    });
    const created_at = seconds(createdAt);
    const occupants = occupantsOf(meeting);
    return [
      webhook('start', '/events/room/created', { event_name: 'muc-room-created', created_at }),
      ...occupants.flatMap(({ tells, from, to, joined, ended }) => [
        webhook(tells[0] ?? '', '/events/occupant/joined', {
          ...{ event_name: 'muc-occupant-joined', active_occupants_count: countAt(meeting, from), occupant: joined },
        }),
        webhook(tells[1] ?? '', '/events/occupant/left', {
          ...{ event_name: 'muc-occupant-left', active_occupants_count: countAt(meeting, to) },
          occupant: { ...joined, ...ended },
        }),
      ]),
      webhook('end', '/events/room/destroyed', {
        ...{ event_name: 'muc-room-destroyed', created_at, destroyed_at: seconds(lastLeaveOf(meeting)) },
        all_occupants: occupants.map(({ joined, ended }) => ({ ...joined, ...ended })),
      }),
    ];
  },
});
