import { randomUUID } from 'node:crypto';
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { clientOf, codeOf } from '../../support/http/checked-api.ts';
import { deliver, keepTranscript, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { endpoints, logOf, organization, s3 } from '../../support/machine.ts';
import {
  createTranscription,
  ended,
  finishRecording,
  linkTo,
  recordingEvent,
  registered,
  shortWav,
} from '../../support/media/recordings.ts';
import { takeDeadLetters } from '../../support/operations/dead-letters.ts';
import { eraseInRunner, removedIn } from '../../support/operations/erasure.ts';

const bucket = String(endpoints.buckets.recordings);

/** A registered recording of an organization. */
async function known(organizationId: string, facts: Parameters<typeof finishRecording>[1] = {}) {
  const recording = await finishRecording(organizationId, facts);
  await registered(organizationId, recording.recordingId);
  return recording;
}

const refuses = async (organizationId: string, recordingId: string) => {
  const answer = await clientOf(organizationId)('POST', '/v1/transcriptions', { body: { recordingId } });
  return [answer.status, codeOf(answer)];
};

describe.concurrent('the file of a recording', () => {
  it('belongs to the first organization that an event names. The event of another one becomes a dead letter', async () => {
    const [acme, mallory] = [organization(), organization()];
    const victim = await known(acme, { body: shortWav });
    const recordingId = randomUUID();
    const claim = recordingEvent(mallory, { ...victim, recordingId });

    await sendToRoomEvents([claim]);
    expect(await takeDeadLetters([claim.id])).toEqual([expect.stringContaining(claim.id)]);
    const log = (await logOf('record-room-events')).split('\n').filter((line) => line.includes(claim.id));
    expect(log.join('\n')).toContain('data.location must not be a file of another organization');
    expect(log.join('\n')).not.toContain(acme);
    expect(await refuses(mallory, recordingId)).toEqual([404, 'recording_not_found']);

    await known(mallory); // so that there is something to erase
    expect(removedIn(await eraseInRunner([mallory, '--yes']))).toMatchObject({ 'rows of recordingFiles': 1 });
    await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: victim.location.key }));
    const { path } = await createTranscription(acme, victim.recordingId);
    expect(await ended(acme, path)).toMatchObject({ state: 'ready' });
    expect((await fetch((await linkTo(acme, path)).accessLink)).status).toBe(200);
  });

  it('may be that of several recordings of its organization, with the longest key that S3 allows', async () => {
    const acme = organization();
    const location = { bucket: 'a'.repeat(63), key: `${acme}/${'k'.repeat(1023 - acme.length)}` };
    const [one, other] = [await known(acme, { location }), await known(acme, { location })];
    for (const { recordingId } of [one, other]) await createTranscription(acme, recordingId);
  });

  it('cannot be a transcript, or the file of a live transcription, also not of its own organization', async () => {
    const acme = organization();
    const live = liveSession(organization());
    const [theirs, own] = await Promise.all(
      [live, liveSession(acme)].map((each) => keepTranscript(each.key('a.wav'), 'a')),
    );
    for (const location of [theirs, own]) {
      const recording = { ...(await known(acme)), recordingId: randomUUID(), location };
      expect(await deliver('record-room-events', [recordingEvent(acme, recording)])).toBe(1);
      expect(await refuses(acme, recording.recordingId)).toEqual([404, 'recording_not_found']);
    }
  });
});
