import { describe, expect, test } from 'vitest';
import { CorrectSpeaker } from '#shared/contracts/transcript/speaker.ts';
import { SpeakerPath } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { uuid } from '../../../support/operations/records.ts';

describe('a name of a correction', () => {
  test.each(['Ada', '  Ada  ', 'R&D <b>', 'Speaker 2', 'نور', 'Ada 👩\u200d💻', '😀'.repeat(256)])(
    'can be %j',
    (displayName) => {
      expect(CorrectSpeaker.parse({ displayName })).toEqual({ displayName: displayName.trim() });
    },
  );

  test.each([
    ['a lone surrogate', 'A\ud800da'],
    ['a line separator', 'Ada\u2028Bo'],
    ['a paragraph separator', 'Ada\u2029Bo'],
    ['a character that turns the direction of the text after it', '\u202eAda'],
    ['an isolate that nothing ends', 'Ada\u2067'],
    ['only spaces', ' \u00a0 '],
    ['257 characters', '😀'.repeat(257)],
  ])('cannot have %s', (_what, displayName) => {
    expect(CorrectSpeaker.safeParse({ displayName }).success).toBe(false);
  });
});

test.each([
  '\u200b\u00ad',
  '\u3164',
  '\u115f',
  '\u1160',
  '\u2800',
  '\uffa0',
  '\u034f',
  '\u180e',
  '\ufe0f',
  '\u{e0041}',
  '\u0301',
])('a name of a correction that shows nothing (%j) is refused with the reason', (displayName) => {
  const { error } = CorrectSpeaker.safeParse({ displayName });
  expect(error?.issues.map(({ message }) => message)).toEqual(['must have a visible character']);
});

test.each(['\u094d\u200d', '\u0301\u0323'])('a name of a body full of %j is refused by its length alone', (part) => {
  const { error } = CorrectSpeaker.safeParse({ displayName: part.repeat(30_000) });
  expect(error?.issues.map(({ message }) => message)).toEqual(['must have at most 256 characters']);
});

test('a speaker in a path that is too long is refused with the limit', () => {
  const { error } = SpeakerPath.safeParse({ transcriptionId: uuid(1), speaker: 'x'.repeat(65) });
  expect(error?.issues.map(({ message }) => message)).toEqual(['must have at most 64 characters']);
});
