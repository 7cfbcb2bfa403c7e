import { describe, expect, test } from 'vitest';
import {
  confidenceInWords,
  filenameOf,
  languageInWords,
  missingInWords,
  optionsInWords,
} from '../../../console/views/transcript/in-words.ts';
import { readDocument } from '../../../console/views/transcript/read-document.ts';
import { participantChoices } from '../../../console/views/transcript/speakers/participant-choices.ts';
import { withSpeaker } from '../../../console/views/transcript/speakers/with-speaker.ts';

type Detail = Parameters<typeof withSpeaker>[0];

const speaker = {
  speaker: 'Speaker 1',
  participantId: 'p-17',
  displayName: 'Ada',
  source: 'track',
  confidence: 1,
  input: 'microphone',
  spokenSeconds: 10,
  turns: 2,
  share: 1,
  longestTurnSeconds: 6,
  overlapSeconds: 0,
} as const;

describe('words for a transcript', () => {
  test('name the options that took effect', () => {
    expect(optionsInWords({ language: 'auto', multiLanguage: false, maxSpeakers: 10, tracks: false })).toEqual([
      'language found out by the engine',
      'the mixed recording',
      'at most 10 speakers',
    ]);
    expect(
      optionsInWords({
        language: ['en-US', 'de-DE'],
        multiLanguage: true,
        tracks: true,
        maxSpeakers: 10,
        vocabularyFilter: { name: 'rude', method: 'mask' },
        redact: { types: ['NAME'] },
      }),
    ).toEqual([
      'language en-US, de-DE',
      'several languages',
      'a track for each participant',
      'words of rude masked',
      'redacted: NAME',
    ]);
  });

  test('say how sure a name is', () => {
    expect([1, 0.9, 0.7, 0.2, null].map(confidenceInWords)).toEqual([
      'certain',
      'very likely',
      'likely',
      'unsure',
      undefined,
    ]);
  });

  test('name a language, and keep a code that nobody knows', () => {
    expect(['en-US', 'not a code', null].map(languageInWords)).toEqual([
      'American English (en-US)',
      'not a code',
      'not told',
    ]);
  });

  test('say when, whose and why something is missing', () => {
    const span = {
      participantId: 'p-17',
      source: 'microphone',
      from: 600,
      to: 719.2,
      code: 'media_unreadable',
    } as const;
    expect(missingInWords(span, [speaker])).toEqual({
      period: '10:00 to 11:59',
      who: 'Ada',
      isScreen: false,
      why: 'the file is broken or cannot be read',
    });
    expect(missingInWords({ ...span, participantId: 'p-18' }, [speaker]).who).toBe('p-18');
    expect(missingInWords({ participantId: null, from: 0, to: 1, code: 'no_audio' }, [speaker]).who).toBe('everybody');
  });

  test('make a file name that every system takes, of any room', () => {
    const named = (roomName: string) => filenameOf({ roomName, startDate: '2026-03-02T09:00:00.000Z' } as Detail, 'md');
    expect(named('/Café/../<b>\u202e')).toBe('transcript-Cafe-b-2026-03-02.md');
    expect(named('/会議')).toBe('transcript-room-2026-03-02.md');
    expect(named(`/${'a'.repeat(500)}`).length).toBeLessThan(90);
  });
});

describe('choices of participants', () => {
  test('tell people apart by their ids if nobody can by their names', () => {
    const names = ['Ada', 'ADA', 'A\u200bda', 'Ada\u00a0', 'Ben', '\u3164'];
    const known = names.map((displayName, index) => ({ participantId: `p-${index}`, displayName }));
    expect(participantChoices(known).map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Ada (p-0)', 'ADA (p-1)', 'Ada (p-2)', 'Ada (p-3)', 'Ben', '(p-5)']),
    );
  });

  test('tell people of one name apart by their ids, and list each person once', () => {
    const known = [
      { participantId: 'p-2', displayName: 'Ada' },
      { participantId: 'p-1', displayName: 'Ada' },
      { participantId: 'p-1', displayName: 'Ada' },
      { participantId: 'p-3', displayName: '' },
      { participantId: 'p-4', displayName: 'Ben' },
    ];
    expect(participantChoices(known).map(({ text }) => text)).toEqual(['(p-3)', 'Ada (p-1)', 'Ada (p-2)', 'Ben']);
  });
});

describe('the file of a transcript', () => {
  test('is read without its words, and time 0 is that of its clock', () => {
    const turn = { speaker: 'Speaker 1', startSeconds: 1, endSeconds: 2, text: 'Hello.' };
    const file = { startDate: '2026-03-02T09:00:00.000Z', turns: [{ ...turn, words: [{ text: 'Hello.' }] }] };
    expect(readDocument(JSON.stringify(file))).toEqual({ turns: [turn], missing: [], clockStartDate: file.startDate });
    const clockStartDate = '2026-03-02T08:59:00.000Z';
    expect(readDocument(JSON.stringify({ ...file, clockStartDate })).clockStartDate).toBe(clockStartDate);
  });
});

describe('a correction', () => {
  test('changes one speaker alone', () => {
    const other = { ...speaker, speaker: 'Speaker 2' };
    const detail = { speakers: [speaker, other] } as unknown as Detail;
    expect(withSpeaker(detail, 'Speaker 2', { displayName: 'Cleo' }).speakers).toEqual([
      speaker,
      { ...other, displayName: 'Cleo' },
    ]);
  });
});
