import { CreateVocabularyFilterCommand, TranscribeClient } from '@aws-sdk/client-transcribe';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { TranscriptionDetail, TranscriptionPage } from '#shared/contracts/transcriptions/transcription-operations.ts';
import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import { organizationDefaults } from '#shared/storage/transcriptions/option-defaults.ts';
import { speakerRepository } from '#shared/storage/transcriptions/speakers/speakers.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { clientOf, issuePaths, read } from '../../support/http/checked-api.ts';
import { dynamodb, endpoints, organization } from '../../support/machine.ts';
import {
  createTranscription,
  ended,
  finishRecording,
  linkTo,
  shortWav,
  twoSentencesWav,
} from '../../support/media/recordings.ts';
import { transcriptKeysWith } from '../../support/storage/storage.ts';

const documents = DynamoDBDocumentClient.from(dynamodb);
const defaults = organizationDefaults(documents, String(endpoints.tables.recordings));
const { transcriptions = '', transcriptSpeakers = '' } = endpoints.tables;
const speakers = speakerRepository(documents, { transcriptions, transcriptSpeakers });

/** An organization with a recording, and a first transcription of it without options. */
async function recorded(body: Buffer = shortWav) {
  const acme = organization();
  const { recordingId } = await finishRecording(acme, { body });
  const first = await createTranscription(acme, recordingId);
  const call = clientOf(acme);
  const create = (options?: TranscriptionOptions) =>
    call('POST', '/v1/transcriptions', { body: { recordingId, options } });
  const created = async (options?: TranscriptionOptions) => {
    const answer = await create(options);
    expect(answer.status).toBe(201);
    return String(answer.headers.location);
  };
  return { acme, recordingId, first, call, create, created };
}

test('what took effect is shown by GET, and not in the list', async () => {
  const { acme, call, first, created } = await recorded();
  const detail = async (path: string) => read(TranscriptionDetail, await call('GET', path));
  const builtIn = { language: 'auto', multiLanguage: false, maxSpeakers: 10, tracks: false };
  expect((await detail(first.path)).options).toEqual(builtIn);
  const path = await created({ language: 'en-US', maxSpeakers: 3 });
  expect((await detail(path)).options).toEqual({ ...builtIn, language: 'en-US', maxSpeakers: 3 });
  await ended(acme, path);
  expect((await detail(path)).language).toBe('en-US');
  const { results } = read(TranscriptionPage, await call('GET', '/v1/transcriptions'));
  for (const listed of results) expect(listed).not.toHaveProperty('options');
});

test('of several languages, the one that was heard is the language of the transcript, and alone is not listed', async () => {
  const { acme, call, created } = await recorded();
  for (const language of ['auto', ['de-DE', 'en-US']] as const) {
    const path = await created({ language: language as TranscriptionOptions['language'], multiLanguage: true });
    expect(await ended(acme, path)).toMatchObject({ state: 'ready' });
    const detail = read(TranscriptionDetail, await call('GET', path));
    expect(detail).toMatchObject({ language: 'en-US', options: { multiLanguage: true } });
    expect(detail).not.toHaveProperty('languages');
  }
});

test('several languages are shown as they are stored beside the speakers', async () => {
  const { acme, call, first } = await recorded();
  await ended(acme, first.path);
  const organizationId = OrganizationId.parse(acme);
  const { transcriptionId } = first;
  const heard = { languageCode: 'hi-IN', languages: ['hi-IN', 'en-US'], speakers: [] };
  await speakers.begin({ organizationId, transcriptionId }, heard);
  const detail = read(TranscriptionDetail, await call('GET', first.path));
  expect(detail).toMatchObject({ language: 'hi-IN', languages: ['hi-IN', 'en-US'] });
});

test('the same options return the transcription in progress, and others start another one', async () => {
  const { acme, created } = await recorded(twoSentencesWav);
  const paths = [
    await created({ language: 'en-US', redact: { types: ['NAME', 'PHONE'] } }),
    await created({ redact: { types: ['PHONE', 'NAME'] }, language: 'en-US' }),
    await created({ language: 'en-US' }),
  ];
  expect([paths[1] === paths[0], paths[2] === paths[0]]).toEqual([true, false]);
  for (const path of new Set(paths)) expect(await ended(acme, path)).toMatchObject({ state: 'ready' });
});

test('a transcript with redaction is made, and no file without it', async () => {
  const { acme, created } = await recorded(twoSentencesWav);
  const path = await created({ language: 'en-US', redact: { types: ['ALL'] } });
  expect(await ended(acme, path)).toMatchObject({ state: 'ready' });
  const { accessLink } = await linkTo(acme, path, 'txt');
  expect((await fetch(accessLink)).status).toBe(200);
  const folder = `generated/${acme}/${path.split('/').at(-1)}/`;
  expect(await transcriptKeysWith('transcribe-output', folder)).toEqual([`${folder}redacted-transcribe-output.json`]);
});

describe('a request is refused', () => {
  test.each<[TranscriptionOptions, string]>([
    [{ redact: { types: ['ALL'] } }, 'options.redact'],
    [{ language: 'en-US', multiLanguage: true }, 'options.multiLanguage'],
    [{ vocabulary: 'names' }, 'options.vocabulary'],
    [{ tracks: true }, 'options.tracks'],
    [{ channels: ['p-1', 'p-2'], tracks: true }, 'options.channels'],
  ])('with %j', async (options, path) => {
    const { create } = await recorded();
    const answer = await create(options);
    expect([answer.status, issuePaths(answer)]).toEqual([400, [path]]);
  });
});

test('a vocabulary that does not exist makes the transcription fail with a code of its own', async () => {
  const { acme, created } = await recorded();
  const path = await created({ language: 'en-US', vocabulary: 'no-such-vocabulary' });
  expect(await ended(acme, path)).toMatchObject({ state: 'failed', failure: { code: 'vocabulary_not_found' } });
});

test('defaults of the organization take effect where the request does not say otherwise', async () => {
  const { acme, call, created } = await recorded();
  const transcribe = new TranscribeClient(clientSettings(endpoints.transcribeUrl));
  const VocabularyFilterName = `filter-${acme}`;
  await transcribe.send(
    new CreateVocabularyFilterCommand({ VocabularyFilterName, LanguageCode: 'en-US', Words: ['x'] }),
  );
  const vocabularyFilter = { name: VocabularyFilterName, method: 'mask' } as const;
  const id = OrganizationId.parse(acme);
  const stored = { language: 'en-US', vocabularyFilter, maxSpeakers: 4 } as const;
  expect(await defaults.replace(id, undefined, stored)).toBe(true);
  expect(await defaults.replace(id, undefined, { language: 'en-GB' }), 'by somebody who read none').toBe(false);
  const optionsOf = async (path: string) => read(TranscriptionDetail, await call('GET', path)).options;
  const path = await created();
  expect(await optionsOf(path)).toMatchObject({ language: 'en-US', vocabularyFilter, maxSpeakers: 4 });
  expect(await ended(acme, path)).toMatchObject({ state: 'ready' });
  const german = await optionsOf(await created({ language: 'de-DE' }));
  expect(german).toMatchObject({ language: 'de-DE', maxSpeakers: 4 });
  expect(german).not.toHaveProperty('vocabularyFilter');
  expect(await defaults.replace(id, stored, undefined)).toBe(true);
  expect(await defaults.find(id)).toBeUndefined();
});
