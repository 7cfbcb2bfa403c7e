import { expect, test } from 'vitest';
import { transcriptionOptionsOf } from '#client/cli/commands/transcriptions/transcription-options.ts';

test('without options, the request has none', () => {
  expect(transcriptionOptionsOf({})).toBeUndefined();
});

test('options become those of the API', () => {
  const flags = {
    ...{ language: 'en-US,de-DE', vocabulary: 'names', vocabularyFilter: 'rude-words:mask' },
    ...{ redact: 'NAME,PHONE', maxSpeakers: '4', channels: 'p-1,p-2' },
  };
  expect(transcriptionOptionsOf({ ...flags, multiLanguage: true, tracks: false })).toEqual({
    language: ['en-US', 'de-DE'],
    multiLanguage: true,
    vocabulary: 'names',
    vocabularyFilter: { name: 'rude-words', method: 'mask' },
    redact: { types: ['NAME', 'PHONE'] },
    maxSpeakers: 4,
    channels: ['p-1', 'p-2'],
    tracks: false,
  });
  expect(transcriptionOptionsOf({ language: 'auto' })).toEqual({ language: 'auto' });
});

test.each([
  [{ vocabularyFilter: 'rude-words' }, '--vocabulary-filter must be NAME:METHOD'],
  [{ maxSpeakers: 'many' }, '--max-speakers must be a whole number'],
])('%j is refused before a request', (flags, problem) => {
  expect(() => transcriptionOptionsOf(flags)).toThrow(problem);
});
