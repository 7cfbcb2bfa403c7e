import { describe, expect, it } from 'vitest';
import { TranscriptionPage } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { clientOf, read } from '../../support/http/checked-api.ts';
import { deliver } from '../../support/insights/live-sessions.ts';
import { organization } from '../../support/machine.ts';
import {
  createTranscription,
  ended,
  finishRecording,
  readyTranscription,
  registered,
  shortWav,
} from '../../support/media/recordings.ts';
import { rowsOf } from '../../support/storage/storage.ts';
import { jobOf } from '../../support/transcriptions/transcribe-jobs.ts';

describe.concurrent('POST /v1/transcriptions', () => {
  it('returns 201, an empty body and a Location that can be read at once', async () => {
    const acme = organization();
    const { recordingId } = await finishRecording(acme, { body: '' });

    const { created, path } = await createTranscription(acme, recordingId);

    expect(created.text).toBe('');
    expect(path).toMatch(/^\/v1\/transcriptions\/[0-9a-f-]{36}$/);
    expect((await clientOf(acme)('GET', path)).status).toBe(200);
  });

  it('accepts the recording id in any case', async () => {
    const acme = organization();
    const { recordingId } = await finishRecording(acme, { body: '' });

    const { path } = await createTranscription(acme, recordingId.toUpperCase());

    expect((await clientOf(acme)('GET', path)).status).toBe(200);
  });

  it('refuses a recording that is longer than what is left of the day, before it costs anything', async () => {
    const acme = organization(); // it has 480 minutes in these tests
    const create = async (hours: number) => {
      const endDate = new Date(Date.parse('2026-03-01T09:00:00Z') + hours * 3_600_000).toISOString();
      const { recordingId } = await finishRecording(acme, { endDate, body: 'not a recording' });
      await registered(acme, recordingId);
      return clientOf(acme)('POST', '/v1/transcriptions', { body: { recordingId } });
    };
    const refused = await create(8.01);
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([429, { code: 'too_many_minutes' }]);
    expect(refused.text).toContain('has 480 of its 480 minutes');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await create(8)).status).toBe(201);
  });

  it('returns the same Location to 20 simultaneous requests, and starts and counts one job', async () => {
    const acme = organization();
    const call = clientOf(acme);
    const endDate = '2026-03-01T13:00:00.000Z'; // after four hours: the organization may have two such recordings transcribed
    const other = await finishRecording(acme, { endDate, body: 'not a recording' });
    await createTranscription(acme, other.recordingId);
    const { recordingId } = await finishRecording(acme, { endDate, body: shortWav });
    await registered(acme, recordingId);

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/v1/transcriptions', { body: { recordingId } })),
    );

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const locations = new Set(answers.map(({ headers }) => headers.location));
    expect(locations.size).toBe(1);
    const [path = ''] = [...locations].map(String);
    await ended(acme, path);
    const rows = (await rowsOf(acme)).filter((row) => row.recordingId === recordingId);
    expect(rows.map(({ transcriptionId }) => `/v1/transcriptions/${transcriptionId}`)).toEqual([path]);
  });

  it('starts a new transcription if the previous one has ended, and keeps both', async () => {
    const acme = organization();
    const call = clientOf(acme);
    const { recordingId } = await finishRecording(acme, { body: 'not a recording' });
    const first = await createTranscription(acme, recordingId);
    await ended(acme, first.path);

    const next = await createTranscription(acme, recordingId);

    expect(next.path).not.toBe(first.path);
    expect(read(TranscriptionPage, await call('GET', '/v1/transcriptions')).results).toHaveLength(2);
  });

  it('starts a new transcription after a deletion, and never restores the deleted one', async () => {
    const acme = organization();
    const call = clientOf(acme);
    const { recordingId } = await finishRecording(acme, { body: 'not a recording' });
    const first = await createTranscription(acme, recordingId);
    await call('DELETE', first.path);

    const next = await createTranscription(acme, recordingId);
    await ended(acme, next.path);

    expect(next.path).not.toBe(first.path);
    expect((await call('GET', first.path)).status).toBe(404);
  });

  it('uses the newest facts of a recording if its events arrive again and out of order', async () => {
    const acme = organization();
    const recording = await finishRecording(acme, { body: '' });
    await createTranscription(acme, recording.recordingId);
    const event = (createdAt: string, roomName: string) => ({
      ...{ id: createdAt, type: 'recording.finished', organizationId: acme, createdAt },
      data: { ...recording, roomName },
    });

    const failures = [
      await deliver('record-room-events', [event('2099-01-02T00:00:00Z', '/renamed')]),
      await deliver('record-room-events', [event('2099-01-01T00:00:00Z', '/outdated')]),
    ];

    expect(failures).toEqual([0, 0]);
    const { path: oldPath } = await createTranscription(acme, recording.recordingId);
    await ended(acme, oldPath);
    const { path } = await createTranscription(acme, recording.recordingId);
    expect((await ended(acme, path)).roomName).toBe('/renamed');
  });
});

describe.concurrent('a job message', () => {
  it('changes nothing if it is delivered repeatedly after the end', async () => {
    const acme = organization();
    const { transcriptionId, transcription, path } = await readyTranscription(acme);
    const job = await jobOf(acme, transcriptionId);
    const message = { organizationId: acme, transcriptionId, attempt: 0 };

    const failures = await Promise.all(
      Array.from({ length: 10 }, () => deliver('start-transcription', [message, message])),
    );

    expect(failures).toEqual(failures.map(() => 0));
    expect(await jobOf(acme, transcriptionId)).toEqual(job);
    expect(JSON.parse((await clientOf(acme)('GET', path)).text)).toEqual(transcription);
  });

  it('starts no job if it is redriven after its transcription was deleted', async () => {
    const acme = organization();
    const { recordingId } = await finishRecording(acme);
    const { transcriptionId, path } = await createTranscription(acme, recordingId);
    await clientOf(acme)('DELETE', path);

    const failures = await deliver('start-transcription', [{ organizationId: acme, transcriptionId, attempt: 0 }]);

    expect(failures).toBe(0);
    expect(await jobOf(acme, transcriptionId)).toBeUndefined();
    expect((await clientOf(acme)('GET', path)).status).toBe(404);
  });
});
