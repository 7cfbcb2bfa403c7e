import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, inject, test } from 'vitest';
import { type TranscriptFormat, transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import { TranscriptionDetail } from '#shared/contracts/transcriptions/transcription-operations.ts';
import type { Line } from '#tools/local/meeting/record.ts';
import { eventually } from '../support/eventually.ts';
import { clientOf, read } from '../support/http/checked-api.ts';
import { send, sessionOf, untilCounted } from '../support/insights/insights.ts';
import { keepTranscript, known, liveSession, sendToRoomEvents } from '../support/insights/live-sessions.ts';
import { endpoints, organization, s3, sendRoomEvent, token } from '../support/machine.ts';
import { linkTo } from '../support/media/recordings.ts';
import { connectPlatform, eraseInRunner, removedIn } from '../support/operations/erasure.ts';
import { storedBytes, tracesIn } from '../support/storage/stored-bytes.ts';
import { dateAt, line, recordedMedia, startDate, transcribed } from './recorded.ts';

const dataDir = path.dirname(inject('machine').logFolder);
const acme = organization();
const call = clientOf(acme);
const session = sessionOf(acme, { roomName: '/erasure' });
const end = 32;

/** What only Ada has. The other tests of this runner have none of it. */
const ada = {
  participantId: `p-${randomUUID()}`,
  displayName: 'Ada Quillfeather',
  userId: randomUUID(),
  deviceId: `device-${randomUUID()}`,
  externalId: `crm-${randomUUID()}`,
  userAgent: `agent-${randomUUID()}`,
};
const comment = `comment-${randomUUID()}`;
/** Words that only Ada says, and that nobody says in another test of this runner. */
const herWords = ['elephant', 'umbrella', 'chocolate', 'mountain'];
const hers = {
  first: line('slt', 1, 'The elephant has a new umbrella.'),
  second: line('slt', 18, 'Chocolate is better on the mountain.'),
  solo: line('slt', 1, 'The elephant was on the mountain.'),
};
const bens = [line('kal16', 6, 'We have three hundred dollars for the next month.')];
const cleos = [line('rms', 12, 'My answer to that question is very simple.')];
/** What Cleo's microphone hears of Ada. */
const bleed = { ...hers.second, at: hers.second.at + 0.1, gain: 0.1 };

const ids = [ada.participantId, ada.userId, ada.deviceId, ada.externalId];
const traces = [...ids, ada.displayName, ada.userAgent, comment, ...herWords];

async function upload(name: string, lines: readonly Line[], to = end) {
  const location = { bucket: String(endpoints.buckets.recordings), key: `${acme}/${name}-${randomUUID()}.wav` };
  const Body = await recordedMedia({ lines, from: 0, to }, 'wav', ['-c:a', 'pcm_s16le']);
  await s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body }));
  return location;
}

/** A session of Ada, Ben and Cleo with all that the service stores of one. */
async function meet(): Promise<void> {
  const joins = [
    session.joined(ada.participantId, '08:59', ada),
    session.joined('p-ben', '08:59', { displayName: 'Ben' }),
    session.joined('p-cleo', '08:59', { displayName: 'Cleo' }),
  ];
  const events = [
    ...[session.created('08:58'), session.started('08:59'), ...joins],
    session.rated(ada.participantId, '09:00', 5, { comment, tags: [comment] }),
    ...[session.sampled(ada.participantId, '09:00', [1, 2, 3]), session.ended('09:01')],
    session.spoke(ada.participantId, ['09:00:01', '09:00:04']),
    session.spoke('p-ben', ['09:00:06', '09:00:10']),
  ];
  await send(...events);
  await untilCounted(acme, events);
  await connectPlatform(acme, { participant: { identity: ada.participantId, name: ada.displayName } });
}

/** A recording of a microphone each. One of Ada's files is lost. */
async function withTracks(): Promise<string> {
  const people = [
    [ada.participantId, [hers.first, hers.second]],
    ['p-ben', bens],
    ['p-cleo', [...cleos, bleed]],
  ] as const;
  const span = { startDate, endDate: dateAt(end) };
  const tracks = await Promise.all(
    people.map(async ([participantId, lines]) => ({
      participantId,
      location: await upload('track', lines),
      ...span,
    })),
  );
  const lost = { bucket: String(endpoints.buckets.recordings), key: `${acme}/lost.wav` };
  return recorded({
    tracks: [
      ...tracks,
      { participantId: ada.participantId, location: lost, startDate: dateAt(26), endDate: dateAt(end) },
    ],
  });
}

/** A recording of which nothing tells who speaks. */
async function mixed(lines: readonly Line[]): Promise<string> {
  return recorded({ location: await upload('mixed', lines, 8), filename: 'mixed.wav', endDate: dateAt(8) });
}

async function recorded(facts: object): Promise<string> {
  const recordingId = randomUUID();
  const { roomName, roomSessionId } = session;
  const data = { recordingId, roomName, roomSessionId, startDate, endDate: dateAt(end), ...facts };
  await sendRoomEvent(acme, 'recording.finished', data);
  const { path: created, transcription } = await transcribed(acme, recordingId);
  expect(transcription.state).toBe('ready');
  return created;
}

async function correct(transcription: string, displayName: string): Promise<void> {
  const answer = await call('PUT', `${transcription}/speakers/Speaker%201`, { body: { displayName } });
  expect(answer.status).toBe(200);
  await eventually(async () => expect((await filesOf(transcription)).txt).toContain(displayName));
}

async function live(): Promise<string> {
  const told = liveSession(acme, { roomName: session.roomName, roomSessionId: session.roomSessionId });
  const location = await keepTranscript(told.key('minutes.md'), `${ada.displayName}: ${herWords.join(' ')}`);
  await sendToRoomEvents([told.finished({ storageType: 'SERVICE_HOSTED', location })]);
  await known(acme, told.path, 'ready');
  return told.path;
}

async function filesOf(transcription: string): Promise<Record<TranscriptFormat, string>> {
  const texts = transcriptFormats.map(async (format) => {
    const { accessLink } = await linkTo(acme, transcription, format);
    return [format, await (await fetch(accessLink)).text()] as const;
  });
  return Object.fromEntries(await Promise.all(texts)) as Record<TranscriptFormat, string>;
}

/** Where the runner has something of Ada's. Logs have ids, as the page says. */
async function found(): Promise<Map<string, string[]>> {
  const places = new Map<string, string[]>();
  for await (const stored of storedBytes(dataDir)) {
    const allowed = stored.name.startsWith('file logs') ? ids : [];
    const had = tracesIn(stored, traces).filter((trace) => !allowed.includes(trace));
    if (had.length > 0) places.set(stored.name, [...(places.get(stored.name) ?? []), ...had]); // rows of one table share a name
  }
  return places;
}

test('nothing of an erased person is in any byte that is stored, and the turns of others are as they were', async () => {
  await meet();
  const [ofTracks, ofAda, ofBen, ofLive] = await Promise.all([
    withTracks(),
    mixed([hers.solo]),
    mixed([{ ...(bens[0] as Line), at: 1 }]),
    live(),
  ]);
  await correct(ofAda, ` ${ada.displayName.toLowerCase()}`.trim());
  await correct(ofBen, 'Ben of the office');
  const others = await filesOf(ofBen);
  const before = JSON.parse((await filesOf(ofTracks)).json);
  const heardOfHer = JSON.stringify(before.echoes ?? '').toLowerCase();
  expect(herWords.filter((word) => heardOfHer.includes(word))).not.toEqual([]); // Cleo's microphone hears her
  const places = await found();
  expect(new Set([...places.values()].flat())).toEqual(new Set(traces)); // the search finds every trace while it is there

  const receipt = await eraseInRunner([acme, '--external-id', ada.externalId, '--yes']);

  expect(receipt).toMatch(/^Transcript \S+: 2 turns of 1 speakers who are the person$/m);
  expect(removedIn(receipt)).toMatchObject({
    ...{ 'speakers of transcripts': 2, 'turns of transcripts': 3, 'changed rows of transcriptions': 1 },
    ...{ 'rows of recordingTracks': 2, 'objects of recordings': 2, 'rows of participants': expect.any(Number) },
  });
  // What nobody can tell apart, the command leaves, and prints how to delete it.
  expect(receipt).toContain(`${ofLive}'`);
  for (const [, url = ''] of receipt.matchAll(/curl -X DELETE .*'(\S+)'$/gm))
    if (url.endsWith(ofLive))
      await fetch(url, { method: 'DELETE', headers: { authorization: `Bearer ${await token(acme)}` } });
  const left = await found();
  expect([...left].filter(([name]) => !/recordings\S*\/mixed|mixed-/.test(name))).toEqual([]);

  expect(await filesOf(ofBen)).toEqual(others);
  const { speakers = [] } = read(TranscriptionDetail, await call('GET', ofTracks));
  expect(speakers.map(({ displayName }) => displayName).sort()).toEqual(['Ben', 'Cleo']);
  const files = await filesOf(ofTracks);
  const after = JSON.parse(files.json);
  const isOther = ({ speaker }: { readonly speaker: string }) => speakers.some((other) => other.speaker === speaker);
  expect(after.turns).toEqual(before.turns.filter(isOther));
  expect(after.turns.length).toBeGreaterThanOrEqual(2);
  for (const format of transcriptFormats)
    for (const { text } of after.turns) expect(files[format]).toContain(text.split(' ').slice(0, 4).join(' '));
});
