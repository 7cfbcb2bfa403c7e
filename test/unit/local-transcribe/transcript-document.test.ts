import { expect, test } from 'vitest';
import { parseContinuousOutput, parseJsonOutput } from '#tools/local/transcribe/transcript/pocketsphinx-output.ts';
import { buildTranscriptDocument } from '#tools/local/transcribe/transcript/transcript-document.ts';

const CONTINUOUS = `today i will talk
<s> 0.000 0.090 0.998401
[SPEECH] 0.100 0.190 0.606799
today 0.200 0.420 0.578820
i 0.430 0.500 1.000100
<sil> 0.510 0.600 0.9
will(2) 0.610 0.790 0.998701
talk 0.800 0.990 0.900000
</s> 1.000 1.100 1.000000

<s> 2.000 2.100 1.000000
++NOISE++ 2.100 2.200 0.500000
thank you
thank 4.000 4.190 0.230946
you 4.200 4.990 1.000000
`;

const JSON_LINES = `{"b":0,"d":1.1,"p":0,"t":"good will","w":[{"b":0.000,"d":0.210,"p":0.999,"t":"<s>"},{"b":0.210,"d":0.220,"p":0.805,"t":"good"},{"b":0.5,"d":0.25,"p":1,"t":"will(2)"}]}
{"b":2,"d":1,"p":0,"t":"","w":[{"b":2,"d":1,"p":1,"t":"<sil>"}]}
`;

const facts = { jobName: 'job-1', accountId: '000000000000', showSpeakerLabels: true, identifiedLanguage: 'en-US' };

test('parseContinuousOutput drops silence, noise, variant marks and utterances without words', () => {
  const utterances = parseContinuousOutput(CONTINUOUS);
  expect(utterances.map((utterance) => utterance.map((word) => word.text))).toEqual([
    ['today', 'i', 'will', 'talk'],
    ['thank', 'you'],
  ]);
  expect(utterances[0]?.[1]).toEqual({ text: 'i', startSeconds: 0.43, endSeconds: 0.51, confidence: 1 });
});

test('parseJsonOutput reads the output of pocketsphinx 5', () => {
  expect(parseJsonOutput(JSON_LINES)).toEqual([
    [
      { text: 'good', startSeconds: 0.21, endSeconds: 0.43, confidence: 0.805 },
      { text: 'will', startSeconds: 0.5, endSeconds: 0.75, confidence: 1 },
    ],
  ]);
});

test('empty output has no utterances', () => {
  expect(parseContinuousOutput('')).toEqual([]);
  expect(parseJsonOutput('\n')).toEqual([]);
});

test('the document has the structure of Amazon Transcribe', () => {
  const { results, ...job } = buildTranscriptDocument([parseContinuousOutput(CONTINUOUS)], facts);
  expect(job).toEqual({ jobName: 'job-1', accountId: '000000000000', status: 'COMPLETED' });
  expect(results.language_code).toBe('en-US');
  expect(results.transcripts).toEqual([{ transcript: 'Today I will talk. Thank you.' }]);
  expect(results.items.map((item) => item.id)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(results.items[0]).toEqual({
    id: 0,
    type: 'pronunciation',
    alternatives: [{ confidence: '0.579', content: 'Today' }],
    start_time: '0.2',
    end_time: '0.43',
    speaker_label: 'spk_0',
  });
  expect(results.items[7]).toEqual({
    id: 7,
    type: 'punctuation',
    alternatives: [{ confidence: '0.0', content: '.' }],
    speaker_label: 'spk_0',
  });
  expect(results.audio_segments[1]).toEqual({
    id: 1,
    transcript: 'Thank you.',
    start_time: '4.0',
    end_time: '5.0',
    speaker_label: 'spk_0',
    items: [5, 6, 7],
  });
  expect(results.speaker_labels).toMatchObject({
    channel_label: 'ch_0',
    speakers: 1,
    segments: [
      { start_time: '0.2', end_time: '1.0', speaker_label: 'spk_0' },
      {
        start_time: '4.0',
        end_time: '5.0',
        speaker_label: 'spk_0',
        items: [
          { start_time: '4.0', end_time: '4.2', speaker_label: 'spk_0' },
          { start_time: '4.2', end_time: '5.0', speaker_label: 'spk_0' },
        ],
      },
    ],
  });
});

test('the document has speakers and a language only if they were requested', () => {
  const { results } = buildTranscriptDocument([parseContinuousOutput(CONTINUOUS)], {
    jobName: 'job-1',
    accountId: '000000000000',
    showSpeakerLabels: false,
  });
  expect(JSON.stringify(results)).not.toMatch(/speaker_label|language/);
});
