import type { PlatformName } from '#shared/contracts/platforms/connection.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { type Lost, lastLeaveOf, later, type Meeting, type Person, type Stay } from './meeting.ts';
import { internalIdOf, userIdOf } from './platforms/bigbluebutton.ts';
import * as daily from './platforms/daily.ts';
import * as jaas from './platforms/jaas.ts';
import * as jitsi from './platforms/jitsi.ts';
import { sidOf } from './platforms/livekit.ts';
import * as whereby from './platforms/whereby.ts';

// What each platform tells of a meeting, in events of our own form. docs/platforms/README.md publishes the same differences, and a test
// compares the two.

/**
 * Which other webhooks tell again what a lost one told. The leave and the end are those of the same stay and session. What the end tells
 * of joins and leaves is marked as inferred.
 */
type ToldAgain = {
  readonly start?: 'by any' | 'by the end';
  readonly join?: readonly ('by the leave' | 'as a guess by the leave' | 'by the end')[];
  readonly leave?: 'by the end';
};

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
  /** The platform's id of a connection, where a person can have only one connection at a time. */
  readonly connectionId?: (meeting: Meeting, stay: number | 'egress') => string;
  readonly toldAgain: ToldAgain;
  /** Whether webhooks that arrive name the session of a start that does not. By default, a start names it. */
  readonly isStartPlaced?: (meeting: Meeting) => boolean;
  /** Talk times, ratings and devices. */
  readonly more?: (meeting: Meeting, tell: Tell) => readonly PlatformEvent[];
};

type Tell = (type: PlatformEvent['type'], createdAt: string, data: object, id: string, mark?: object) => PlatformEvent;

const guest = () => 'visitor';
const hostOr = (other: string) => (person: Person) => (person.isHost ? 'host' : other);

/** The views of all platforms. `jitsi` is one without the module for Prosody as well as one with it: both say the same. */
export const views: Readonly<Record<PlatformName, View>> = {
  livekit: {
    ...{ sessionId: sidOf, keepsUuid: false, tellsCreation: true },
    ...{ starts: 'at its creation', ends: '20 s after the last leave' },
    client: (_, { person }) => ({ participantId: person.id, deviceId: person.id }),
    ...{ tellsUser: true, tellsExternalId: false, roleOf: guest, counts: false },
    recorder: ({ seed }) => ({ participantId: `EG_${seed}`, deviceId: `EG_${seed}` }),
    connectionId: ({ seed }, number) => `PA_${seed}_${number}`,
    toldAgain: { start: 'by any', join: ['as a guess by the leave'] },
  },
  daily: {
    ...{ sessionId: daily.meetingIdOf, keepsUuid: false, tellsCreation: false },
    ...{ starts: 'at its creation', ends: 'at the last leave' },
    client: (meeting, { person, number }) => ({
      participantId: person.id,
      deviceId: daily.sessionIdOf(meeting, number),
    }),
    ...{ tellsUser: true, tellsExternalId: false, roleOf: hostOr('visitor'), counts: false, recorder: undefined },
    toldAgain: { start: 'by the end', join: ['by the leave'] },
  },
  whereby: {
    ...{ sessionId: whereby.sessionIdOf, keepsUuid: true, tellsCreation: false },
    ...{ starts: 'with the second person', ends: 'at the last leave' },
    client: (meeting, { number }) => bothIds(whereby.participantIdOf(meeting, number)),
    ...{ tellsUser: false, tellsExternalId: true, roleOf: hostOr('visitor'), counts: true },
    recorder: (meeting) => bothIds(whereby.participantIdOf(meeting, -1)),
    toldAgain: {},
    isStartPlaced: (meeting) =>
      meeting.stays.some(
        ({ number, from }) => from <= whereby.secondJoinOf(meeting) && !meeting.lost.has(`join ${number}`),
      ),
  },
  jaas: {
    ...{ sessionId: jaas.sessionIdOf, keepsUuid: true, tellsCreation: true },
    ...{ starts: 'at its creation', ends: 'at the last leave' },
    client: (meeting, { person, number }) => ({
      participantId: person.id,
      deviceId: jaas.jidNodeOf(meeting, number),
    }),
    ...{ tellsUser: true, tellsExternalId: false, roleOf: hostOr('visitor'), counts: false },
    recorder: () => bothIds('recorder'),
    toldAgain: {},
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
    ...{ sessionId: jitsi.meetingIdOf, keepsUuid: true, tellsCreation: true },
    ...{ starts: 'at its creation', ends: 'at the last leave' },
    client: (meeting, { person, number }) => ({
      participantId: person.id,
      deviceId: jitsi.jidNodeOf(meeting, number),
    }),
    ...{ tellsUser: true, tellsExternalId: false, roleOf: guest, counts: false },
    recorder: () => bothIds('jibri'),
    toldAgain: { start: 'by the end', join: ['by the leave', 'by the end'], leave: 'by the end' },
    more: (meeting, tell) =>
      meeting.stays
        .filter(({ number }) => !meeting.lost.has('end') || !meeting.lost.has(`leave ${number}`))
        .map(({ number, person, to }) => spoken(tell, to, person, jitsi.spokenMsOf(meeting, number), `talk ${number}`)),
  },
  bigbluebutton: {
    ...{ sessionId: internalIdOf, keepsUuid: false, tellsCreation: true },
    ...{ starts: 'at its creation', ends: 'at the last leave' },
    client: (meeting, { number }) => bothIds(userIdOf(meeting, number)),
    ...{ tellsUser: true, tellsExternalId: false, userAgent: 'Firefox', counts: false, recorder: undefined },
    roleOf: ({ isHost }) => (isHost ? 'moderator' : 'viewer'),
    toldAgain: { start: 'by any' },
  },
};

function bothIds(id: string): Client {
  return { participantId: id, deviceId: id };
}

function spoken(tell: Tell, at: string, { id: participantId }: Person, ms: number, id: string): PlatformEvent {
  return tell('room.client.updated', at, { participantId, spokenSeconds: ms / 1000 }, id);
}

/** The mark of an event, or undefined if nobody tells of it. */
type Mark = { readonly inferred?: true; readonly reason?: string } | undefined;

const observed: Mark = {};
const inferred: Mark = { inferred: true, reason: 'occupants' };

/** How the webhooks of a meeting that arrive tell its start, its recorder, its joins and its leaves. */
function marksOf(meeting: Meeting, view: View) {
  const { lost, stays } = meeting;
  const { toldAgain } = view;
  const isHeard = (what: Lost) => !lost.has(what);
  const byTheEnd = (mark: Mark) => (isHeard('end') ? mark : undefined);
  const isAnybodyHeard =
    stays.some(({ number }) => isHeard(`join ${number}`) || isHeard(`leave ${number}`)) ||
    (view.recorder !== undefined && isHeard('recorder'));
  const leave = (what: Lost): Mark => {
    if (isHeard(what)) return observed;
    return toldAgain.leave === 'by the end' ? byTheEnd(inferred) : undefined;
  };
  return {
    leave,
    start(): Mark {
      if (view.isStartPlaced?.(meeting) === false) return undefined;
      if (isHeard('start') || (toldAgain.start === 'by any' && isAnybodyHeard)) return observed;
      return toldAgain.start ? byTheEnd(observed) : undefined;
    },
    join(number: number): Mark {
      if (isHeard(`join ${number}`)) return observed;
      const isTold = toldAgain.join?.includes('by the leave') && isHeard(`leave ${number}`);
      if (isTold) return observed;
      if (toldAgain.join?.includes('as a guess by the leave') && isHeard(`leave ${number}`)) return inferred;
      return toldAgain.join?.includes('by the end') ? byTheEnd(inferred) : undefined;
    },
  };
}

/** The events in our own form that say of a meeting what the webhooks say that arrive. */
export function nativeEvents(
  meeting: Meeting,
  view: View,
  { organizationId, roomSessionId }: { readonly organizationId: string; readonly roomSessionId: string },
): PlatformEvent[] {
  const { seed, room, createdAt, stays, recorder, lost } = meeting;
  const session = { roomName: `/${room}`, roomSessionId };
  const tell: Tell = (type, time, data, id, mark = {}) => {
    const all = type === 'room.created' ? { roomName: session.roomName } : { ...session, ...data };
    return { id: `native-${seed}-${id}`, type, organizationId, createdAt: time, data: all, ...mark } as PlatformEvent;
  };
  const tellIf = (mark: Mark, ...[type, time, data, id]: Parameters<Tell>) =>
    mark ? [tell(type, time, data, id, mark)] : [];
  const marks = marksOf(meeting, view);
  const countAt = (time: string) => (view.counts ? { numClients: whereby.presentAt(meeting, time).length } : {});
  const connectionOf = (stay: number | 'egress') =>
    view.connectionId ? { connectionId: view.connectionId(meeting, stay) } : {};
  const exclusive = view.connectionId !== undefined;
  const people = stays.flatMap((stay) => {
    const { number, person, from, to } = stay;
    const { participantId, deviceId } = view.client(meeting, stay);
    const joined = {
      ...{ participantId, deviceId, roleName: view.roleOf(person), displayName: person.name, ...countAt(from) },
      ...{ ...connectionOf(number), exclusive },
      ...(view.tellsUser && { userId: person.id }),
      ...(view.tellsExternalId && { externalId: `crm-${person.id}` }),
      ...(view.userAgent !== undefined && { userAgent: view.userAgent }),
    };
    return [
      ...tellIf(marks.join(number), 'room.client.joined', from, joined, `join-${number}`),
      ...tellIf(
        marks.leave(`leave ${number}`),
        'room.client.left',
        to,
        { participantId, ...countAt(to), ...connectionOf(number) },
        `leave-${number}`,
      ),
    ];
  });
  const recording = view.recorder?.(meeting);
  const recorderJoined = {
    ...{ ...recording, roleName: 'recorder', displayName: '', ...countAt(recorder.from) },
    ...{ ...connectionOf('egress'), exclusive },
  };
  const recorderLeft = { participantId: recording?.participantId, ...countAt(recorder.to), ...connectionOf('egress') };
  const ofRecorder = recording && marks.leave('recorder');
  const started = view.starts === 'at its creation' ? createdAt : whereby.secondJoinOf(meeting);
  const ended = view.ends === 'at the last leave' ? lastLeaveOf(meeting) : later(lastLeaveOf(meeting), 20);
  return [
    // A webhook that tells the start of a session again may tell the creation of its room or not: it is at the same time.
    ...(view.tellsCreation && !lost.has('start') ? [tell('room.created', createdAt, {}, 'creation')] : []),
    ...tellIf(marks.start(), 'room.session.started', started, {}, 'start'),
    ...people,
    ...tellIf(ofRecorder, 'room.client.joined', recorder.from, recorderJoined, 'recorder-join'),
    ...tellIf(ofRecorder, 'room.client.left', recorder.to, recorderLeft, 'recorder-leave'),
    ...(view.more?.(meeting, tell) ?? []),
    ...(lost.has('end') ? [] : [tell('room.session.ended', ended, {}, 'end')]),
  ];
}
