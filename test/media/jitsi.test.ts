import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { hookUrl } from '#shared/contracts/platforms/connection.ts';
import type { TranscriptDocument } from '#shared/contracts/transcriptions/transcript-document.ts';
import { recordingsFolder } from '#shared/domain/transcriptions/connection-files.ts';
import { uuidOf } from '#shared/platforms/ids.ts';
import { setups } from '#shared/platforms/setups.ts';
import { succeed } from '../support/client/run-program.ts';
import { endpoints } from '../support/machine.ts';
import { writeMultitrack } from '../support/media/multitrack.ts';
import { wordErrorRate } from '../support/transcriptions/word-error-rate.ts';
import { connectPlatform } from '../support/webhooks/connections.ts';
import { documentOf, leadIn, line, recordedMedia, transcribed } from './recorded.ts';

const secret = 's'.repeat(43);
const script = path.resolve(import.meta.dirname, '../../examples/jitsi/finalize.sh');
const meeting = randomUUID();

const said = [
  { node: '14f01c40-5195-4a4d-8efb-f58b49d18741', id: 'ada', at: 0, voice: 'slt' },
  { node: '5b6f2a10-0d7a-49f5-9d5e-2b9b53a8f3c2', id: 'ben', at: 5, voice: 'kal16' },
  { node: 'c0ffee00-0d7a-49f5-9d5e-2b9b53a8f3c3', id: undefined, at: 11, voice: 'rms' },
] as const;
const texts = {
  slt: 'Good morning, and thank you for joining this meeting.',
  kal16: 'We have three hundred dollars for the next month.',
  rms: 'My answer to that question is very simple.',
} as const;

let transcript: TranscriptDocument;

/** A recording of the multitrack recorder is finished by the printed settings alone, and then Prosody says that the room is over. */
beforeAll(async () => {
  const connection = await connectPlatform('jitsi', { value: secret });
  const { organizationId } = connection;
  const url = hookUrl(endpoints.apiUrl, connection);
  const bucket = endpoints.buckets.recordings ?? '';
  const recordings = { bucket, folder: recordingsFolder(organizationId) };
  const printed = setups.jitsi({ url, settings: {}, recordings, secret });

  const root = await mkdtemp(path.join(inject('machine').temporaryFolder, 'jitsi-'));
  const [bin, folder] = [path.join(root, 'bin'), path.join(root, meeting)];
  for (const each of [bin, folder]) await mkdir(each);
  const put = `curl --silent --show-error --fail --upload-file "$4" "${endpoints.s3Url}/\${5#s3://}"`;
  await writeFile(path.join(bin, 'aws'), `#!/bin/sh\n[ "$1 $2" = 's3 cp' ] && ${put}\n`);
  await chmod(path.join(bin, 'aws'), 0o755);
  const conf = [...printed.matchAll(/^ *(ROOMSCRIBE_\w+='.*')$/gm)].map(([, setting]) => setting).join('\n');
  await writeFile(path.join(root, 'conf'), conf);

  const sounds = said.map(async ({ node, at, voice }) => {
    const lines = [line(voice, 0, texts[voice])];
    const file = path.join(root, `${voice}.wav`);
    await writeFile(file, await recordedMedia({ lines, from: 0, to: 5 }, 'wav', ['-c:a', 'pcm_s16le']));
    return { endpointId: node.slice(0, 8), at, input: ['-i', file] };
  });
  await writeMultitrack(path.join(folder, 'recording.mka'), await Promise.all(sounds), root);
  const env = { PATH: `${bin}:${process.env.PATH}`, ROOMSCRIBE_CONF: path.join(root, 'conf') };
  await succeed('/bin/sh', [script, meeting, folder, 'MKA'], { folder: root, env });

  const now = Date.now() / 1000;
  const answer = await fetch(`${url}/events/room/destroyed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ event_name: 'muc-room-destroyed', room_name: 'weekly', room_jid: 'weekly@conference.meet.example' },
      ...{ is_breakout: false, meeting_id: meeting, created_at: now - 60, destroyed_at: now },
      all_occupants: said.map(({ node, id }) => ({
        ...{ occupant_jid: `${node}@meet.example/web`, joined_at: now - 50, left_at: now, id },
      })),
    }),
  });
  expect(answer.status).toBe(200);
  const key = `${organizationId}/${meeting}/recording.mka`;
  const { path: created, transcription } = await transcribed(
    organizationId,
    uuidOf(connection, `recording|${bucket}|${key}`),
  );
  expect(transcription.state).toBe('ready');
  transcript = await documentOf(organizationId, created);
});

test.each(said)(
  'the transcript of a recording of the multitrack recorder has what $voice said',
  ({ id, node, at, voice }) => {
    const own = transcript.speakers?.find(({ participantId }) => participantId === (id ?? node))?.speaker;
    const turns = transcript.turns.filter(({ speaker }) => speaker === own);
    expect(turns).toHaveLength(1);
    expect(wordErrorRate(texts[voice], turns[0]?.text ?? '')).toBeLessThanOrEqual(0.25);
    expect(Math.abs((turns[0]?.startSeconds ?? 0) - at - leadIn)).toBeLessThanOrEqual(0.3);
  },
);
