import fc from 'fast-check';
import SrtParser from 'srt-parser-2';
import { describe, expect, test } from 'vitest';
import webvtt from 'webvtt-parser';
import entities from 'webvtt-parser/html-entities.json' with { type: 'json' };
import { TranscriptDocument } from '#shared/contracts/transcript-document.ts';
import { type TranscriptFormat, transcriptFormats } from '#shared/contracts/transcription.ts';
import { renderTranscript } from '#shared/domain/render-transcript.ts';
import { hostileTexts, subject, transcript, turn } from '../../support/transcripts.ts';

const turns = [turn(), turn({ speaker: 'Speaker 2', startSeconds: 3, endSeconds: 4, text: 'Hello.' })];

/** The transcript of two speakers of whom the first has this name. */
function named(format: TranscriptFormat, displayName: string): string {
  const plain = transcript(...turns);
  const [first, ...others] = plain.speakers;
  if (!first) throw new Error('There is no speaker.');
  const speakers = [{ ...first, participantId: 'p-1', displayName, source: 'corrected' as const }, ...others];
  return renderTranscript(format, subject, { ...plain, speakers }).body;
}

/** https://www.w3.org/TR/webvtt1/#webvtt-start-tag-annotation-state: a reader makes one space of several, and none at the ends. */
const oneSpace = (name: string) =>
  name
    .split(/[\t\f\r\n ]+/)
    .filter(Boolean)
    .join(' ');
const unescaped = (name: string) => name.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

describe('a transcript keeps its form, and all its turns, for any name of a speaker', () => {
  test('in vtt, whose cues have the name as their voice', () => {
    fc.assert(
      fc.property(hostileTexts, (name) => {
        const { cues, errors } = new webvtt.WebVTTParser(entities).parse(named('vtt', name));
        expect(errors).toEqual([]);
        const voices = cues.map(({ tree }) => oneSpace(unescaped(tree.children[0]?.value ?? '')));
        expect(voices).toEqual([oneSpace(shown(name)), 'Speaker 2']);
      }),
      { numRuns: 500, examples: [['-->  -->'], ['2  -->'], ['\u00a0a\u3000 b']] },
    );
  });

  test('in srt', () => {
    fc.assert(
      fc.property(hostileTexts, (name) => {
        const texts = new SrtParser().fromSrt(named('srt', name)).map(({ text }) => text);
        expect(texts).toHaveLength(2);
        expect(texts[0]).toMatch(/: Good morning\.$/);
        expect(texts[1]).toBe('Speaker 2: Hello.');
      }),
      { numRuns: 500 },
    );
  });

  test('in txt and md', () => {
    fc.assert(
      fc.property(hostileTexts, (name) => {
        expect(named('txt', name)).toBe(`[00:00:00] ${shown(name)}: Good morning.\n[00:00:03] Speaker 2: Hello.\n`);
        expect(named('md', name).split('\n\n')).toHaveLength(4);
      }),
      { numRuns: 500 },
    );
  });

  test('in json, which has the name as it is', () => {
    fc.assert(
      fc.property(hostileTexts, (name) => {
        const document = TranscriptDocument.parse(JSON.parse(named('json', name)));
        expect(document.speakers[0]?.displayName).toBe(name);
      }),
    );
  });

  /** What a reader sees of a name: controls are spaces, nothing turns the direction, and who has no name has the label. */
  function shown(name: string): string {
    const line = name.replace(/[\u202a-\u202e\u2066-\u2069]/g, '').replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
    return /^[\p{C}\p{Z}]*$/u.test(line) ? 'Speaker 1' : line;
  }
});

test.each(transcriptFormats.filter((format) => format !== 'json'))(
  'a name that turns the direction of the text turns nothing in %s',
  (format) => {
    expect(named(format, '\u202eAda\u2067')).toBe(named(format, 'Ada'));
  },
);

test.each(['', ' ', '\u200b', '\u0001'])('the invisible name %j is shown as the label', (name) => {
  for (const format of transcriptFormats.filter((one) => one !== 'json'))
    expect(named(format, name), format).toBe(named(format, 'Speaker 1'));
});
