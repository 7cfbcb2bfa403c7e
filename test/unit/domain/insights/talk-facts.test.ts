import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedTalk, type Measured } from '#shared/domain/insights/talk-changes.ts';
import { lastRevision, measuredTalk, type TalkFact } from '#shared/domain/insights/talk-facts.ts';
import { sumOfTalk } from '#shared/domain/insights/talk-time.ts';
import { talkOfTurns } from '#shared/domain/transcript/transcript-talk.ts';
import { inAnyOrder } from '../../../support/insights/any-facts.ts';
import { at, daily, ended, joined, retracted, started, updated } from '../../../support/insights/session-facts.ts';
import { viewOf } from '../../../support/insights/session-views.ts';
import { activity, heard } from '../../../support/insights/talk.ts';
import { turn } from '../../../support/transcriptions/transcripts.ts';

const talkIn = (...facts: readonly TalkFact[]) => measuredTalk(facts, daily.roomName);
const transcript = (ms: number) => ({ ms, source: 'transcript' });

describe('the talk time of a participant', () => {
  test('is null without facts, and that of a transcript with one', () => {
    expect(talkIn()).toBeNull();
    expect(talkIn(heard('ann', 1500))).toEqual(transcript(1500));
    expect(measuredTalk([heard('ann', 1500)], '/other')).toBeNull();
  });

  test('is that of the latest revision of each transcript, and null if it was taken back', () => {
    const [first, second] = [heard('ann', 9000), heard('ann', 4000, { revision: 1 })];
    for (const facts of [
      [first, second],
      [second, first],
    ])
      expect(talkIn(...facts)).toEqual(transcript(4000));
    expect(talkIn(heard('ann', null, { revision: lastRevision }), first, second)).toBeNull();
  });

  test('counts transcripts of one time once, and those of different times together', () => {
    const again = heard('ann', 9000, { transcriptionId: 'again' });
    const next = heard('ann', 500, { transcriptionId: 'next', from: at('09:30'), to: at('10:00') });
    const across = heard('ann', 9400, { transcriptionId: 'across', from: at('09:20'), to: at('09:40') });
    expect(talkIn(heard('ann', 5000), again)).toEqual(transcript(9000));
    expect(talkIn(heard('ann', 5000), again, next)).toEqual(transcript(9500));
    expect(talkIn(heard('ann', 5000), next, across)).toEqual(transcript(9400));
  });

  test('is that of the activity if there is one, and the longest that was heard', () => {
    const facts = [heard('ann', 9000), activity('ann', 3000), activity('ann', 2000)];
    fc.assert(
      fc.property(inAnyOrder(facts), (order) => {
        expect(talkIn(...order)).toEqual({ ms: 3000, source: 'activity' });
      }),
    );
  });
});

describe('a session', () => {
  const events = [started('09:00'), joined('ann', '09:01'), joined('bob', '09:02'), ended('10:00')];
  const facts = [...events, heard('ann', 2000), heard('bob', 1000)];

  test('shows what was measured of its participants, and their sum, and nothing else changes', () => {
    const { participants, rooms } = viewOf(facts);
    expect(participants.map(({ listed }) => [listed?.spokenSeconds, listed?.spokenSource])).toEqual([
      [2, 'transcript'],
      [1, 'transcript'],
    ]);
    const without = viewOf(events);
    expect(rooms.get('/daily')).toEqual({ ...without.rooms.get('/daily'), talk: transcript(3000) });
    expect(participants.map(({ talk: _, listed: __, ...record }) => record)).toEqual(
      without.participants.map(({ talk: _, listed: __, ...record }) => record),
    );
  });

  test("shows the platform's own count of a participant instead, and then has mixed sources", () => {
    const { participants, rooms } = viewOf([...facts, updated('ann', '09:59', { spokenSeconds: 7 })]);
    expect(participants[0]?.talk).toEqual({ ms: 7000, source: 'platform' });
    expect(rooms.get('/daily')?.talk).toEqual({ ms: 8000, source: 'mixed' });
  });

  test('has no room and no participant by what was measured alone', () => {
    const { participants, rooms } = viewOf([heard('ann', 2000), activity('ann', 3000)]);
    expect([participants, rooms.size]).toEqual([[], 0]);
  });

  test('has no talk time of a participant whose join was taken back', () => {
    const [, ann] = events;
    if (!ann) throw new Error('Ann joins.');
    const { participants, rooms } = viewOf([...facts, retracted(ann)]);
    expect(participants.map(({ participantId, talk }) => [participantId, talk])).toEqual([
      ['ann', null],
      ['bob', transcript(1000)],
    ]);
    expect(rooms.get('/daily')?.talk).toEqual(transcript(1000));
  });

  test('keeps what was measured when events are taken back, and shows it again if they come later', () => {
    const told = updated('ann', '09:59', { spokenSeconds: 7 });
    const { participants } = viewOf([...facts, told, retracted(told)]);
    expect(participants[0]?.talk).toEqual(transcript(2000));
  });

  test('is the same in any order', () => {
    const all = [
      ...facts,
      heard('ann', 500, { revision: 1 }),
      activity('bob', 300),
      updated('ann', '09:59', { deviceId: 'tv' }),
    ];
    const { participants, rooms } = viewOf(all);
    const byId = (records: typeof participants) =>
      records.toSorted((one, other) => (one.participantId < other.participantId ? -1 : 1));
    fc.assert(
      fc.property(inAnyOrder(all), (order) => {
        const view = viewOf(order);
        expect(byId(view.participants)).toEqual(byId(participants));
        expect(view.rooms.get('/daily')).toEqual(rooms.get('/daily'));
      }),
    );
  });
});

test('the sum of talk times is null without one, and mixed for several sources', () => {
  const [one, other] = [
    { ms: 1, source: 'platform' },
    { ms: 2, source: 'activity' },
  ] as const;
  expect(sumOfTalk([null])).toBeNull();
  expect(sumOfTalk([null, one, one])).toEqual({ ms: 2, source: 'platform' });
  expect(sumOfTalk([one, other])).toEqual({ ms: 3, source: 'mixed' });
});

describe('a measurement', () => {
  const measured = (talk: Record<string, number>, revision = 1): Measured => {
    const { source, transcriptionId, roomName, from, to } = heard('ann', 0).data;
    return { of: { source, transcriptionId, roomName, from, to }, revision, talk: new Map(Object.entries(talk)) };
  };
  const changes = (facts: readonly TalkFact[], of: Measured) =>
    changedTalk(daily, facts, of, at('11:00')).map(({ data }) => [data.participantId, data.ms]);

  test('adds what has changed, and takes back who no longer speaks', () => {
    expect(changes([], measured({ ann: 5, bob: 0 }))).toEqual([
      ['ann', 5],
      ['bob', 0],
    ]);
    expect(changes([heard('ann', 5), heard('bob', 3)], measured({ ann: 5, cleo: 3 }))).toEqual([
      ['cleo', 3],
      ['bob', null],
    ]);
    expect(changes([heard('bob', null)], measured({}))).toEqual([]);
  });

  test('of an earlier revision, or after the deletion, adds nothing', () => {
    expect(changes([heard('ann', 5, { revision: 2 })], measured({ ann: 3 }))).toEqual([]);
    const deleted = heard('ann', null, { revision: lastRevision });
    expect(changes([heard('ann', 5), deleted], measured({ ann: 3 }))).toEqual([]);
  });

  test('leaves out other transcripts, and who was erased until the transcription is deleted', () => {
    const facts = [heard('bob', 3, { transcriptionId: 'other' }), heard('\0erased-1', 4)];
    expect(changes(facts, measured({}))).toEqual([]);
    expect(changes(facts, measured({}, lastRevision))).toEqual([['\0erased-1', null]]);
  });
});

test('the turns of a participant count once, also with several voices, and a screen counts if a person said whose it is', () => {
  const voice = { displayName: 'Ada', confidence: 1 } as const;
  const speakers = [
    { ...voice, speaker: 'a', participantId: 'ada', source: 'track' },
    { ...voice, speaker: 'b', participantId: 'ada', source: 'corrected' },
    { ...voice, speaker: 'film', participantId: 'ben', source: 'track', input: 'screen' },
    { ...voice, speaker: 'slides', participantId: 'cleo', source: 'corrected', input: 'screen' },
    { ...voice, speaker: 'Speaker 3', participantId: null, source: 'recognizer' },
  ] as const;
  const turns = [
    ...['a', 'b', 'film', 'slides', 'Speaker 3'].map((speaker) => turn({ speaker })),
    turn({ speaker: 'b', startSeconds: 1, endSeconds: 3.5 }),
  ];
  expect(talkOfTurns(speakers, turns)).toEqual(
    new Map([
      ['ada', 3500],
      ['cleo', 2000],
    ]),
  );
});
