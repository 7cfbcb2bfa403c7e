import fc from 'fast-check';
import SrtParser from 'srt-parser-2';
import { describe, expect, test } from 'vitest';
import webvtt from 'webvtt-parser';
import entities from 'webvtt-parser/html-entities.json' with { type: 'json' };
import { TranscriptDocument } from '#shared/contracts/transcriptions/transcript-document.ts';
import { type TranscriptFormat, transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import type { Voice } from '#shared/domain/transcript/speakers.ts';
import { renderTranscript } from '#shared/domain/transcriptions/render-transcript.ts';
import { hostileTexts, subject, transcript, turn } from '../../../support/transcriptions/transcripts.ts';

const turns = [turn(), turn({ speaker: 'Speaker 2', startSeconds: 3, endSeconds: 4, text: 'Hello.' })];

/** A transcript in which each of these participants speaks once. Who has no name is not known. */
function named(format: TranscriptFormat, ...names: (string | null)[]): string {
  const plain = transcript(...turns.slice(0, names.length));
  const speakers = plain.speakers.map((voice, index): Voice => {
    const displayName = names[index] ?? null;
    if (displayName === null) return voice;
    return { ...voice, participantId: `p-${index}`, displayName, source: 'track', confidence: 1, input: 'microphone' };
  });
  return renderTranscript(format, subject, { ...plain, speakers }).body;
}

/** The names of the speakers, as a reader of the format sees them. */
const namesIn: Readonly<Record<TranscriptFormat, (body: string) => (string | undefined)[]>> = {
  md: (body) => [...body.matchAll(/^\*\*(.*)\*\* \[/gm)].map(([, name = '']) => name.replace(/\\(.)/g, '$1')),
  txt: (body) => [...body.matchAll(/^\[[\d:]+\] (.*): /gm)].map(([, name]) => name),
  vtt: (body) => {
    const { cues, errors } = new webvtt.WebVTTParser(entities).parse(body);
    expect(errors).toEqual([]);
    return cues.map(({ tree }) => tree.children[0]?.value?.trim());
  },
  srt: (body) => new SrtParser().fromSrt(body).map(({ text }) => text.slice(0, text.lastIndexOf(': '))),
  json: (body) => TranscriptDocument.parse(JSON.parse(body)).speakers.map(({ displayName }) => displayName),
};

describe.each(transcriptFormats)('in %s', (format) => {
  test.each([
    ['a control of direction', 'Ada', 'Ada\u202c'],
    ['a space without a width', 'Ada', 'A\u200bda'],
    ['a soft hyphen', 'Ada', 'A\u00adda'],
    ['a control character', 'Ada', 'Ada\u0007'],
    ['the composition of letters', 'Zoe\u0308', 'Zo\u00eb'],
    ['a no-break space', 'Ada L', 'Ada\u00a0L'],
    ['doubled spaces', 'Ada L', ' Ada  L '],
    ['a blank letter', 'Ada', 'Ada\u3164'],
    ['a blank of Braille', 'Ada L', 'Ada\u2800L'],
    ['letter case', 'Ada', 'ada'],
    ['the width of letters', 'Ada', 'Ａda'],
    ['a joiner', 'علي', 'علي\u200d'],
  ])('two participants whose names differ by %s have names that can be told apart', (_what, one, other) => {
    const [first, second = ''] = namesIn[format](named(format, one, other));
    expect(second).toBe(`${second.slice(0, -4)} (2)`);
    expect(first).not.toMatch(/\(2\)$/);
    expect(`${first} ${second}`).not.toMatch(/\p{Cc}|\p{Default_Ignorable_Code_Point}|\u00a0|\u2800| {2}/u);
  });

  test('a participant who is called like the label of an unnamed speaker gets a number', () => {
    expect(namesIn[format](named(format, 'Speaker\u00a02', null))).toEqual(['Speaker 2 (2)', 'Speaker 2']);
    expect(namesIn[format](named(format, null, 'speaker 1'))).toEqual(['Speaker 1', 'speaker 1 (2)']);
  });

  test('a number makes no name that somebody else has', () => {
    expect(namesIn[format](named(format, 'Ada', 'Ada'))).toEqual(['Ada', 'Ada (2)']);
    expect(namesIn[format](named(format, 'Speaker 2 (2)', 'Speaker 1'))).toEqual(['Speaker 2 (2)', 'Speaker 1 (2)']);
  });

  test('a name that turns the direction of the text turns nothing', () => {
    expect(named(format, '\u202eAda\u2067', null)).toBe(named(format, 'Ada', null));
  });

  test.each([
    ...[
      '',
      ' ',
      '\u200b',
      '\u0001',
      '\u3164',
      '\u115f',
      '\u1160',
      '\u2800',
      '\uffa0',
      '\u034f',
      '\u0301',
      '\ufe0f',
      '\u{e0041}',
    ],
  ])('the invisible name %j is shown as the label', (name) => {
    expect(namesIn[format](named(format, name, null))).toEqual(['Speaker 1', 'Speaker 2']);
  });

  test('any two names stay names of two people, in a file of two turns', () => {
    fc.assert(
      fc.property(hostileTexts, hostileTexts, (one, other) => {
        const names = namesIn[format](named(format, one, other));
        expect(names).toHaveLength(2);
        expect(names[0]?.toLowerCase()).not.toBe(names[1]?.toLowerCase());
      }),
      {
        numRuns: 300,
        examples: [
          ['-->  -->', '2  -->'],
          ['---', 'Ada --'],
        ],
      },
    );
  });
});

test('words that look like an address are text that nobody has to unescape in txt and json', () => {
  const text = 'Write to a@example.com or see https://www.example.com/.';
  for (const format of ['txt', 'json'] as const)
    expect(renderTranscript(format, subject, transcript(turn({ text }))).body).toContain(text);
});
