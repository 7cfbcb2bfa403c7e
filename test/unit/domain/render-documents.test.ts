import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transcriptFormats } from '#shared/contracts/transcription.ts';
import { renderTranscript } from '#shared/domain/render-transcript.ts';
import type { Transcript } from '#shared/domain/transcript.ts';
import { hostileTexts, hostileTurns, subject, transcript, turn } from '../../support/transcripts.ts';

const lineBreaks = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const second = turn({ speaker: 'Speaker 2', startSeconds: 3661.9, endSeconds: 3663, text: 'Over an hour later.' });
const bodyOf = (format: (typeof transcriptFormats)[number], of: Transcript, about = subject) =>
  renderTranscript(format, about, of).body;

/** Markdown as CommonMark reads it where every special character is escaped: backslashes go, all else is text. */
const withoutEscapes = (markdown: string) => markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1');
/** What is left of Markdown's own characters once the escaped ones are gone. */
const markupOf = (markdown: string) => markdown.replace(/\\[!-/:-@[-`{-~]/g, '').replace(/[^\\`*_{}[\]<>#|~&]/g, '');

describe('md', () => {
  test('opens with room, date, duration and language, and has a paragraph for each turn', () => {
    expect(bodyOf('md', transcript(turn(), second), { ...subject, durationInSeconds: 3725 })).toBe(
      [
        '# Transcript of /daily',
        '',
        '- Room: /daily',
        '- Date: 2026-03-01T09:00:00.000Z',
        '- Duration: 01:02:05',
        '- Language: en-US',
        '',
        '**Speaker 1** [00:00:00] Good morning.',
        '',
        '**Speaker 2** [01:01:01] Over an hour later.',
        '',
      ].join('\n'),
    );
  });

  test('says so where the language is not known', () => {
    expect(bodyOf('md', { languageCode: null, turns: [] })).toContain('- Language: unknown\n');
  });

  test('has a paragraph for each turn and no markup but its own, whatever is said', () => {
    fc.assert(
      fc.property(hostileTurns, hostileTexts, (turns, roomName) => {
        const about = { ...subject, roomName: `/${roomName}` };
        const [title, head, ...paragraphs] = bodyOf('md', transcript(...turns), about)
          .slice(0, -1)
          .split('\n\n');
        expect(markupOf(title ?? '')).toBe('#');
        expect((head ?? '').split(lineBreaks)).toHaveLength(4);
        expect(markupOf(head ?? '')).toBe('');
        expect(paragraphs).toHaveLength(turns.length);
        for (const paragraph of paragraphs) {
          expect(markupOf(paragraph)).toBe('****[]');
          expect(paragraph.split(lineBreaks)).toHaveLength(1);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('is read back to the words that were said', () => {
    fc.assert(
      fc.property(hostileTexts, (text) => {
        const spoken = text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
        const paragraph =
          bodyOf('md', transcript(turn({ text })))
            .slice(0, -1)
            .split('\n\n')[2] ?? '';
        expect(withoutEscapes(paragraph)).toBe(`**Speaker 1** [00:00:00] ${spoken}`);
      }),
    );
  });

  test('keeps the language that an engine names from being markup', () => {
    const body = bodyOf('md', { languageCode: 'en\n\n# <b>x</b>', turns: [] });
    expect(body.split('\n\n')).toHaveLength(2);
    expect(body).not.toContain('<b>');
  });
});

describe('txt', () => {
  test('is a line for each turn', () => {
    expect(bodyOf('txt', transcript(turn(), second))).toBe(
      '[00:00:00] Speaker 1: Good morning.\n[01:01:01] Speaker 2: Over an hour later.\n',
    );
  });

  test('is a line for each turn and no more, whatever is said', () => {
    fc.assert(
      fc.property(hostileTurns, (turns) => {
        const lines = bodyOf('txt', transcript(...turns)).split(lineBreaks);
        expect(lines).toHaveLength(turns.length + 1);
        for (const [index, { speaker }] of turns.entries())
          expect(lines[index]).toMatch(new RegExp(`^\\[\\d\\d+:\\d\\d:\\d\\d\\] ${speaker}: `));
      }),
    );
  });
});

describe('json', () => {
  test('is read back to the same record', () => {
    fc.assert(
      fc.property(hostileTurns, hostileTexts, (turns, roomName) => {
        const about = { ...subject, roomName: `/${roomName}` };
        const { transcriptionId, roomSessionId, startDate, endDate, durationInSeconds } = about;
        expect(JSON.parse(bodyOf('json', transcript(...turns), about))).toStrictEqual({
          transcriptionId,
          roomName: about.roomName,
          roomSessionId,
          startDate,
          endDate,
          durationInSeconds,
          languageCode: 'en-US',
          turns,
        });
      }),
    );
  });

  test('shows nothing that is only for the service', () => {
    expect(bodyOf('json', transcript(turn()))).not.toMatch(/acme|recordings|organization|location/);
  });
});

test.each([
  ['md', 'text/markdown; charset=utf-8'],
  ['txt', 'text/plain; charset=utf-8'],
  ['vtt', 'text/vtt; charset=utf-8'],
  ['srt', 'application/x-subrip; charset=utf-8'],
  ['json', 'application/json'],
] as const)('%s is served as %s', (format, contentType) => {
  expect(renderTranscript(format, subject, transcript()).contentType).toBe(contentType);
});

test('every format carries the same speakers in the same order', () => {
  for (const format of transcriptFormats) {
    const speakers = bodyOf(format, transcript(turn(), second, turn({ startSeconds: 3670, endSeconds: 3671 })))
      .match(/Speaker \d/g)
      ?.join();
    expect(speakers, format).toBe('Speaker 1,Speaker 2,Speaker 1');
  }
});
