import { describe, expect, test } from 'vitest';
import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { nobodyKnown } from '#shared/domain/insights/session/session-people.ts';
import { originalSpan } from '#shared/domain/media/media-time-map.ts';
import { noEvidence } from '#shared/domain/speakers/name-mixed.ts';
import { type MaybeMissing, missingSpans, shownSpans } from '#shared/domain/transcript/missing-spans.ts';
import { unnamed } from '#shared/domain/transcript/speakers.ts';
import type { Spoken, Transcript } from '#shared/domain/transcript/transcript.ts';
import { type HeardPart, mergeParts, onRecordingClock } from '#shared/domain/transcriptions/parts/merge-parts.ts';
import { silence, spoken } from '../../../../support/transcriptions/transcripts.ts';
import { plannedSource, workPlan } from '../../../../support/transcriptions/works.ts';

/** A part of a source that says something, or has failed with a code. */
const part = (
  source: number,
  participantId: string | null,
  heard: Spoken | FailureCode,
  from = 0,
  to = 600,
): HeardPart =>
  typeof heard === 'string'
    ? { source, participantId, from, to, failureCode: heard }
    : { source, participantId, from, to, spoken: heard };
const linesOf = (merged: Transcript | FailureCode) =>
  typeof merged === 'string' ? merged : merged.turns.map(({ speaker, text }) => `${speaker}: ${text}`);

const mixedPlan = workPlan(plannedSource());
const [ada, bo, screen] = [
  plannedSource({ participantId: 'ada' }),
  plannedSource({ participantId: 'bo' }),
  plannedSource({ participantId: 'ada', isScreen: true }),
];

describe('the words of a part', () => {
  test('keep the languages that the engine heard', () => {
    const heard: Spoken = { ...spoken(), languages: [{ languageCode: 'en-US', seconds: 1 }] };
    expect(onRecordingClock(heard, undefined, plannedSource())).toMatchObject({ languages: heard.languages });
  });

  const timesOf = ({ items }: Spoken) => items.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds]);

  test('are moved by the start of the first file of their source', () => {
    const { files } = plannedSource({ offset: 60.25 });
    expect(timesOf(onRecordingClock(spoken('good morning .'), undefined, { files }))).toEqual([
      [60.25, 60.65],
      [60.75, 61.15],
      [61.15, 61.15],
    ]);
  });

  test('are moved to where they were before silence was left out', () => {
    const map = [
      [0, 10, 1],
      [1, 200, 5],
    ] as const;
    const { files } = plannedSource({ offset: 1000 });
    expect(timesOf(onRecordingClock(spoken('one two . three'), map, { files }))).toEqual([
      [1010, 1010.4],
      [1010.5, 1010.9],
      [1010.9, 1010.9],
      [1200, 1200.4],
    ]);
  });

  test('are at the beginning if they were said before the recording began', () => {
    const { files } = plannedSource({ offset: -0.7 });
    expect(timesOf(onRecordingClock(spoken('one two'), undefined, { files }))).toEqual([
      [0, 0],
      [0, 0.2],
    ]);
  });
});

test.each([
  ['begins just before left out silence', 0.95, 1.5, 200, 200.5],
  ['ends just after left out silence', 0.5, 1.05, 10.5, 11],
  ['ends where silence was left out', 0.5, 1, 10.5, 11],
  ['is beyond the end', 7, 7.5, 205, 205],
])('a word that %s lies on the side of its middle', (_what, from, to, originalFrom, originalTo) => {
  const map = [
    [0, 10, 1],
    [1, 200, 5],
  ] as const;
  expect(originalSpan(map, { from, to })).toEqual({ from: originalFrom, to: originalTo });
});

describe('parts of a mixed file', () => {
  test('become turns of speakers that are numbered over all parts', () => {
    const second = { ...spoken('we meet again .', 700), languageCode: 'de-DE' };
    const merged = mergeParts(mixedPlan, [
      part(0, null, spoken('hello .', 1)),
      part(0, null, second, 600, 1200),
    ]) as Transcript;
    expect(linesOf(merged)).toEqual(['Speaker 1: hello.', 'Speaker 2: we meet again.']);
    expect(merged).toMatchObject({ languageCode: 'de-DE', recordedSeconds: 600, missing: [], approximateTimes: false });
    expect(merged.speakers).toEqual([unnamed('Speaker 1'), unnamed('Speaker 2')]);
  });

  test('have the language that was spoken longest in all of them, and list all', () => {
    const heard = (...languages: readonly (readonly [string, number])[]): Spoken => ({
      ...spoken(),
      languageCode: languages[0]?.[0] ?? null,
      languages: languages.map(([languageCode, seconds]) => ({ languageCode, seconds })),
    });
    const parts = [heard(['de-DE', 200], ['en-US', 90]), heard(['fr-FR', 190], ['en-US', 180]), heard(['fr-FR', 60])];
    const merged = mergeParts(
      mixedPlan,
      parts.map((each, index) => part(0, null, each, index * 600, index * 600 + 600)),
    );
    expect(merged).toMatchObject({ languageCode: 'en-US', languages: ['en-US', 'fr-FR', 'de-DE'] });
  });

  test('list no languages if only one was heard', () => {
    const one: Spoken = { ...spoken(), languages: [{ languageCode: 'en-US', seconds: 1 }] };
    const merged = mergeParts(mixedPlan, [part(0, null, one), part(0, null, spoken(), 600, 1200)]);
    expect(merged).toMatchObject({ languageCode: 'en-US' });
    expect(merged).not.toHaveProperty('languages');
  });

  test('that failed are missing, except where a neighbour overlaps', () => {
    const merged = mergeParts(mixedPlan, [
      part(0, null, spoken('hello .'), 0, 600),
      part(0, null, 'media_unreadable', 540, 1140),
      part(0, null, spoken('bye .', 1200), 1080, 1680),
    ]) as Transcript;
    expect(linesOf(merged)).toEqual(['Speaker 1: hello.', 'Speaker 2: bye.']);
    expect(merged.missing).toEqual([{ participantId: null, from: 600, to: 1080, code: 'media_unreadable' }]);
  });
});

describe('parts of tracks', () => {
  const plan = workPlan(ada, bo, screen);

  test('have a speaker for each microphone and each screen, numbered by their first turn', () => {
    const merged = mergeParts(plan, [
      part(0, 'ada', spoken('I think so .', 5)),
      part(1, 'bo', spoken('shall we go ?', 1)),
      part(2, 'ada', spoken('welcome to the film .', 60)),
    ]) as Transcript;
    expect(linesOf(merged)).toEqual([
      'Speaker 1: shall we go?',
      'Speaker 2: I think so.',
      'Speaker 3: welcome to the film.',
    ]);
    expect(merged.speakers).toMatchObject([
      { speaker: 'Speaker 1', participantId: 'bo', source: 'track', input: 'microphone' },
      { speaker: 'Speaker 2', participantId: 'ada', source: 'track', input: 'microphone' },
      { speaker: 'Speaker 3', participantId: 'ada', source: 'track', input: 'screen' },
    ]);
  });

  test('of one microphone are one speaker, after a rejoin too', () => {
    const merged = mergeParts(workPlan(ada, ada), [
      part(0, 'ada', spoken('I am late .', 5), 0, 60),
      part(1, 'ada', spoken('one two', 300), 250, 400),
    ]) as Transcript;
    expect(linesOf(merged)).toEqual(['Speaker 1: I am late.', 'Speaker 1: one two']);
  });

  test('of a microphone in a meeting room are a speaker for each voice', () => {
    const room = { participantId: 'ada', displayName: 'Room 4', from: 0, to: 600 };
    const first = spoken('good morning all of you', 5);
    const second = spoken('and good morning to you', 10);
    const items = [...first.items, ...second.items.map((item) => ({ ...item, speaker: 'Speaker 2' }))];
    const merged = mergeParts(workPlan(ada), [part(0, 'ada', { ...first, items })], {
      ...noEvidence,
      people: { ...nobodyKnown, stays: [room] },
    }) as Transcript;
    expect(linesOf(merged)).toEqual(['Speaker 1: good morning all of you', 'Speaker 2: and good morning to you']);
    expect(merged.speakers).toMatchObject([
      { speaker: 'Speaker 1', participantId: 'ada', displayName: 'Room 4, speaker 1' },
      { speaker: 'Speaker 2', participantId: 'ada', displayName: 'Room 4, speaker 2' },
    ]);
  });

  test('of two devices of one person at the same time are two tracks of one speaker', () => {
    const merged = mergeParts(workPlan(ada, ada), [
      part(0, 'ada', spoken('the plan is good', 5)),
      part(1, 'ada', spoken('the plan is good', 5.1)),
    ]) as Transcript;
    expect(linesOf(merged)).toEqual(['Speaker 1: the plan is good']);
    expect(merged.echoes).toMatchObject([{ speaker: 'Speaker 1', text: 'the plan is good', startSeconds: 5.1 }]);
  });

  test('are joined in the language of each speaker', () => {
    const japanese = { ...spoken('今日 は', 9), languageCode: 'ja-JP' };
    const merged = mergeParts(plan, [part(0, 'ada', spoken('good morning all')), part(1, 'bo', japanese)]);
    expect(linesOf(merged)).toEqual(['Speaker 1: good morning all', 'Speaker 2: 今日は']);
    expect(merged).toMatchObject({ languageCode: 'en-US', languages: ['en-US', 'ja-JP'] });
  });

  test('that failed are missing with their participant, and those without speech are not', () => {
    const merged = mergeParts(plan, [
      part(0, 'ada', spoken()),
      part(1, 'bo', 'unsupported_media', -20, 90),
      part(2, 'ada', 'no_speech'),
    ]) as Transcript;
    expect(merged.missing).toEqual([
      { participantId: 'bo', source: 'microphone', from: 0, to: 90, code: 'unsupported_media' },
    ]);
  });

  test('that failed are missing with their source, and of a microphone and a screen apart', () => {
    const merged = mergeParts(workPlan(ada, bo, screen, ada), [
      part(0, 'ada', 'engine_error', 0, 60),
      part(1, 'bo', spoken()),
      part(2, 'ada', 'engine_error', 60, 120),
      part(3, 'ada', 'engine_error', 120, 180),
    ]) as Transcript;
    expect(merged.missing?.map(({ source, from, to }) => [source, from, to])).toEqual([
      ['microphone', 0, 60],
      ['screen', 60, 120],
      ['microphone', 120, 180],
    ]);
  });

  test('have approximate times if a date is wrong, and the date of time 0', () => {
    const wrong = { ...workPlan(ada), hasWrongDate: true, clockStart: '2026-03-01T08:00:00.000Z' };
    expect(mergeParts(wrong, [part(0, 'ada', spoken())])).toMatchObject({
      ...{ approximateTimes: true, clockStartDate: '2026-03-01T08:00:00.000Z' },
    });
  });

  test('have approximate times if one of their files has', () => {
    const holes = workPlan(ada, { ...bo, isApproximate: true });
    expect(mergeParts(holes, [part(0, 'ada', spoken())])).toMatchObject({ approximateTimes: true });
  });
});

describe('a work without words', () => {
  const plan = workPlan(ada, bo, screen);

  test.each([
    ['in which nobody speaks', [silence, 'no_speech', silence], 'no_speech'],
    ['whose parts failed', ['engine_error', 'media_unreadable', 'media_unreadable'], 'media_unreadable'],
    ['whose parts failed for as many reasons', ['engine_error', 'media_unreadable'], 'engine_error'],
    ['whose only speaker may be in a part that failed', [silence, 'engine_error', 'no_speech'], 'engine_error'],
  ] as const)('%s fails', (_what, heard, code) => {
    expect(
      mergeParts(
        plan,
        heard.map((each, index) => part(index, `p${index}`, each)),
      ),
    ).toBe(code);
  });
});

describe('missing spans', () => {
  const lost = (from: number, to: number, facts: Partial<MaybeMissing> = {}): MaybeMissing => ({
    ...{ participantId: 'ada', source: 0, missing: 'engine_error', from, to },
    ...facts,
  });

  test('of neighbours are joined if participant and reason are the same', () => {
    const spans = missingSpans([
      lost(0, 60),
      lost(60.05, 120),
      lost(120, 180, { missing: 'media_unreadable' }),
      lost(120, 180, { participantId: 'bo' }),
      lost(300, 360),
    ]);
    expect(spans.map(({ participantId, from, to, code }) => [participantId, from, to, code])).toEqual([
      ['ada', 0, 120, 'engine_error'],
      ['ada', 120, 180, 'media_unreadable'],
      ['bo', 120, 180, 'engine_error'],
      ['ada', 300, 360, 'engine_error'],
    ]);
  });

  test('are not shorter for what another source heard', () => {
    expect(missingSpans([lost(0, 60), lost(0, 60, { source: 1, missing: undefined })])).toHaveLength(1);
  });

  test('of a file whose length is not known have no length', () => {
    expect(missingSpans([lost(90, 90)])).toMatchObject([{ from: 90, to: 90 }]);
  });

  test('are shown as far as a row has space for them', () => {
    const many = Array.from({ length: 1000 }, (_, index) => lost(index * 10, index * 10 + 5, { source: index }));
    const spans = missingSpans(many);
    expect(spans).toHaveLength(1000);
    const shown = shownSpans(spans);
    expect(shown).toEqual(spans.slice(0, shown.length));
    expect(shown.length).toBeGreaterThan(40);
    expect(JSON.stringify(shown).length).toBeLessThan(4200);
  });
});
