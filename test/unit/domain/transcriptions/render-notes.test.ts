import fc from 'fast-check';
import SrtParser from 'srt-parser-2';
import { describe, expect, test } from 'vitest';
import webvtt from 'webvtt-parser';
import entities from 'webvtt-parser/html-entities.json' with { type: 'json' };
import { type TranscriptFormat, transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import type { Voice } from '#shared/domain/transcript/speakers.ts';
import type { Transcript } from '#shared/domain/transcript/transcript.ts';
import { renderTranscript } from '#shared/domain/transcriptions/render-transcript.ts';
import { hostileTexts, subject, transcript, turn } from '../../../support/transcriptions/transcripts.ts';

const linesOf = (format: TranscriptFormat, of: Transcript) => renderTranscript(format, subject, of).body.split('\n');

const voice = (speaker: string, participantId: string, input: 'microphone' | 'screen', displayName: string): Voice => ({
  ...{ speaker, participantId, displayName, source: 'track', confidence: 1, input },
});

/** Two tracks that overlap, and a third that was lost in part. */
const ofTracks: Transcript = {
  ...transcript(
    turn({ startSeconds: 1, endSeconds: 9, text: 'Where were we?' }),
    turn({ speaker: 'Speaker 2', startSeconds: 4, endSeconds: 5, text: 'At the plan.' }),
  ),
  recordedSeconds: 1800,
  missing: [
    { participantId: 'bo', from: 600, to: 719.2, code: 'media_unreadable' },
    { participantId: 'cy_1', from: 900, to: 960, code: 'engine_error' },
  ],
  approximateTimes: true,
  speakers: [voice('Speaker 1', 'ada', 'microphone', 'Ada'), voice('Speaker 2', 'bo', 'microphone', 'Bo')],
  echoes: [turn({ speaker: 'Speaker 2', startSeconds: 1.2, text: 'where' })],
};
const mixed: Transcript = {
  ...transcript(turn()),
  missing: [{ participantId: null, from: 60, to: 120, code: 'engine_error' }],
};

describe('what a transcript of parts lacks', () => {
  test('is listed in the head of an md file', () => {
    expect(linesOf('md', ofTracks).slice(5, 9)).toEqual([
      '- Language: en-US',
      '- Times: approximate, because a file has holes or a date is wrong',
      '- Missing: 00:10:00-00:12:00 (Bo), media unreadable',
      '- Missing: 00:15:00-00:16:00 (cy\\_1), engine error',
    ]);
  });

  test('is before the turns of a txt file', () => {
    expect(linesOf('txt', ofTracks)).toEqual([
      'Times: approximate, because a file has holes or a date is wrong',
      'Missing: 00:10:00-00:12:00 (Bo), media unreadable',
      'Missing: 00:15:00-00:16:00 (cy_1), engine error',
      '',
      '[00:00:01] Ada: Where were we?',
      '[00:00:04] Bo: At the plan.',
      '',
    ]);
    expect(linesOf('txt', mixed)[0]).toBe('Missing: 00:01:00-00:02:00, engine error');
  });

  test('is a comment of a vtt file, whose overlapping cues stay in their order', () => {
    expect(linesOf('vtt', ofTracks).filter((line) => /^(NOTE|\d\d:)/.test(line))).toEqual([
      'NOTE Times: approximate, because a file has holes or a date is wrong',
      'NOTE Missing: 00:10:00-00:12:00 (Bo), media unreadable',
      'NOTE Missing: 00:15:00-00:16:00 (cy_1), engine error',
      '00:00:01.000 --> 00:00:09.000',
      '00:00:04.000 --> 00:00:05.000',
    ]);
  });

  test('is shown at its place by an srt file', () => {
    const cues = new SrtParser().fromSrt(linesOf('srt', ofTracks).join('\n'));
    expect(cues.map(({ startTime, endTime, text }) => [startTime, endTime, text])).toEqual([
      ['00:00:00,000', '00:00:05,000', '[Times: approximate, because a file has holes or a date is wrong]'],
      ['00:00:01,000', '00:00:09,000', 'Ada: Where were we?'],
      ['00:00:04,000', '00:00:05,000', 'Bo: At the plan.'],
      ['00:10:00,000', '00:10:05,000', '[Missing: 00:10:00-00:12:00 (Bo), media unreadable]'],
      ['00:15:00,000', '00:15:05,000', '[Missing: 00:15:00-00:16:00 (cy_1), engine error]'],
    ]);
  });

  test('is in a json file with who the speakers are, and with echoes', () => {
    expect(JSON.parse(linesOf('json', ofTracks).join('\n'))).toMatchObject(ofTracks);
  });
});

test('the notes tell a microphone from a screen', () => {
  const span = { participantId: 'ada', from: 0, to: 60, code: 'engine_error' } as const;
  const lost = {
    ...transcript(turn()),
    missing: [
      { ...span, source: 'microphone' },
      { ...span, source: 'screen' },
      { ...span, participantId: 'bo', source: 'screen' },
    ],
    speakers: [voice('Speaker 1', 'ada', 'microphone', 'Ada'), voice('Speaker 2', 'ada', 'screen', 'Ada (screen)')],
  } as const;
  const notes = linesOf('txt', lost).filter((text) => text.startsWith('Missing'));
  expect(notes.map((note) => /\((.*)\)/.exec(note)?.[1])).toEqual(['Ada', 'Ada (screen)', 'bo, screen']);
});

test('a note of a short stretch is shown for a second', () => {
  const missing = [{ participantId: 'bo', from: 60, to: 60, code: 'engine_error' as const }];
  expect(linesOf('srt', { ...transcript(turn()), missing })).toContain('00:01:00,000 --> 00:01:01,000');
});

test('no participant id breaks a file', () => {
  fc.assert(
    fc.property(hostileTexts, (participantId) => {
      const missing = [{ participantId, from: 0, to: 1, code: 'engine_error' as const }];
      const hostile = { ...transcript(turn({ startSeconds: 5, endSeconds: 6 })), missing };
      const { cues, errors } = new webvtt.WebVTTParser(entities).parse(linesOf('vtt', hostile).join('\n'));
      expect([cues.length, errors]).toEqual([1, []]);
      expect(linesOf('txt', hostile)).toHaveLength(4);
      expect(linesOf('srt', hostile)).toHaveLength(8);
      expect(linesOf('md', hostile)).toHaveLength(10);
    }),
  );
});

test('a transcript of one file has none of this', () => {
  for (const format of transcriptFormats) {
    const plain = linesOf(format, transcript(turn())).join('\n');
    expect(plain).not.toMatch(/missing|approximate|echoes|recordedSeconds|input/i);
  }
});
