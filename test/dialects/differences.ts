import type { PlatformName } from '#shared/contracts/connection.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { lastLeaveOf, later, type Meeting, type Person, type Stay } from './meeting.ts';
import { internalIdOf, userIdOf } from './platforms/bigbluebutton.ts';
import * as daily from './platforms/daily.ts';
import * as jaas from './platforms/jaas.ts';
import * as jitsi from './platforms/jitsi.ts';
import { sidOf } from './platforms/livekit.ts';
import * as whereby from './platforms/whereby.ts';

// What each platform tells of a meeting, in events of our own form. docs/platforms/README.md publishes the same differences, and a test
// compares the two.

/** What becomes of a webhook that is lost. */
type Loss = 'missing' | 'told by others' | 'inferred at the end';

type Client = { readonly participantId: string; readonly deviceId: string };

/** How a platform sees a meeting. */
export type View = {
  /** The platform's own id of the session. A UUID stays as it is. */
  readonly sessionId: (meeting: Meeting) => string;
  readonly keepsUuid: boolean;
  readonly tellsCreation: boolean;
  readonly starts: 'at its creation' | 'with the second person';
  readonly ends: 'at the last leave' | '20 s after the last leave';
  readonly client: (meeting: Meeting, stay: Stay) => Client;
  readonly tellsUser: boolean;
  readonly tellsExternalId: boolean;
  readonly userAgent?: string;
  readonly roleOf: (person: Person) => string;
  readonly recorder: ((meeting: Meeting) => Client) | undefined;
  readonly counts: boolean;
  readonly lost: { readonly start: Loss; readonly join: Loss; readonly leave: Loss };
  /** Talk times, ratings and devices. */
  readonly more?: (meeting: Meeting, tell: Tell) => readonly PlatformEvent[];
};

type Tell = (type: PlatformEvent['type'], createdAt: string, data: object, id: string, more?: object) => PlatformEvent;

const guest = () => 'visitor';
const hostOr = (other: string) => (person: Person) => (person.isHost ? 'host' : other);

/** The views of all platforms. `jitsi` is one without the module for Prosody as well as one with it: both say the same. */
export const views: Readonly<Record<PlatformName, View>> = {
  livekit: {
    ...{
      sessionId: sidOf,
      keepsUuid: false,
      tellsCreation: true,
      starts: 'at its creation',
      ends: '20 s after the last leave',
    },
    client: (_, { person }) => ({ participantId: person.id, deviceId: person.id }),
    ...{ tellsUser: true, tellsExternalId: false, roleOf: guest, counts: false },
    recorder: ({ seed }) => ({ participantId: `EG_${seed}`, deviceId: `EG_${seed}` }),
    lost: { start: 'told by others', join: 'told by others', leave: 'missing' },
  },
  daily: {
    ...{
      sessionId: daily.meetingIdOf,
      keepsUuid: false,
      tellsCreation: false,
      starts: 'at its creation',
      ends: 'at the last leave',
    },
    client: (meeting, { person, number }) => ({
      participantId: person.id,
      deviceId: daily.sessionIdOf(meeting, number),
    }),
    ...{ tellsUser: true, tellsExternalId: false, roleOf: hostOr('visitor'), counts: false, recorder: undefined },
    lost: { start: 'told by others', join: 'told by others', leave: 'missing' },
  },
  whereby: {
    ...{ sessionId: whereby.sessionIdOf, keepsUuid: true, tellsCreation: false },
    ...{ starts: 'with the second person', ends: 'at the last leave' },
    client: (meeting, { number }) => bothIds(whereby.participantIdOf(meeting, number)),
    ...{ tellsUser: false, tellsExternalId: true, roleOf: hostOr('visitor'), counts: true },
    recorder: (meeting) => bothIds(whereby.participantIdOf(meeting, -1)),
    lost: { start: 'missing', join: 'missing', leave: 'missing' },
  },
  jaas: {
    ...{
      sessionId: jaas.sessionIdOf,
      keepsUuid: true,
      tellsCreation: true,
      starts: 'at its creation',
      ends: 'at the last leave',
    },
    client: (meeting, { person, number }) => ({
      participantId: person.id,
      deviceId: jaas.jidNodeOf(meeting, number),
    }),
    ...{ tellsUser: true, tellsExternalId: false, roleOf: hostOr('visitor'), counts: false },
    recorder: () => bothIds('recorder'),
    lost: { start: 'missing', join: 'missing', leave: 'missing' },
    more: (meeting, tell) => {
      const end = lastLeaveOf(meeting);
      const { rating, comments, ratedBy, deviceOf, deviceId } = jaas.ofTheEnd;
      return [
        ...meeting.stays.map(({ number, person }) =>
          spoken(tell, end, person, jaas.spokenMsOf(meeting, number), `talk ${number}`),
        ),
        tell('room.client.rated', end, { participantId: ratedBy, rating, comment: comments }, 'rating'),
        tell('room.client.updated', end, { participantId: deviceOf, deviceId }, 'device'),
      ];
    },
  },
  jitsi: {
    ...{
      sessionId: jitsi.meetingIdOf,
      keepsUuid: true,
      tellsCreation: true,
      starts: 'at its creation',
      ends: 'at the last leave',
    },
    client: (meeting, { person, number }) => ({
      participantId: person.id,
      deviceId: jitsi.jidNodeOf(meeting, number),
    }),
    ...{ tellsUser: true, tellsExternalId: false, roleOf: guest, counts: false },
    recorder: () => bothIds('jibri'),
    lost: { start: 'told by others', join: 'inferred at the end', leave: 'inferred at the end' },
    more: (meeting, tell) =>
      meeting.stays.map(({ number, person, to }) =>
        spoken(tell, to, person, jitsi.spokenMsOf(meeting, number), `talk ${number}`),
      ),
  },
  bigbluebutton: {
    ...{
      sessionId: internalIdOf,
      keepsUuid: false,
      tellsCreation: true,
      starts: 'at its creation',
      ends: 'at the last leave',
    },
    client: (meeting, { number }) => bothIds(userIdOf(meeting, number)),
    ...{ tellsUser: true, tellsExternalId: false, userAgent: 'Firefox', counts: false, recorder: undefined },
    roleOf: ({ isHost }) => (isHost ? 'moderator' : 'viewer'),
    lost: { start: 'told by others', join: 'missing', leave: 'missing' },
  },
};

function bothIds(id: string): Client {
  return { participantId: id, deviceId: id };
}

function spoken(tell: Tell, at: string, { id: participantId }: Person, ms: number, id: string): PlatformEvent {
  return tell('room.client.updated', at, { participantId, spokenSeconds: ms / 1000 }, id);
}

/** The events in our own form that say of a meeting what the platform's webhooks say. Those that are lost on both sides are missing. */
export function nativeEvents(
  meeting: Meeting,
  view: View,
  { organizationId, roomSessionId }: { readonly organizationId: string; readonly roomSessionId: string },
): PlatformEvent[] {
  const { seed, room, createdAt, stays, recorder, lost } = meeting;
  const session = { roomName: `/${room}`, roomSessionId };
  const tell: Tell = (type, time, data, id, more = {}) => {
    const all = type === 'room.created' ? { roomName: session.roomName } : { ...session, ...data };
    return { id: `native-${seed}-${id}`, type, organizationId, createdAt: time, data: all, ...more } as PlatformEvent;
  };
  const unlessLost = (what: 'start' | 'join' | 'leave', isLost: boolean, make: (more: object) => PlatformEvent[]) => {
    if (!isLost || view.lost[what] === 'told by others') return make({});
    return view.lost[what] === 'missing' ? [] : make({ inferred: true, reason: 'occupants' });
  };
  const started = view.starts === 'at its creation' ? createdAt : whereby.secondJoinOf(meeting);
  const ended = view.ends === 'at the last leave' ? lastLeaveOf(meeting) : later(lastLeaveOf(meeting), 20);
  const countAt = (time: string) => (view.counts ? { numClients: whereby.presentAt(meeting, time).length } : {});
  const people = stays.flatMap((stay) => {
    const { number, person, from, to } = stay;
    const { participantId, deviceId } = view.client(meeting, stay);
    const joined = {
      ...{ participantId, deviceId, roleName: view.roleOf(person), displayName: person.name, ...countAt(from) },
      ...(view.tellsUser && { userId: person.id }),
      ...(view.tellsExternalId && { externalId: `crm-${person.id}` }),
      ...(view.userAgent !== undefined && { userAgent: view.userAgent }),
    };
    return [
      ...unlessLost('join', lost.has(`join ${number}`), (more) => [
        tell('room.client.joined', from, joined, `join-${number}`, more),
      ]),
      ...unlessLost('leave', lost.has(`leave ${number}`), (more) => [
        tell('room.client.left', to, { participantId, ...countAt(to) }, `leave-${number}`, more),
      ]),
    ];
  });
  const recording = view.recorder?.(meeting);
  const recorded = recording && [
    tell(
      'room.client.joined',
      recorder.from,
      { ...recording, roleName: 'recorder', displayName: '', ...countAt(recorder.from) },
      'recorder-join',
    ),
    tell(
      'room.client.left',
      recorder.to,
      { participantId: recording.participantId, ...countAt(recorder.to) },
      'recorder-leave',
    ),
  ];
  return [
    // Other webhooks tell the start of a session again, and never the creation of its room.
    ...(view.tellsCreation && !lost.has('start') ? [tell('room.created', createdAt, {}, 'creation')] : []),
    ...unlessLost('start', lost.has('start'), () => [tell('room.session.started', started, {}, 'start')]),
    ...people,
    ...(recorded ?? []),
    ...(view.more?.(meeting, tell) ?? []),
    tell('room.session.ended', ended, {}, 'end'),
  ];
}
