import fc from 'fast-check';
import { missingKinds, spokenSources, spokenSourcesOfSessions } from '#shared/contracts/insights/insights.ts';
import { completenessOf } from '#shared/domain/insights/completeness.ts';
import { type RoomRecord, type SessionRecord, unknownRoom } from '#shared/domain/insights/insight-records.ts';
import type { ParticipantRecord } from '#shared/domain/insights/participant-record.ts';
import { shownTalk, type TalkTime } from '#shared/domain/insights/talk-time.ts';
import { noUsage, noVisitors } from '#shared/domain/insights/usage.ts';
import { uuid } from '../operations/records.ts';
import { at, daily } from './session-facts.ts';

/** A room that was created. Nothing else is known about it. */
export function roomRecord(facts: Partial<RoomRecord> = {}): RoomRecord {
  return { ...unknownRoom(daily), createdAt: at('08:00'), version: 1, ...facts };
}

/** A session of that room that has started. Nothing else is known about it. */
export function sessionRecord(facts: Partial<SessionRecord> = {}): SessionRecord {
  return {
    ...daily,
    startedAt: at('09:00'),
    endedAt: null,
    usage: noUsage,
    visitors: noVisitors,
    ...{ talk: null, missing: [], asOf: at('09:00') },
    version: 1,
    listedVersion: 0,
    ...facts,
  };
}

type Listed = NonNullable<ParticipantRecord['listed']>;

/** A participant in that session. Nothing else is known about them. */
export function participantRecord(
  participantId = 'ann',
  listed: Partial<Listed> | null = {},
  roomName = daily.roomName,
): ParticipantRecord {
  const person = { deviceId: 'phone', userId: null, roleName: 'guest', displayName: 'Ann', externalId: null };
  const { roomSessionId } = daily;
  const element = {
    ...{ roomSessionId, participantId, ...person, joinedAt: at('09:00'), leftAt: null },
    ...{
      rating: null,
      tags: [],
      comment: null,
      ...{ spokenSeconds: null, spokenSource: null },
      completeness: completenessOf([]),
      asOf: at('09:00'),
    },
  };
  return {
    ...{ roomName, participantId, usage: noUsage },
    visitors: [{ kind: 'participant', visitorId: 'phone' }],
    ...{ earliestAt: at('09:00'), latestAt: at('09:00'), heardAt: at('09:00'), talk: null, missing: [] },
    presence: { isWhole: true, connections: [], changes: [] },
    listed: listed && { ...element, ...listed },
  };
}

const count = fc.nat(999_999_999);
const time = fc.integer({ min: 0, max: 4_000_000_000_000 }).map((ms) => new Date(ms).toISOString());
const second = fc.integer({ min: 0, max: 4_000_000_000 }).map((at) => new Date(at * 1000).toISOString());
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values);
const text = fc.string({ unit: 'binary', maxLength: 20 });
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).map((id) => id.replaceAll('\0', '0'));
const usage = fc.record({
  ...{ participantMinutes: count, recorderMinutes: count, streamerMinutes: count },
  ...{ ratingThousandths: count, ratings: count },
});
const visitors = fc.record({ participant: count, recorder: count, streamer: count });

/** Any valid room: with a creation, a first session or both. */
export const anyRoom: fc.Arbitrary<RoomRecord> = fc
  .record({
    organizationId: fc.constant(daily.organizationId),
    roomName: name.map((rest) => `/${rest}`),
    ...{ createdAt: maybe(time), endAt: maybe(time), endAtSetBy: maybe(text) },
    ...{ firstSessionStartedAt: maybe(time), lastSessionStartedAt: maybe(time) },
    ...{ sessions: count, usage, visitors, version: count },
    missing: fc.record({ start: count, end: count, leave: count, participant: count }),
    asOf: maybe(time),
  })
  .map((room) => ({ ...room, asOf: room.asOf ?? room.lastSessionStartedAt }))
  .filter(({ createdAt, firstSessionStartedAt }) => createdAt !== null || firstSessionStartedAt !== null);

const talkOf = <Source>(sources: readonly Source[]) => fc.record({ ms: count, source: fc.constantFrom(...sources) });
const anyMissing = fc.subarray([...missingKinds]);

const counted = fc.record({
  day: time.map((at) => at.slice(0, 10)),
  ...{ participantMinutes: count, recorderMinutes: count, streamerMinutes: count },
});

/** Any valid session. An end is to be told at a whole second. */
export const anySession: fc.Arbitrary<SessionRecord> = fc
  .record({
    organizationId: fc.constant(daily.organizationId),
    roomName: name.map((rest) => `/${rest}`),
    roomSessionId: fc.nat(9).map(uuid),
    ...{ startedAt: time, endedAt: maybe(time), closesAt: fc.option(time, { nil: undefined }) },
    ...{ usage, visitors, version: count, listedVersion: count },
    ...{ talk: maybe(talkOf(spokenSourcesOfSessions)), missing: anyMissing, asOf: time },
    told: fc.option(
      fc.record(
        { revision: fc.integer({ min: 1 }), digest: fc.stringMatching(/^[\w-]{11}$/), counted },
        { requiredKeys: ['revision'] },
      ),
      { nil: undefined },
    ),
    settling: fc.option(fc.record({ at: time, by: second }), { nil: undefined }),
  })
  .map(({ settling, ...session }) => ({ ...session, settling: session.endedAt === null ? undefined : settling }));

/** Any valid participant of the default session id, in its room or in another one. Ids and times often share their beginning or are equal. */
export const anyParticipant: fc.Arbitrary<ParticipantRecord> = fc
  .record({
    participantId: fc.oneof(name, fc.constantFrom('a', 'ab', '\uffee', '😀')),
    roomName: fc.constantFrom(daily.roomName, '/other'),
    usage,
    visitors: fc.array(fc.record({ kind: fc.constantFrom('participant', 'recorder', 'streamer'), visitorId: name })),
    ...{ earliestAt: maybe(time), latestAt: maybe(time), heardAt: maybe(time), talk: maybe(talkOf(spokenSources)) },
    ...{ missing: anyMissing, presence: fc.constant({ isWhole: true, connections: [], changes: [] }) },
    listed: maybe(
      fc.record({
        ...{ deviceId: name, userId: maybe(name), roleName: text, displayName: text, externalId: maybe(name) },
        ...{ joinedAt: fc.oneof(time, fc.constant(at('09:00'))), leftAt: maybe(time) },
        ...{ tags: fc.array(text), comment: maybe(text) },
        ...{ talk: maybe(talkOf(spokenSources)), completeness: anyMissing.map(completenessOf), asOf: time },
        rating: maybe(fc.integer({ min: 1000, max: 5000 }).map((thousandths) => thousandths / 1000)),
      }),
    ),
  })
  .map(({ listed, ...record }) => ({
    ...record,
    listed: listed && listedOf(record.participantId, listed),
  }));

function listedOf<Listed extends { readonly talk: TalkTime | null }>(
  participantId: string,
  { talk, ...listed }: Listed,
) {
  return { roomSessionId: daily.roomSessionId, participantId, ...shownTalk(talk), ...listed };
}
