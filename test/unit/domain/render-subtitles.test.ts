import fc from 'fast-check';
import SrtParser from 'srt-parser-2';
import { describe, expect, test } from 'vitest';
import webvtt from 'webvtt-parser';
import entities from 'webvtt-parser/html-entities.json' with { type: 'json' };
import type { Turn } from '#shared/contracts/transcript-document.ts';
import { renderTranscript } from '#shared/domain/render-transcript.ts';
import { hostileTexts, hostileTurns, subject, transcript, turn } from '../../support/transcripts.ts';

const vttOf = (...turns: readonly Turn[]) => renderTranscript('vtt', subject, transcript(...turns)).body;
const srtOf = (...turns: readonly Turn[]) => renderTranscript('srt', subject, transcript(...turns)).body;

/** The cues as a parser that is not ours reads them. */
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

/** The parser leaves the escapes of a voice's name as they are. */
const unescaped = (name: string) => name.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const readSrt = (...turns: readonly Turn[]) => new SrtParser().fromSrt(srtOf(...turns));
const milliseconds = (seconds: number) => Math.round(seconds * 1000);
const timesOf = (turns: readonly Turn[]) =>
  turns.map(({ startSeconds, endSeconds }) => [milliseconds(startSeconds), milliseconds(endSeconds)]);

describe('vtt', () => {
  test('is a file that a reader knows by heart', () => {
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

  test('of no turns is a valid file', () => {
    expect(readVtt()).toEqual({ errors: [], cues: [] });
  });

  test('keeps its cues, times and speakers, whatever is said', () => {
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

  test('is read back to the words that were said, control characters and line breaks apart', () => {
    fc.assert(
      fc.property(hostileTexts, (text) => {
        const readable = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
        expect(readVtt(turn({ text })).cues[0]?.text).toBe(readable);
      }),
      { numRuns: 500 },
    );
  });

  test('is without a fault for its parser, whatever is said', () => {
    fc.assert(
      fc.property(hostileTurns, (turns) => {
        expect(readVtt(...turns).errors).toEqual([]);
      }),
    );
  });

  test.each(['<v Eve>', 'Eve>x</v><v Bob', '1\n00:00:01.000 --> 00:00:02.000\nx', '&lt;b&gt;', '-->'])(
    'keeps the speaker %j from being markup',
    (speaker) => {
      const { cues } = readVtt(turn({ speaker }), turn());
      expect(cues).toHaveLength(2);
      expect(cues[0]?.voice).toBe(speaker.replace(/\n/g, ' '));
    },
  );
});

describe('srt', () => {
  test('is a file that a reader knows by heart', () => {
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

  test('of no turns is an empty file', () => {
    expect(srtOf()).toBe('');
  });

  test('keeps its cues, times and speakers, whatever is said', () => {
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

  test('has no line but its own: numbers, times, one line of text, blank', () => {
    fc.assert(
      fc.property(hostileTurns, (turns) => {
        const lines = srtOf(...turns).split(/\r\n|[\n\r\u0085\u2028\u2029]/);
        expect(lines.length).toBe(Math.max(1, turns.length * 4));
        expect(lines.filter((line) => line.includes('-->'))).toHaveLength(turns.length);
      }),
    );
  });
});

describe('times', () => {
  test.each([
    [0, '00:00:00', '000'],
    [59.9994, '00:00:59', '999'],
    [59.9996, '00:01:00', '000'],
    [3599.9999, '01:00:00', '000'],
    [3600, '01:00:00', '000'],
    [3661.001, '01:01:01', '001'],
    [14_400.5, '04:00:00', '500'],
    [360_000, '100:00:00', '000'],
  ])('%d seconds are %s with %s milliseconds', (startSeconds, clock, ms) => {
    const at = turn({ startSeconds, endSeconds: startSeconds + 60 });
    expect(vttOf(at)).toContain(`\n${clock}.${ms} --> `);
    expect(srtOf(at)).toContain(`\n${clock},${ms} --> `);
  });

  test('a cue ends after it starts, whatever the fractions of its times', () => {
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
