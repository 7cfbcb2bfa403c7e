import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import { speakersOf, unnamedSpeakers } from '#shared/domain/transcript/speakers.ts';
import type { Transcript } from '#shared/domain/transcript/transcript.ts';
import { renderTranscript } from '#shared/domain/transcriptions/render-transcript.ts';
import { hostileTexts, hostileTurns, subject, transcript, turn } from '../../../support/transcriptions/transcripts.ts';

const lineBreaks = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const second = turn({ speaker: 'Speaker 2', startSeconds: 3661.9, endSeconds: 3663, text: 'Over an hour later.' });
const bodyOf = (format: (typeof transcriptFormats)[number], of: Transcript, about = subject) =>
  renderTranscript(format, about, of).body;

describe('an md file', () => {
  test('starts with room, date, duration and language, and has a paragraph for each turn', () => {
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

  test('says that the language is unknown', () => {
    expect(bodyOf('md', { ...transcript(), languageCode: null })).toContain('- Language: unknown\n');
  });

  test('escapes the language name that an engine returns', () => {
    const body = bodyOf('md', { ...transcript(), languageCode: 'en\n\n# <b>x</b>' });
    expect(body.split('\n\n')).toHaveLength(2);
    expect(body).not.toContain('<b>');
  });
});

describe('a txt file', () => {
  test('has a line for each turn', () => {
    expect(bodyOf('txt', transcript(turn(), second))).toBe(
      '[00:00:00] Speaker 1: Good morning.\n[01:01:01] Speaker 2: Over an hour later.\n',
    );
  });

  test('has exactly one line per turn for any text', () => {
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

describe('a json file', () => {
  test('parses to the same data', () => {
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
          speakers: speakersOf(unnamedSpeakers(turns), turns),
          turns,
        });
      }),
    );
  });

  test('has no internal fields', () => {
    expect(bodyOf('json', transcript(turn()))).not.toMatch(/acme|recordings|organization|location/);
  });
});

test.each([
  ['md', 'text/markdown; charset=utf-8'],
  ['txt', 'text/plain; charset=utf-8'],
  ['vtt', 'text/vtt; charset=utf-8'],
  ['srt', 'application/x-subrip; charset=utf-8'],
  ['json', 'application/json'],
] as const)('the content type of %s is %s', (format, contentType) => {
  expect(renderTranscript(format, subject, transcript()).contentType).toBe(contentType);
});

test('every format has the same speakers in the same order', () => {
  for (const format of transcriptFormats) {
    const body = bodyOf(format, transcript(turn(), second, turn({ startSeconds: 3670, endSeconds: 3671 })));
    const ofTurns = format === 'json' ? JSON.stringify(JSON.parse(body).turns) : body;
    expect(ofTurns.match(/Speaker \d/g)?.join(), format).toBe('Speaker 1,Speaker 2,Speaker 1');
  }
});
