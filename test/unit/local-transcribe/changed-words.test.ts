import { expect, test } from 'vitest';
import { filterWords } from '#tools/local/transcribe/transcript/filter-words.ts';
import { redact } from '#tools/local/transcribe/transcript/redact.ts';
import { buildTranscriptDocument } from '#tools/local/transcribe/transcript/transcript-document.ts';

/** Words of half a second, one after the other. */
const say = (text: string, from = 0) =>
  text.split(' ').map((word, index) => ({
    text: word,
    startSeconds: from + index / 2,
    endSeconds: from + (index + 1) / 2,
    confidence: 0.9,
  }));

const facts = { jobName: 'job-1', accountId: '000000000000', showSpeakerLabels: false };
const write = (speech: Parameters<typeof buildTranscriptDocument>[0], more = {}) =>
  buildTranscriptDocument(speech, { ...facts, ...more }).results;

const damn = new Set(['damn']);

test('a mask replaces the exact words, whatever their case', () => {
  const { transcripts, items } = write(filterWords([[say('well damn this damned DAMN dog')]], damn, 'mask'));
  expect(transcripts).toEqual([{ transcript: 'Well *** this damned *** dog.' }]);
  expect(items[1]).toMatchObject({ start_time: '0.5', alternatives: [{ content: '***' }] });
});

test('a removal leaves nothing of the words, and no empty utterance', () => {
  const { transcripts, items, audio_segments } = write(
    filterWords([[say('damn good'), say('damn', 5)]], damn, 'remove'),
  );
  expect(transcripts).toEqual([{ transcript: 'Good.' }]);
  expect(items).toHaveLength(2);
  expect(audio_segments).toHaveLength(1);
});

test('a tag keeps the words and marks their items', () => {
  const { transcripts, items } = write(filterWords([[say('a damn shame')]], damn, 'tag'));
  expect(transcripts).toEqual([{ transcript: 'A damn shame.' }]);
  expect(items.map((item) => 'vocabularyFilterMatch' in item)).toEqual([false, true, false, false]);
  expect(items[1]).toMatchObject({ vocabularyFilterMatch: true });
});

test('redaction replaces all words of a number by one item that tells the type', () => {
  const redacted = redact([[say('call five five five one two three four today')]], {
    RedactionType: 'PII',
    RedactionOutput: 'redacted',
  });
  const { transcripts, items } = write(redacted);
  expect(transcripts).toEqual([{ transcript: 'Call [PII] today.' }]);
  expect(items[1]).toEqual({
    id: 1,
    type: 'pronunciation',
    start_time: '0.5',
    end_time: '4.0',
    alternatives: [{ content: '[PII]', redactions: [{ confidence: '1.0', type: 'PHONE', category: 'PII' }] }],
  });
  expect(JSON.stringify(items)).not.toMatch(/five|seven/);
});

test('the items of the channels follow each other, each with its channel, also in the section on channels', () => {
  const results = write([[say('first one', 0)], [say('second one', 0.2)]], {
    showChannelLabels: true,
    showSpeakerLabels: true,
  });
  expect(results.transcripts).toEqual([{ transcript: 'First one. Second one.' }]);
  expect(results.items.map(({ id, channel_label, speaker_label }) => [id, channel_label, speaker_label])).toEqual([
    ...[0, 1, 2].map((id) => [id, 'ch_0', 'spk_0']),
    ...[3, 4, 5].map((id) => [id, 'ch_1', 'spk_0']),
  ]);
  expect(results.channel_labels).toMatchObject({ number_of_channels: 2, channels: [{ channel_label: 'ch_0' }, {}] });
  expect(results.channel_labels?.channels[1]).toEqual({
    channel_label: 'ch_1',
    items: results.items.slice(3).map(({ id: _id, ...item }) => item),
  });
  expect(results.audio_segments.map((segment) => segment.channel_label)).toEqual(['ch_0', 'ch_1']);
  expect(results.speaker_labels?.segments.map((segment) => segment.channel_label)).toEqual(['ch_0', 'ch_1']);
});

test('several languages are listed with their seconds, and each item has its language', () => {
  const results = write([[say('good morning')]], { identifiedLanguages: 'en-US' });
  expect(results.language_codes).toEqual([{ language_code: 'en-US', duration_in_seconds: 1 }]);
  expect(results.items.every((item) => item.language_code === 'en-US')).toBe(true);
  expect(results.language_code).toBeUndefined();
});
