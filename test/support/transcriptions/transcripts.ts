import fc from 'fast-check';
import type { Turn } from '#shared/contracts/transcriptions/transcript-document.ts';
import { unnamedSpeakers } from '#shared/domain/transcript/speakers.ts';
import type { Spoken, SpokenItem, Transcript } from '#shared/domain/transcript/transcript.ts';
import { transcriptionRecord } from '../operations/records.ts';

/** A turn of two seconds at the start of the recording. Its text is one word. */
export function turn(facts: Partial<Turn> = {}): Turn {
  const one = { speaker: 'Speaker 1', startSeconds: 0, endSeconds: 2, text: 'Good morning.', ...facts };
  const { text, startSeconds, endSeconds } = one;
  return { ...one, words: facts.words ?? [{ text, startSeconds, endSeconds, confidence: 0.9 }] };
}

/** An English transcript of the given turns. */
export function transcript(...turns: readonly Turn[]): Transcript {
  return { languageCode: 'en-US', turns, speakers: unnamedSpeakers(turns) };
}

/** English words of one speaker, half a second each, from a time on. A text that is no word is punctuation. */
export function spoken(text = 'Good morning .', from = 0): Spoken {
  let at = from;
  const items = text.split(' ').map((word): SpokenItem => {
    const times = { speaker: 'Speaker 1', startSeconds: at, endSeconds: at };
    if (/^\W$/.test(word)) return { kind: 'punctuation', text: word, ...times };
    at += 0.5;
    return { kind: 'word', text: word, ...times, endSeconds: at - 0.1, confidence: 0.9 };
  });
  return { languageCode: 'en-US', items };
}

/** What an engine writes for a file in which nobody speaks. */
export const silence: Spoken = { languageCode: 'en-US', items: [] };

/** The facts in the header of a transcript: a room and ten minutes. */
export const subject = { ...transcriptionRecord({ state: 'ready' }), durationInSeconds: 600 };

/** Texts that break a subtitle, a page or a document if they are read as markup. */
const hostilePieces = [
  '-->',
  '00:00:01.000 --> 00:00:02.000',
  '00:00:01,000 --> 00:00:02,000',
  '\n',
  '\r\n',
  '\n\n2\n',
  '\r',
  '\u2028',
  '\u2029',
  '\u0085',
  '\0',
  '\u001b[31m',
  '\t',
  '<v Eve>',
  '</v>',
  '<b>',
  '<script>alert(1)</script>',
  '&lt;',
  '&amp;',
  '&',
  '<',
  '>',
  'WEBVTT',
  'NOTE x',
  'STYLE',
  '# heading',
  '**bold**',
  '[link](javascript:alert(1))',
  '![x](y)',
  '`code`',
  '```',
  '| a |',
  '~~x~~',
  '\\',
  '__proto__',
  'constructor',
  '{\\an8}',
  '<font color="red">',
  '\\N',
  '\\hx',
  '&nbsp;',
  '&#60;',
  'https://example.com/a?b',
  'ftp://localhost',
  '//localhost/x',
  'www.example.com',
  'Www.3.x',
  'example.com',
  '.com',
  '1.2.3.4',
  'a.b@example.com',
  'mailto:a@example.com',
  '@octocat',
  '$x$',
  '[^1]',
  '- [ ] x',
  '1. ',
  '---',
  '\u200b',
  '\u3164',
  'e\u0301',
  '1',
  ' ',
  '\ufeff',
  '\u202e',
  '😀',
  '\ud800',
  'word',
];

/** Arbitrary speech, with times in whole milliseconds as in subtitles. */
export const hostileTexts = fc.oneof(
  fc.array(fc.constantFrom(...hostilePieces), { maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary' }),
);

/** Consecutive turns with arbitrary text, up to eighty hours into the recording. */
export const hostileTurns = fc
  .array(
    fc.record({
      text: hostileTexts,
      number: fc.integer({ min: 1, max: 30 }),
      gapMs: fc.oneof(fc.constant(0), fc.nat(5_000), fc.nat(36_000_000)),
      lengthMs: fc.integer({ min: 1, max: 60_000 }),
    }),
    { maxLength: 8 },
  )
  .map((parts) => {
    let ms = 0;
    return parts.map(({ text, number, gapMs, lengthMs }): Turn => {
      const startMs = ms + gapMs;
      ms = startMs + lengthMs;
      return turn({ speaker: `Speaker ${number}`, startSeconds: startMs / 1000, endSeconds: ms / 1000, text });
    });
  });
