import { expect, it } from 'vitest';
import { transcriptionDetails } from '#client/cli/commands/transcriptions/show.ts';
import { toTranscription } from '#shared/domain/transcriptions/transcription.ts';
import { transcriptionRecord } from '../../../support/operations/records.ts';

const detailsOf = (facts: Parameters<typeof transcriptionRecord>[0]) =>
  transcriptionDetails(toTranscription(transcriptionRecord({ state: 'ready', ...facts })));

it('the details of a transcription say what its transcript lacks', () => {
  const text = detailsOf({
    recordedSeconds: 1800.4,
    submittedSeconds: 650,
    approximateTimes: true,
    missing: [
      { participantId: 'p-\u001b[2J17', from: 600.9, to: 719.2, code: 'media_unreadable' },
      { participantId: 'p-18', source: 'screen', from: 600, to: 660, code: 'engine_error' },
      { participantId: null, from: 3600, to: 3660, code: 'engine_error' },
    ],
  });
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Recorded +30:00$/),
      expect.stringMatching(/^Submitted +10:50$/),
      expect.stringMatching(/^Missing +10:00 to 12:00 of p-.*17: media_unreadable$/),
      expect.stringMatching(/^Missing +10:00 to 11:00 of p-18 \(screen\): engine_error$/),
      expect.stringMatching(/^Missing +1:00:00 to 1:01:00: engine_error$/),
      expect.stringMatching(/^Times +approximate, because a file has holes or a date is wrong$/),
    ]),
  );
  expect(text).not.toContain('\u001b');
});

it('the details of a transcription have no lines for what is not known', () => {
  expect(detailsOf({})).not.toMatch(/^(Recorded|Submitted|Missing|Times|Language|Speakers|Options)/m);
});

it('the details of a transcription say its language, who speaks, and the options that took effect', () => {
  const stored = toTranscription(transcriptionRecord({ state: 'ready' }));
  const figures = { spokenSeconds: 1, turns: 1, share: 0.5, longestTurnSeconds: 1, overlapSeconds: 0 };
  const speakers = ['Ada', 'Ben\u001b[2J'].map((displayName, index) => ({
    ...{ speaker: `Speaker ${index + 1}`, participantId: null, displayName, ...figures },
    ...({ source: 'corrected', confidence: 1 } as const),
  }));
  const text = transcriptionDetails({
    ...stored,
    language: 'en-US',
    speakers,
    options: {
      language: ['de-DE', 'en-US'],
      multiLanguage: true,
      vocabularyFilter: { name: 'rude', method: 'mask' },
      redact: { types: ['NAME', 'PHONE'] },
      channels: ['p-17', 'p-18'],
      tracks: false,
    },
  });
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^Language +en-US$/),
      expect.stringMatching(/^Speakers +Ada, Ben/),
      expect.stringMatching(
        /^Options +language=de-DE,en-US multiLanguage=true tracks=false vocabularyFilter=rude:mask redact=NAME,PHONE channels=p-17,p-18$/,
      ),
    ]),
  );
  expect(text).not.toContain('\u001b');
  expect(transcriptionDetails({ ...stored, language: null })).toMatch(/^Language +-$/m);
  const languages = ['hi-IN', 'en-US'];
  expect(transcriptionDetails({ ...stored, language: 'hi-IN', languages })).toMatch(/^Language +hi-IN, en-US$/m);
});
