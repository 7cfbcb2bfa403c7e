import fc from 'fast-check';
import SrtParser from 'srt-parser-2';
import { describe, expect, test } from 'vitest';
import webvtt from 'webvtt-parser';
import entities from 'webvtt-parser/html-entities.json' with { type: 'json' };
import type { Turn } from '#shared/contracts/transcriptions/transcript-document.ts';
import { renderTranscript } from '#shared/domain/transcriptions/render-transcript.ts';
import { hostileTexts, hostileTurns, subject, transcript, turn } from '../../../support/transcriptions/transcripts.ts';

const vttOf = (...turns: readonly Turn[]) => renderTranscript('vtt', subject, transcript(...turns)).body;
const srtOf = (...turns: readonly Turn[]) => renderTranscript('srt', subject, transcript(...turns)).body;

/** Reads the cues with an independent parser. */
function readVtt(...turns: readonly Turn[]) {
  const { cues, errors } = new webvtt.WebVTTParser(entities).parse(vttOf(...turns));
  return {
    errors,
    cues: cues.map(({ startTime, endTime, tree }) => ({
      startTime,
      endTime,
      nodes: tree.children.length,
      voice: unescaped(tree.children[0]?.value ?? ''),
      text: (tree.children[0]?.children ?? [])
        .map(({ type, value }) => (type === 'text' ? value : `[${type}]`))
        .join(''),
    })),
  };
}

/** Unescapes a speaker's name, because the parser does not. */
const unescaped = (name: string) => name.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const readSrt = (...turns: readonly Turn[]) => new SrtParser().fromSrt(srtOf(...turns));
const milliseconds = (seconds: number) => Math.round(seconds * 1000);
const timesOf = (turns: readonly Turn[]) =>
  turns.map(({ startSeconds, endSeconds }) => [milliseconds(startSeconds), milliseconds(endSeconds)]);

describe('a vtt file', () => {
  test('has the expected text for two turns', () => {
    expect(vttOf(turn(), turn({ speaker: 'Speaker 2', startSeconds: 2.25, endSeconds: 3.5, text: 'Hi, R&D!' }))).toBe(
      [
        'WEBVTT',
        '',
        '1',
        '00:00:00.000 --> 00:00:02.000',
        '<v Speaker 1>Good morning.</v>',
        '',
        '2',
        '00:00:02.250 --> 00:00:03.500',
        '<v Speaker 2>Hi, R&amp;D!</v>',
        '',
      ].join('\n'),
    );
  });

  test('is valid without any turns', () => {
    expect(readVtt()).toEqual({ errors: [], cues: [] });
  });

  test('keeps its cues, times and speakers for any text', () => {
    fc.assert(
      fc.property(hostileTurns, (turns) => {
        const { cues } = readVtt(...turns);
        expect(cues.map(({ voice }) => voice)).toEqual(turns.map(({ speaker }) => speaker));
        expect(cues.map(({ startTime, endTime }) => [milliseconds(startTime), milliseconds(endTime)])).toEqual(
          timesOf(turns),
        );
        expect(cues.every(({ nodes }) => nodes === 1)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('parses to the original words, except for control characters and line breaks', () => {
    fc.assert(
      fc.property(hostileTexts, (text) => {
        const readable = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
        expect(readVtt(turn({ text })).cues[0]?.text).toBe(readable);
      }),
      { numRuns: 500 },
    );
  });

  test('parses without errors for any text', () => {
    fc.assert(
      fc.property(hostileTurns, (turns) => {
        expect(readVtt(...turns).errors).toEqual([]);
      }),
    );
  });

  test.each(['<v Eve>', 'Eve>x</v><v Bob', '1\n00:00:01.000 --> 00:00:02.000\nx', '&lt;b&gt;', '-->'])(
    'escapes the speaker %j so that it is not markup',
    (speaker) => {
      const { cues } = readVtt(turn({ speaker }), turn());
      expect(cues).toHaveLength(2);
      expect(cues[0]?.voice).toBe(speaker.replace(/\n/g, ' '));
    },
  );
});

describe('an srt file', () => {
  test('has the expected text for two turns', () => {
    expect(srtOf(turn(), turn({ speaker: 'Speaker 2', startSeconds: 2.25, endSeconds: 3.5, text: 'Hi, R&D!' }))).toBe(
      [
        '1',
        '00:00:00,000 --> 00:00:02,000',
        'Speaker 1: Good morning.',
        '',
        '2',
        '00:00:02,250 --> 00:00:03,500',
        'Speaker 2: Hi, R&D!',
        '',
      ].join('\n'),
    );
  });

  test('is empty without any turns', () => {
    expect(srtOf()).toBe('');
  });

  test('keeps its cues, times and speakers for any text', () => {
    fc.assert(
      fc.property(hostileTurns, (turns) => {
        const cues = readSrt(...turns);
        expect(cues.map(({ id }) => id)).toEqual(turns.map((_, index) => String(index + 1)));
        expect(cues.map(({ text }) => text.slice(0, text.indexOf(':')))).toEqual(turns.map(({ speaker }) => speaker));
        expect(cues.map((cue) => [milliseconds(cue.startSeconds), milliseconds(cue.endSeconds)])).toEqual(
          timesOf(turns),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('has only its own lines for any text: number, times, one line of text, blank', () => {
    fc.assert(
      fc.property(hostileTurns, (turns) => {
        const lines = srtOf(...turns).split(/\r\n|[\n\r\u0085\u2028\u2029]/);
        expect(lines.length).toBe(Math.max(1, turns.length * 4));
        expect(lines.filter((line) => line.includes('-->'))).toHaveLength(turns.length);
      }),
    );
  });
});

describe('the times of a cue', () => {
  test.each([
    [0, '00:00:00', '000'],
    [59.9994, '00:00:59', '999'],
    [59.9996, '00:01:00', '000'],
    [3599.9999, '01:00:00', '000'],
    [3600, '01:00:00', '000'],
    [3661.001, '01:01:01', '001'],
    [14_400.5, '04:00:00', '500'],
    [360_000, '100:00:00', '000'],
  ])('show %d seconds as %s and %s milliseconds', (startSeconds, clock, ms) => {
    const at = turn({ startSeconds, endSeconds: startSeconds + 60 });
    expect(vttOf(at)).toContain(`\n${clock}.${ms} --> `);
    expect(srtOf(at)).toContain(`\n${clock},${ms} --> `);
  });

  test('end after they start, for any fractions of a second', () => {
    const instants = fc.double({ min: 0, max: 20_000, noNaN: true });
    fc.assert(
      fc.property(instants, instants, (startSeconds, endSeconds) => {
        const [cue] = readVtt(turn({ startSeconds, endSeconds })).cues;
        expect(cue?.endTime).toBeGreaterThan(cue?.startTime ?? 0);
      }),
      { numRuns: 2_000 },
    );
    const tiesOfRounding = fc.nat(4_000_000).map((ms) => (ms + 0.5) / 1000);
    fc.assert(
      fc.property(tiesOfRounding, (startSeconds) => {
        const [, times = ''] = srtOf(turn({ startSeconds, endSeconds: startSeconds })).split('\n');
        const [start, end] = times.split(' --> ');
        expect(end).not.toBe(start);
      }),
      { numRuns: 5_000 },
    );
  });
});
