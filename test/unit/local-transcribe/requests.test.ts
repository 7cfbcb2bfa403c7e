import { expect, test } from 'vitest';
import { detectFormat, settleFormat } from '#tools/local/transcribe/media/media-format.ts';
import { parseMediaUri } from '#tools/local/transcribe/media/media-store.ts';
import { parseStartRequest } from '#tools/local/transcribe/requests.ts';

const valid = {
  TranscriptionJobName: 'job-1',
  IdentifyLanguage: true,
  Media: { MediaFileUri: 's3://recordings/room/one.wav' },
  OutputBucketName: 'transcripts',
};

const english = { IdentifyLanguage: undefined, LanguageCode: 'en-US' };
const twoLanguages = { LanguageOptions: ['en-US', 'de-DE'] };
const sixLanguages = { 'en-US': {}, 'de-DE': {}, 'fr-FR': {}, 'it-IT': {}, 'es-US': {}, 'pt-PT': {} };
const redacted = { RedactionType: 'PII', RedactionOutput: 'redacted' };

test.each([
  [
    { TranscriptionJobName: undefined },
    "Value null at 'transcriptionJobName' failed to satisfy constraint: Member must not be null",
  ],
  [
    { TranscriptionJobName: 'a b' },
    "Value 'a b' at 'transcriptionJobName' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[0-9a-zA-Z._-]+$",
  ],
  [{ TranscriptionJobName: 'a'.repeat(201) }, 'Member must have length less than or equal to 200'],
  [{ TranscriptionJobName: '..' }, 'transcriptionJobName'],
  [{ Media: undefined }, "Value null at 'media' failed to satisfy constraint: Member must not be null"],
  [{ Media: {} }, "at 'media.mediaFileUri'"],
  [{ Media: { MediaFileUri: 'file:///etc/passwd' } }, 'Member must satisfy regular expression pattern'],
  [
    { LanguageCode: 'xx-XX', IdentifyLanguage: undefined },
    "Value 'xx-XX' at 'languageCode' failed to satisfy constraint: Member must satisfy enum value set: [",
  ],
  [
    { IdentifyLanguage: undefined },
    'The language code is missing. Either add a language code or turn on language identification.',
  ],
  [{ LanguageCode: 'en-US' }, 'language identification'],
  [{ MediaFormat: 'avi' }, "Value 'avi' at 'mediaFormat'"],
  [{ Settings: { ShowSpeakerLabels: true } }, 'MaxSpeakerLabels is missing'],
  [{ Settings: { MaxSpeakerLabels: 2 } }, 'MaxSpeakerLabels needs ShowSpeakerLabels'],
  [
    { Settings: { ShowSpeakerLabels: true, MaxSpeakerLabels: 1 } },
    "Value '1' at 'settings.maxSpeakerLabels' failed to satisfy constraint: Member must have value greater than or equal to 2",
  ],
  [{ OutputBucketName: undefined }, 'OutputBucketName'],
  [{ IdentifyMultipleLanguages: true }, 'both kinds of language identification'],
  [{ IdentifyLanguage: undefined, LanguageCode: 'en-US', IdentifyMultipleLanguages: true }, 'language identification'],
  [{ LanguageOptions: ['en-US', 'xx-XX'] }, "Value 'xx-XX' at 'languageOptions.1'"],
  [{ LanguageOptions: [] }, "at 'languageOptions' failed to satisfy constraint"],
  [{ LanguageOptions: ['en-US'] }, 'LanguageOptions has too few language codes'],
  [{ LanguageOptions: ['en-US', 'en-US'] }, 'LanguageOptions has too few language codes'],
  [
    { IdentifyLanguage: false, LanguageCode: 'en-US', LanguageOptions: ['en-US', 'de-DE'] },
    'LanguageOptions needs language identification',
  ],
  [{ LanguageIdSettings: { 'en-US': {}, 'de-DE': {} } }, 'LanguageIdSettings needs language identification'],
  [{ ...twoLanguages, LanguageIdSettings: {} }, 'LanguageIdSettings supports two to five language codes'],
  [{ ...twoLanguages, LanguageIdSettings: { 'en-US': {} } }, 'LanguageIdSettings supports two to five language codes'],
  [{ ...twoLanguages, LanguageIdSettings: { 'en-US': {}, 'fr-FR': {} } }, 'must be among LanguageOptions'],
  [{ ...twoLanguages, LanguageIdSettings: { english: {}, 'de-DE': {} } }, 'languageIdSettings'],
  [{ LanguageIdSettings: sixLanguages }, 'Member must have length less than or equal to 5'],
  [{ Settings: { VocabularyName: 'terms' } }, 'belong to LanguageIdSettings'],
  [
    { Settings: { VocabularyFilterName: 'rude', VocabularyFilterMethod: 'mask' } },
    'VocabularyName and VocabularyFilterName belong to LanguageIdSettings',
  ],
  [{ ...english, Settings: { VocabularyName: '' } }, "at 'settings.vocabularyName'"],
  [{ ...english, Settings: { VocabularyName: 'two words' } }, 'Member must satisfy regular expression pattern'],
  [{ ...english, Settings: { VocabularyFilterName: 'rude' } }, 'VocabularyFilterMethod is missing'],
  [{ ...english, Settings: { VocabularyFilterMethod: 'mask' } }, 'VocabularyFilterMethod needs VocabularyFilterName'],
  [
    { ...english, Settings: { VocabularyFilterName: 'rude', VocabularyFilterMethod: 'hide' } },
    "Value 'hide' at 'settings.vocabularyFilterMethod' failed to satisfy constraint: Member must satisfy enum value set: [mask, remove, tag]",
  ],
  [
    { ...twoLanguages, LanguageIdSettings: { 'en-US': { VocabularyFilterName: 'rude' }, 'de-DE': {} } },
    'VocabularyFilterMethod is missing',
  ],
  [{ ContentRedaction: redacted }, "You can't use content redaction together with language identification"],
  [
    { IdentifyLanguage: false, IdentifyMultipleLanguages: true, ContentRedaction: redacted },
    "You can't use content redaction together with language identification",
  ],
  [{ ...english, LanguageCode: 'en-GB', ContentRedaction: redacted }, "isn't supported for this language code"],
  [{ ...english, ContentRedaction: { RedactionType: 'PII' } }, "Value null at 'contentRedaction.redactionOutput'"],
  [{ ...english, ContentRedaction: { ...redacted, RedactionType: 'PHI' } }, "at 'contentRedaction.redactionType'"],
  [
    { ...english, ContentRedaction: { ...redacted, PiiEntityTypes: ['NAME', 'SHOE_SIZE'] } },
    "Value 'SHOE_SIZE' at 'contentRedaction.piiEntityTypes.1'",
  ],
  [{ Subtitles: { Formats: ['vtt'] } }, "Subtitles isn't supported by the local Transcribe server"],
  [{ ToxicityDetection: [{ ToxicityCategories: ['ALL'] }] }, "ToxicityDetection isn't supported"],
  [{ ...english, ModelSettings: { LanguageModelName: 'own' } }, "ModelSettings isn't supported"],
  [{ JobExecutionSettings: { AllowDeferredExecution: true } }, "JobExecutionSettings isn't supported"],
  [{ OutputEncryptionKMSKeyId: 'key' }, "OutputEncryptionKMSKeyId isn't supported"],
  [{ KMSEncryptionContext: { a: 'b' } }, "KMSEncryptionContext isn't supported"],
  [{ Settings: { ShowAlternatives: true, MaxAlternatives: 2 } }, "ShowAlternatives isn't supported"],
  [{ Settings: { MaxAlternatives: 2 } }, "MaxAlternatives isn't supported"],
  [{ Media: { ...valid.Media, RedactedMediaFileUri: 's3://a/b' } }, "RedactedMediaFileUri isn't supported"],
  [
    { ...twoLanguages, LanguageIdSettings: { 'en-US': { LanguageModelName: 'own' }, 'de-DE': {} } },
    "LanguageModelName isn't supported",
  ],
])('parseStartRequest rejects a request with %j', (change, message) => {
  expect(() => parseStartRequest({ ...valid, ...change })).toThrow(
    expect.objectContaining({ code: 'BadRequestException', message: expect.stringContaining(message) }),
  );
});

test.each([
  { Settings: { ShowSpeakerLabels: true, MaxSpeakerLabels: 30 } },
  { Settings: { ShowSpeakerLabels: true, MaxSpeakerLabels: 2, ChannelIdentification: true } },
  { IdentifyLanguage: false, IdentifyMultipleLanguages: true, ...twoLanguages },
  // Amazon advises to name the dialects that a file may have. Only streams refuse two of one language.
  { LanguageOptions: ['en-GB', 'en-AB', 'en-WL'] },
  {
    ...twoLanguages,
    LanguageIdSettings: { 'en-US': { VocabularyName: 'terms', VocabularyFilterName: 'rude' }, 'de-DE': {} },
    Settings: { VocabularyFilterMethod: 'tag' },
  },
  {
    ...english,
    Settings: { VocabularyName: 'terms', VocabularyFilterName: 'rude', VocabularyFilterMethod: 'remove' },
    ContentRedaction: { ...redacted, PiiEntityTypes: ['NAME', 'VEHICLE_IDENTIFICATION_NUMBER'] },
  },
  { ...english, LanguageCode: 'pt-BR', ContentRedaction: { ...redacted, RedactionOutput: 'redacted_and_unredacted' } },
])('parseStartRequest accepts a request with %j', (change) => {
  const request = { ...valid, ...change };
  expect(parseStartRequest(request)).toEqual(request);
});

test.each([
  ['s3://bucket/a/b c.wav', { bucket: 'bucket', key: 'a/b c.wav' }],
  ['https://s3.us-east-1.amazonaws.com/bucket/a/b%20c.wav', { bucket: 'bucket', key: 'a/b c.wav' }],
  ['https://host/bucket/a/../b//%2E%2E/c.wav?versionId=1', { bucket: 'bucket', key: 'a/../b//../c.wav' }],
  ['s3://bucket', undefined],
  ['s3://', undefined],
  ['https://', undefined],
  ['https://host/bucket/%zz', undefined],
])('parseMediaUri(%j) returns the bucket and key, or undefined for an invalid URI', (uri, location) => {
  expect(parseMediaUri(uri)).toEqual(location);
});

test.each([
  ['RIFF\0\0\0\0WAVE', 'wav'],
  ['fLaC', 'flac'],
  ['OggS', 'ogg'],
  ['#!AMR\n', 'amr'],
  ['\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm', 'webm'],
  ['\x1a\x45\xdf\xa3\xa3\x42\x86\x81\x01\x42\x82\x88matroska', undefined],
  ['\x1a\x45\xdf\xa3', undefined],
  ['\0\0\0\x20ftypisom', 'mp4'],
  ['\0\0\0\x20ftypM4A ', 'm4a'],
  ['\0\0\0\x14ftypqt  ', undefined],
  ['ID3\x04', 'mp3'],
  ['\xff\xfb\x90\x64', 'mp3'],
  ['plain text', undefined],
  ['', undefined],
])('detectFormat detects a file that starts with %j as %s', (head, format) => {
  expect(detectFormat(Buffer.from(head, 'latin1'))).toBe(format);
});

test('settleFormat rejects a requested format that differs from the detected one, and unknown formats', () => {
  expect(settleFormat('mp4', 'm4a', 'a')).toBe('m4a');
  expect(() => settleFormat('mp3', 'wav', 'a.wav')).toThrow(
    'The media format provided does not match the detected media format.',
  );
  expect(() => settleFormat(undefined, undefined, 'notes.wav')).toThrow(
    "The data in your input media file isn't valid.",
  );
  expect(() => settleFormat(undefined, undefined, 'notes.pdf')).toThrow('Unsupported media format.');
});
