import { describe, expect, test } from 'vitest';
import { lookAtFile } from '#shared/adapters/links/look-at-file.ts';
import {
  RecordingFileNotFound,
  RecordingLinksDisabled,
  ServiceUnavailable,
  TranscriptionNotFound,
} from '#shared/runtime/errors.ts';
import { createRecordingLink, type RecordingFiles } from '#shared/use-cases/links/create-recording-link.ts';
import type { SigningRequest } from '#shared/use-cases/links/ports.ts';
import { tombstone, transcriptionRecord } from '../../../support/operations/records.ts';

const { organizationId, transcriptionId } = transcriptionRecord();
const location = { bucket: 'recordings', key: `${organizationId}/standup.mp4` };
const record = transcriptionRecord({ location });
const expires = Date.parse('2026-03-02T10:15:00.000Z');

function depsWith(files: Partial<RecordingFiles> = {}, stored: object | null = record) {
  const signed: SigningRequest[] = [];
  const signer: RecordingFiles['signer'] = {
    sign: async (request) => {
      signed.push(request);
      return { accessLink: `https://s3/${request.method}`, expires };
    },
  };
  const look: RecordingFiles['look'] = async () => ({ contentType: 'video/mp4' });
  const deps = {
    transcriptions: { find: async () => (stored ?? undefined) as typeof record | undefined },
    tracks: { listTracks: async () => [] },
    files: { bucket: 'recordings', signer, look, ...files },
  };
  return { deps, signed };
}

const create = (deps: Parameters<typeof createRecordingLink>[0]) =>
  createRecordingLink(deps, organizationId, transcriptionId, undefined);

describe('a link to a recording', () => {
  test('plays the file in its type, for 15 minutes', async () => {
    const { deps, signed } = depsWith();
    expect(await create(deps)).toEqual({
      ...{ url: 'https://s3/GET', expiresAt: '2026-03-02T10:15:00.000Z', contentType: 'video/mp4' },
    });
    const file = { key: location.key, filename: 'standup.mp4', disposition: 'inline', validForSeconds: 900 };
    expect(signed[0]).toEqual({ key: location.key, method: 'HEAD', validForSeconds: 900 }); // a type would hide the stored one
    expect(signed).toMatchObject([{ method: 'HEAD' }, { ...file, method: 'GET', contentType: 'video/mp4' }]);
  });

  test('of a file that is neither audio nor video tells no type, and no browser shows it', async () => {
    const html = transcriptionRecord({ location: { ...location, key: `${organizationId}/page.html` } });
    const { deps, signed } = depsWith({ look: async () => ({ contentType: 'text/html' }) }, html);
    expect(await create(deps)).not.toHaveProperty('contentType');
    expect(signed.at(-1)).toMatchObject({ contentType: 'application/octet-stream' });
  });

  test('is refused before anything is read if the stage allows none', async () => {
    const { deps } = depsWith({}, null);
    await expect(create({ ...deps, files: undefined })).rejects.toThrow(RecordingLinksDisabled);
    await expect(create({ ...deps, files: undefined })).rejects.toThrow('recordingLinks=true');
  });

  test('of a deleted or unknown transcription is not found', async () => {
    for (const stored of [null, tombstone()])
      await expect(create(depsWith({}, stored).deps)).rejects.toThrow(TranscriptionNotFound);
  });

  test('to a file that does not exist is not found', async () => {
    await expect(create(depsWith({ look: async () => 'missing' }).deps)).rejects.toThrow(RecordingFileNotFound);
  });

  test('is unavailable if no session signs it', async () => {
    const { deps } = depsWith({ signer: { sign: async () => undefined } });
    await expect(create(deps)).rejects.toThrow(ServiceUnavailable);
  });
});

describe('a look at a file', () => {
  const answering = (status: number, headers = {}) =>
    lookAtFile((async () => new Response(null, { status, headers })) as typeof fetch);

  test('tells its type, or that it is missing', async () => {
    expect(await answering(200, { 'content-type': 'audio/ogg' })('https://s3')).toEqual({ contentType: 'audio/ogg' });
    expect(await answering(404)('https://s3')).toBe('missing');
  });

  test('fails if S3 refuses it or does not answer', async () => {
    await expect(answering(403)('https://s3')).rejects.toThrow(ServiceUnavailable);
    const silent = lookAtFile((() => Promise.reject(new Error('no route'))) as typeof fetch);
    await expect(silent('https://s3')).rejects.toThrow(ServiceUnavailable);
  });
});
