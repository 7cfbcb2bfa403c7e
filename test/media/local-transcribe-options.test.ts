import { join } from 'node:path';
import {
  CreateVocabularyCommand,
  CreateVocabularyFilterCommand,
  DeleteVocabularyCommand,
  DeleteVocabularyFilterCommand,
  GetVocabularyCommand,
  GetVocabularyFilterCommand,
  type StartTranscriptionJobRequest,
} from '@aws-sdk/client-transcribe';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { speak, speechRate, type Voice } from '#tools/local/meeting/speak.ts';
import { FAILURE_REASONS } from '#tools/local/transcribe/failure.ts';
import { buildWav } from '../support/media/wav.ts';
import {
  type MediaBuckets,
  startMediaBuckets,
  startTranscribeServer,
  type TranscribeServer,
} from '../support/transcriptions/local-transcribe.ts';

const english = { IdentifyLanguage: false, LanguageCode: 'en-US', Settings: {} } as const;
const noVocabulary =
  "The requested vocabulary couldn't be found. Check the vocabulary name and try your request again.";
const noFilter =
  "The requested vocabulary filter couldn't be found. Check the vocabulary filter name and try your request again.";

let buckets: MediaBuckets;
let transcribe: TranscribeServer;
let dataDir: string;

beforeAll(async () => {
  buckets = await startMediaBuckets();
  dataDir = join(buckets.folder, 'main');
  transcribe = await startTranscribeServer(buckets, { dataDir });
  const number = await say('slt', 'My telephone number is five five five, one two three four. Thank you very much.');
  const name = await say('rms', 'John will send the report to the customer this morning.');
  await buckets.putRecording('number.wav', wavOf(number));
  await buckets.putRecording('name.wav', wavOf(name));
  await buckets.putRecording('stereo.wav', wavOf(number, name));
  for (const [VocabularyFilterName, LanguageCode] of [
    ['polite', 'en-US'],
    ['german', 'de-DE'],
  ] as const) {
    const Words = ['thank', 'Telephone'];
    await transcribe.client.send(new CreateVocabularyFilterCommand({ VocabularyFilterName, LanguageCode, Words }));
  }
});

afterAll(async () => {
  await transcribe.stop();
  await buckets.stop();
});

const say = (voice: Voice, text: string): Promise<Int16Array> => speak(voice, text, new AbortController().signal);

/** A WAV file with these samples on its channels, as long as the longest. */
function wavOf(...channels: Int16Array[]): Buffer {
  const length = Math.max(...channels.map((samples) => samples.length));
  const samples = Buffer.alloc(length * channels.length * 2);
  for (let at = 0; at < length; at += 1) {
    for (const [channel, own] of channels.entries())
      samples.writeInt16LE(own[at] ?? 0, (at * channels.length + channel) * 2);
  }
  return buildWav({ samples, channels: channels.length, sampleRate: speechRate });
}

/** Runs a job. Returns it, and the transcript that its key has. */
async function run(name: string, file: string, change: Partial<StartTranscriptionJobRequest>, key = `${name}.json`) {
  await transcribe.start(name, file, change);
  const job = await transcribe.waitFor(name, 'COMPLETED', 'FAILED');
  expect(job.FailureReason).toBeUndefined();
  return { job, document: await buckets.getTranscript(key) };
}

const textOf = ({ results }: Awaited<ReturnType<MediaBuckets['getTranscript']>>) => results.transcripts[0]?.transcript;

test('two voices on the channels of a stereo file are heard apart', async () => {
  const Settings = { ChannelIdentification: true, ShowSpeakerLabels: true, MaxSpeakerLabels: 2 };
  const { job, document } = await run('stereo', 'stereo.wav', { Settings });
  const { results } = document;
  expect(job.Settings).toMatchObject(Settings);
  const said = results.channel_labels?.channels.map(({ items }) =>
    items.map((item) => item.alternatives[0]?.content).join(' '),
  );
  expect(results.channel_labels?.number_of_channels).toBe(2);
  expect(said?.[0]).toMatch(/telephone number is five five five one two three four/);
  expect(said?.[1]).toMatch(/send the report to the customer/);
  const onLeft = results.items.filter((item) => item.channel_label === 'ch_0');
  expect(results.items.slice(0, onLeft.length)).toEqual(onLeft);
  expect(results.items.every((item) => item.speaker_label === 'spk_0')).toBe(true);
  expect(new Set(results.audio_segments.map((segment) => segment.channel_label))).toEqual(new Set(['ch_0', 'ch_1']));
});

test('channel identification of a file with one channel has one channel', async () => {
  const { document } = await run('mono', 'name.wav', { Settings: { ChannelIdentification: true } });
  expect(document.results.channel_labels).toMatchObject({ number_of_channels: 1 });
  expect(document.results.items.every((item) => item.channel_label === 'ch_0')).toBe(true);
});

test.each([
  ['mask', /My \*\*\* number is .* \*\*\* you very much/i],
  ['remove', /My number is .* you very much/i],
  ['tag', /My telephone number is .* thank you very much/i],
] as const)('a vocabulary filter can %s its words', async (method, text) => {
  const Settings = { VocabularyFilterName: 'polite', VocabularyFilterMethod: method };
  const { document } = await run(`filter-${method}`, 'number.wav', { ...english, Settings });
  expect(textOf(document)).toMatch(text);
  const tagged = document.results.items.filter((item) => 'vocabularyFilterMatch' in item);
  const contents = tagged.map((item) => item.alternatives[0]?.content.toLowerCase());
  expect(contents).toEqual(method === 'tag' ? ['telephone', 'thank'] : []);
});

test('an identified language has the filter of its own settings, and none of another language', async () => {
  const withFilter = (name: string): Partial<StartTranscriptionJobRequest> => ({
    LanguageOptions: ['de-DE', 'en-US'],
    LanguageIdSettings: { 'en-US': { VocabularyFilterName: name }, 'de-DE': {} },
    Settings: { VocabularyFilterMethod: 'mask' },
  });
  expect(textOf((await run('identified', 'number.wav', withFilter('polite'))).document)).toContain('***');
  expect(textOf((await run('other-filter', 'number.wav', withFilter('german'))).document)).not.toContain('***');
});

test('a spoken telephone number is redacted, and nothing unredacted is written', async () => {
  const ContentRedaction = { RedactionType: 'PII', RedactionOutput: 'redacted', PiiEntityTypes: ['PHONE'] } as const;
  const change = { ...english, ContentRedaction: { ...ContentRedaction, PiiEntityTypes: ['PHONE' as const] } };
  const key = 'org/redacted-output.json';
  const { job, document } = await run('redacted', 'number.wav', { ...change, OutputKey: 'org/output.json' }, key);
  expect(job.ContentRedaction).toEqual(ContentRedaction);
  expect(job.Transcript).toEqual({ RedactedTranscriptFileUri: `${buckets.s3Url}/transcripts/${key}` });
  expect(document.isRedacted).toBe(true);
  expect(textOf(document)).toMatch(/number is \[PII\]/);
  expect(JSON.stringify(document)).not.toMatch(/five|four/i);
  await expect(buckets.getTranscript('org/output.json')).rejects.toMatchObject({ name: 'NoSuchKey' });
});

test('a name is redacted in one of two files, if both are asked for', async () => {
  const ContentRedaction = { RedactionType: 'PII', RedactionOutput: 'redacted_and_unredacted' } as const;
  const { job, document } = await run('both', 'name.wav', { ...english, ContentRedaction });
  const redacted = await buckets.getTranscript('redacted-both.json');
  expect(Object.keys(job.Transcript ?? {}).sort()).toEqual(['RedactedTranscriptFileUri', 'TranscriptFileUri']);
  expect([document.isRedacted, redacted.isRedacted]).toEqual([false, true]);
  expect(textOf(document)).toMatch(/^John will send/);
  expect(textOf(redacted)).toMatch(/^\[PII\] will send/);
});

test('several languages are identified as English, with the seconds that it was spoken', async () => {
  const change = { IdentifyLanguage: false, IdentifyMultipleLanguages: true };
  const { job, document } = await run('several', 'name.wav', change);
  expect(job.LanguageCode).toBeUndefined();
  expect(job.LanguageCodes).toEqual([{ LanguageCode: 'en-US', DurationInSeconds: expect.any(Number) }]);
  expect(document.results.language_codes).toEqual([
    { language_code: 'en-US', duration_in_seconds: job.LanguageCodes?.[0]?.DurationInSeconds },
  ]);
});

test('the identified language is the English one of the options, and a job without one fails', async () => {
  const { job, document } = await run('british', 'name.wav', { LanguageOptions: ['de-DE', 'en-GB'] });
  expect(job).toMatchObject({ LanguageCode: 'en-GB', IdentifiedLanguageScore: 1 });
  expect(document.results.language_identification).toEqual([{ code: 'en-GB', score: '1.0' }]);
  await transcribe.start('foreign', 'name.wav', { LanguageOptions: ['de-DE', 'fr-FR'] });
  await transcribe.start('german', 'name.wav', { ...english, LanguageCode: 'de-DE' });
  for (const name of ['foreign', 'german']) {
    expect((await transcribe.waitFor(name, 'FAILED')).FailureReason).toBe(FAILURE_REASONS.languageNotLocal);
  }
});

test('a job that names an unknown vocabulary or filter, or one of another language, is refused', async () => {
  const start = (Settings: StartTranscriptionJobRequest['Settings']) =>
    transcribe.start('refused', 'name.wav', { ...english, Settings });
  const method = { VocabularyFilterMethod: 'mask' } as const;
  const refused = { name: 'BadRequestException' };
  await expect(start({ VocabularyName: 'none' })).rejects.toMatchObject({ ...refused, message: noVocabulary });
  const unknown = start({ VocabularyFilterName: 'none', ...method });
  await expect(unknown).rejects.toMatchObject({ ...refused, message: noFilter });
  const german = start({ VocabularyFilterName: 'german', ...method });
  await expect(german).rejects.toMatchObject({ ...refused, message: expect.stringContaining("doesn't match") });
  await expect(transcribe.get('refused')).rejects.toMatchObject({ name: 'NotFoundException' });
});

test('vocabularies and filters are created once, read, kept over a restart, and deleted', async () => {
  const folder = { dataDir: join(buckets.folder, 'restarted') };
  const first = await startTranscribeServer(buckets, folder);
  const vocabulary = { VocabularyName: 'terms', LanguageCode: 'en-US', Phrases: ['Roomscribe'] } as const;
  const filter = { VocabularyFilterName: 'rude', LanguageCode: 'en-US', Words: ['damn'] } as const;
  const create = () => first.client.send(new CreateVocabularyCommand({ ...vocabulary, Phrases: ['Roomscribe'] }));
  expect(await create()).toMatchObject({ VocabularyName: 'terms', LanguageCode: 'en-US', VocabularyState: 'READY' });
  await expect(create()).rejects.toMatchObject({ name: 'ConflictException' });
  await first.client.send(new CreateVocabularyFilterCommand({ ...filter, Words: ['damn'] }));
  await first.stop();

  const { client, stop } = await startTranscribeServer(buckets, folder);
  const getVocabulary = () => client.send(new GetVocabularyCommand({ VocabularyName: 'terms' }));
  const getFilter = () => client.send(new GetVocabularyFilterCommand({ VocabularyFilterName: 'rude' }));
  expect(await getVocabulary()).toMatchObject({ VocabularyState: 'READY', LastModifiedTime: expect.any(Date) });
  expect(await getFilter()).toMatchObject({ VocabularyFilterName: 'rude', LanguageCode: 'en-US' });
  await client.send(new DeleteVocabularyCommand({ VocabularyName: 'terms' }));
  await client.send(new DeleteVocabularyFilterCommand({ VocabularyFilterName: 'rude' }));
  await expect(getVocabulary()).rejects.toMatchObject({ name: 'BadRequestException', message: noVocabulary });
  await expect(getFilter()).rejects.toMatchObject({ name: 'BadRequestException', message: noFilter });
  await stop();
});

test('a vocabulary without phrases of its own is refused: this server reads no files of them', async () => {
  const command = new CreateVocabularyCommand({
    VocabularyName: 'file',
    LanguageCode: 'en-US',
    VocabularyFileUri: 's3://a/b',
  });
  await expect(transcribe.client.send(command)).rejects.toMatchObject({
    name: 'BadRequestException',
    message: 'The local Transcribe server reads no files of entries: add Phrases.',
  });
});

test('a job fails if its filter is deleted before it runs', async () => {
  const server = await startTranscribeServer(buckets, { dataDir: join(buckets.folder, 'deleted'), jobsAtOnce: 1 });
  const filter = { VocabularyFilterName: 'short-lived' };
  await server.client.send(new CreateVocabularyFilterCommand({ ...filter, LanguageCode: 'en-US', Words: ['john'] }));
  await server.start('first', 'stereo.wav');
  const Settings = { ...filter, VocabularyFilterMethod: 'mask' as const };
  await server.start('second', 'name.wav', { ...english, Settings });
  await server.client.send(new DeleteVocabularyFilterCommand(filter));
  expect((await server.waitFor('second', 'FAILED')).FailureReason).toBe(FAILURE_REASONS.filterDeleted);
  await server.stop();
});
