import { expect, test } from 'vitest';
import { foldVoices, mostSpeakers } from '#shared/domain/speakers/fold-voices.ts';
import { speakersOf, unnamed, type Voice } from '#shared/domain/transcript/speakers.ts';
import { renderTranscript } from '#shared/domain/transcriptions/render-transcript.ts';
import { subject, turn } from '../../../support/transcriptions/transcripts.ts';

/** A transcript of 100 microphones with so many voices each, and a screen. Each voice has a turn, and is heard in an echo. */
function transcriptOf(voicesAtMicrophone: number) {
  const voices = Array.from({ length: 100 * voicesAtMicrophone }, (_, index): Voice => {
    const participant = index % 100;
    const number = Math.floor(index / 100) + 1;
    return {
      ...{ speaker: `Speaker ${index + 1}`, participantId: `p-${participant}`, source: 'track', confidence: 1 },
      ...{ displayName: `Room ${participant}, speaker ${number}`, input: 'microphone' },
    };
  });
  const screen: Voice = {
    ...{ speaker: 'Speaker 5001', participantId: 'p-0', source: 'track', confidence: 1 },
    ...{ displayName: 'Room 0 (screen)', input: 'screen' },
  };
  const speakers = [...voices, screen];
  const turns = speakers.map(({ speaker }, index) =>
    turn({ speaker, startSeconds: index, endSeconds: index + 1, text: `text of ${speaker}.` }),
  );
  return { languageCode: 'en-US', turns, speakers, echoes: turns };
}

test('of too many voices, those at one microphone are one speaker, who has all their turns', () => {
  const before = transcriptOf(20);
  const { speakers, turns, echoes } = foldVoices(before);
  expect(speakers).toHaveLength(101);
  expect(speakers[7]).toEqual({
    ...{ speaker: 'Speaker 8', participantId: 'p-7', displayName: 'Room 7', source: 'track', confidence: 1 },
    input: 'microphone',
  });
  expect(speakers.at(-1)).toEqual(before.speakers.at(-1));
  expect(turns.map(({ text }) => text)).toEqual(before.turns.map(({ text }) => text));
  expect(echoes).toEqual(turns);
  expect(speakersOf(speakers, turns)[7]).toMatchObject({ turns: 20, spokenSeconds: 20 });
  const text = renderTranscript('txt', subject, { ...before, speakers, turns }).body;
  expect(text).toContain('Room 7: text of Speaker 108.\n');
});

test('so many speakers as a row can have stay as they are', () => {
  const some = transcriptOf(2);
  const most = { ...some, speakers: some.speakers.slice(0, mostSpeakers) };
  expect(foldVoices(most)).toBe(most);
});

test('speakers whom nothing names stay as they are', () => {
  const speakers = Array.from({ length: mostSpeakers + 1 }, (_, index) => unnamed(`Speaker ${index + 1}`));
  const turns = speakers.map(({ speaker }) => turn({ speaker }));
  expect(foldVoices({ languageCode: null, speakers, turns })).toEqual({ languageCode: null, speakers, turns });
});
