import { randomUUID } from 'node:crypto';
import { HeadObjectCommand, NotFound } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { TranscriptionPage } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, codeOf, read } from '../../support/http/checked-api.ts';
import { deliver, keepTranscript, known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { invoke, organization, s3 } from '../../support/machine.ts';
import {
  createTranscription,
  finishRecording,
  linkTo,
  readyTranscription,
  twoSentencesWav,
  unheard,
} from '../../support/media/recordings.ts';
import { rowsOf, transcriptKeysWith } from '../../support/storage/storage.ts';
import { jobNamePrefix, jobOf } from '../../support/transcriptions/transcribe-jobs.ts';

describe.concurrent('DELETE /v1/transcriptions/{transcriptionId}', () => {
  it('leaves only a tombstone: no file, no job, no list entry and no working link', async () => {
    const acme = organization();
    const call = clientOf(acme);
    const { path, transcriptionId, recording } = await readyTranscription(acme);
    const { accessLink } = await linkTo(acme, path);
    expect((await fetch(accessLink)).status).toBe(200);
    expect(await transcriptKeysWith(transcriptionId, `generated/${acme}/`)).not.toEqual([]);
    expect(await jobOf(acme, transcriptionId)).toBeDefined();

    const answer = await call('DELETE', path);

    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await fetch(accessLink)).status).toBe(404);
    expect(await transcriptKeysWith(transcriptionId, `generated/${acme}/`)).toEqual([]);
    expect(await jobOf(acme, transcriptionId)).toBeUndefined();
    expect(await rowsOf(acme)).toEqual([
      {
        ...{ organizationId: acme, transcriptionId, revision: 3 },
        ...{ deletedAt: expect.any(String), expiresAt: expect.any(Number) },
      },
    ]);
    await eventually(async () => {
      expect(read(TranscriptionPage, await call('GET', '/v1/transcriptions')).results).toEqual([]);
    });
    const again = await call('POST', '/v1/transcriptions', { body: { recordingId: recording.recordingId } });
    expect(again.status).toBe(201); // the recording belongs to the platform and stays
  });

  it('returns the same answer again, for an unknown id and for an id in another case', async () => {
    const acme = organization();
    const call = clientOf(acme);
    const session = liveSession(acme);
    await sendToRoomEvents([session.started()]);
    await known(acme, session.path);

    const paths = [session.path.toUpperCase().replace('/V1/TRANSCRIPTIONS', '/v1/transcriptions'), session.path];
    const answers = [];
    for (const path of [...paths, session.path, `/v1/transcriptions/${randomUUID()}`])
      answers.push(await call('DELETE', path));

    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [204, '']));
  });

  it('makes later reads and links answer as for an unknown transcription', async () => {
    const acme = organization();
    const call = clientOf(acme);
    const session = liveSession(acme);
    await sendToRoomEvents([session.finished()]);
    await known(acme, session.path);

    await call('DELETE', session.path);

    for (const suffix of ['', '/access-link']) {
      const deleted = await call('GET', `${session.path}${suffix}`);
      const unknown = await call('GET', `/v1/transcriptions/${randomUUID()}${suffix}`);
      expect([deleted.status, deleted.text]).toEqual([404, unknown.text]);
      expect(codeOf(deleted)).toBe('transcription_not_found');
    }
  });

  it('returns the same answer to 10 simultaneous requests', async () => {
    const acme = organization();
    const { recordingId } = await finishRecording(acme);
    const { path } = await createTranscription(acme, recordingId);

    const answers = await Promise.all(Array.from({ length: 10 }, () => clientOf(acme)('DELETE', path)));

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204));
    expect((await clientOf(acme)('GET', path)).status).toBe(404);
  });

  it('removes the file of a live transcription, and no other file', async () => {
    const acme = organization();
    const session = liveSession(acme);
    const neighbour = await keepTranscript(`live/${acme}/${session.transcriptionId}.bak/minutes.txt`, 'a neighbour');
    const location = await keepTranscript(session.key('minutes.txt'), 'hello');
    await sendToRoomEvents([session.finished({ storageType: 'SERVICE_HOSTED', location })]);
    await known(acme, session.path, 'ready');

    await clientOf(acme)('DELETE', session.path);

    const head = ({ bucket, key }: typeof location) => s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    await expect(head(location)).rejects.toThrow(NotFound);
    await expect(head(neighbour)).resolves.toBeDefined();
  });
});

describe.concurrent('a deleted transcription', () => {
  it.each(['started', 'finished', 'failed'] as const)('is not restored by a late %s event', async (type) => {
    const acme = organization();
    const call = clientOf(acme);
    const session = liveSession(acme);
    await sendToRoomEvents([session.started()]);
    await known(acme, session.path);
    await call('DELETE', session.path);

    const failures = await deliver('record-room-events', [session[type]()]);

    expect(failures).toBe(0);
    expect((await call('GET', session.path)).status).toBe(404);
    expect(read(TranscriptionPage, await call('GET', '/v1/transcriptions')).results).toEqual([]);
  });

  it.each(['COMPLETED', 'FAILED'])('is not restored by a late %s event of its job', async (status) => {
    const acme = organization();
    const { recordingId } = await finishRecording(acme);
    const { path, transcriptionId } = await createTranscription(acme, recordingId);
    await clientOf(acme)('DELETE', path);
    await keepTranscript(`generated/${acme}/${transcriptionId}/transcribe-output.json`, '{}');

    const detail = {
      TranscriptionJobName: `${jobNamePrefix}.${acme}.${transcriptionId}`,
      TranscriptionJobStatus: status,
    };
    const failures = await deliver('finish-transcription', [{ detail }]);

    expect(failures).toBe(0);
    expect((await clientOf(acme)('GET', path)).status).toBe(404);
    expect(await transcriptKeysWith(transcriptionId, `generated/${acme}/`)).toEqual([]);
  });

  it('loses the output of its running job', async () => {
    const acme = organization();
    const { recordingId } = await finishRecording(acme, { body: unheard(twoSentencesWav) });
    const { path, transcriptionId } = await createTranscription(acme, recordingId);
    await eventually(async () => expect(await jobOf(acme, transcriptionId)).toBeDefined());

    expect((await clientOf(acme)('DELETE', path)).status).toBe(204);

    await eventually(async () => {
      expect(await jobOf(acme, transcriptionId)).toMatchObject({ TranscriptionJobStatus: 'COMPLETED' });
      expect((await rowsOf(acme))[0], 'finish has withdrawn the work').not.toHaveProperty('jobFingerprint');
      expect(await transcriptKeysWith(transcriptionId, `generated/${acme}/`)).toEqual([]);
    }, 40_000);
    await invoke('reconcile-transcriptions');
    expect((await clientOf(acme)('GET', path)).status).toBe(404);
  });
});
