import { randomUUID } from 'node:crypto';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from 'vitest';
import { Speaker } from '#shared/contracts/transcript/speaker.ts';
import { TranscriptDocument } from '#shared/contracts/transcriptions/transcript-document.ts';
import { type TranscriptFormat, transcriptFormats } from '#shared/contracts/transcriptions/transcription.ts';
import { TranscriptionDetail, TranscriptionPage } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, codeOf, issuePaths, read } from '../../support/http/checked-api.ts';
import { at, send, sessionOf, untilCounted } from '../../support/insights/insights.ts';
import { dynamodb, endpoints, organization, s3, sendRoomEvent } from '../../support/machine.ts';
import { createTranscription, ended, linkTo, sampleWav } from '../../support/media/recordings.ts';
import { cutWav } from '../../support/media/wav.ts';
import { transcriptKeysWith } from '../../support/storage/storage.ts';
import { moveApart, rowApart } from '../../support/transcriptions/speakers-apart.ts';

/** The words of the sample that each of them says, in seconds of the sample, and when they begin to speak. */
const people = [
  { participantId: 'p-ada', displayName: 'Ada Lovelace', from: 0, seconds: 4, begins: '09:00:00' },
  { participantId: 'p-ben', displayName: 'Ben & Co', from: 4, seconds: 4.5, begins: '09:00:05' },
] as const;

/** A session of Ada and Ben, whose microphones were recorded, and its transcription, which is ready. */
async function meeting() {
  const acme = organization();
  const session = sessionOf(acme, { roomName: '/speakers' });
  const joins = people.map(({ participantId, displayName }) => session.joined(participantId, '08:59', { displayName }));
  const events = [session.started('08:59'), ...joins, session.ended('09:01')];
  await send(...events);
  await untilCounted(acme, events);
  const recordingId = randomUUID();
  const { roomName, roomSessionId } = session;
  const tracks = await Promise.all(people.map((person) => uploadTrack(`${acme}/${recordingId}`, person)));
  const span = { startDate: at('09:00'), endDate: at('09:00:30') };
  await sendRoomEvent(acme, 'recording.finished', { recordingId, roomName, roomSessionId, ...span, tracks });
  const { path, transcriptionId } = await createTranscription(acme, recordingId);
  expect(await ended(acme, path)).toMatchObject({ state: 'ready' });
  const call = clientOf(acme);
  return {
    ...{ acme, call, path, transcriptionId, recordingId },
    detail: async () => read(TranscriptionDetail, await call('GET', path)),
    speakerPath: (speaker: string) => `${path}/speakers/${encodeURIComponent(speaker)}`,
    /** The text of each file. */
    files: async () => {
      const texts = transcriptFormats.map(async (format) => {
        const { accessLink } = await linkTo(acme, path, format);
        return [format, await (await fetch(accessLink)).text()] as const;
      });
      return Object.fromEntries(await Promise.all(texts)) as Record<TranscriptFormat, string>;
    },
  };
}

async function uploadTrack(folder: string, { participantId, from, seconds, begins }: (typeof people)[number]) {
  const location = { bucket: String(endpoints.buckets.recordings), key: `${folder}/${participantId}.wav` };
  const Body = cutWav(sampleWav, from, from + seconds);
  await s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: location.key, Body }));
  const endDate = new Date(Date.parse(at(begins)) + seconds * 1000).toISOString();
  return { participantId, location, startDate: at(begins), endDate };
}

/** The names as the formats write them. */
const spelled: Record<TranscriptFormat, (name: string) => string> = {
  md: (name) => `**${name.replace('&', '\\&')}**`,
  txt: (name) => `] ${name}: `,
  vtt: (name) => `<v ${name.replace('&', '&amp;')}>`,
  srt: (name) => `${name}: `,
  json: (name) => `"displayName":${JSON.stringify(name)}`,
};

function expectNames(files: Record<TranscriptFormat, string>, names: readonly string[]): void {
  for (const format of transcriptFormats)
    for (const name of names) expect(files[format], format).toContain(spelled[format](name));
}

async function rowOf(acme: string, transcriptionId: string) {
  const Key = { organizationId: { S: acme }, transcriptionId: { S: `${transcriptionId}#speakers` } };
  const TableName = endpoints.tables.transcriptions;
  return (await dynamodb.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }))).Item;
}

describe('the speakers of a recording with tracks', () => {
  let made: Awaited<ReturnType<typeof meeting>>;

  beforeAll(async () => {
    made = await meeting();
  });

  test('are named after the participants in the transcription and in all formats, and lists are without them', async () => {
    const { call, detail, files } = made;

    const { speakers = [], language } = await detail();

    expect(language).toBe('en-US');
    expect(speakers).toEqual(
      people.map(({ participantId, displayName }, index) => ({
        ...{ speaker: `Speaker ${index + 1}`, participantId, displayName, source: 'track', confidence: 1 },
        ...{ input: 'microphone', turns: expect.any(Number), share: expect.any(Number), overlapSeconds: 0 },
        ...{ spokenSeconds: expect.any(Number), longestTurnSeconds: expect.any(Number) },
      })),
    );
    expect(speakers.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 2);
    const texts = await files();
    expectNames(
      texts,
      people.map(({ displayName }) => displayName),
    );
    const document = TranscriptDocument.parse(JSON.parse(texts.json));
    expect(document.speakers).toEqual(speakers);
    for (const { words, text, startSeconds, endSeconds } of document.turns) {
      expect(words.map((word) => word.text).join(' ')).toBe(text);
      expect([words.at(0)?.startSeconds, words.at(-1)?.endSeconds]).toEqual([startSeconds, endSeconds]);
    }
    const list = read(TranscriptionPage, await call('GET', '/v1/transcriptions'));
    expect(list.results).toHaveLength(1);
    expect(Object.keys(list.results[0] ?? {})).not.toEqual(expect.arrayContaining(['speakers']));
  });

  test.each([
    ['neither a participant nor a name', {}],
    ['both', { participantId: 'p-ada', displayName: 'Ada' }],
    ['an empty name', { displayName: ' ' }],
    ['a name with a control character', { displayName: 'A\u0007da' }],
    ['a name with a lone surrogate', { displayName: 'A\ud800da' }],
    ['a name that turns the direction of the text', { displayName: '\u202eAda' }],
    ['a name that shows nothing', { displayName: '\u200b' }],
    ['only an unknown field', { name: 'Ada' }],
  ])('are refused a correction with %s', async (_, body) => {
    const answer = await made.call('PUT', made.speakerPath('Speaker 1'), { body });

    expect([answer.status, codeOf(answer)]).toEqual([400, 'invalid_request']);
    expect(issuePaths(answer)).toHaveLength(1);
    expect((await made.detail()).speakers?.map(({ source }) => source)).toEqual(['track', 'track']);
  });

  test.each([
    ['an unknown speaker', 'Speaker 9', { displayName: 'Ada' }, 'speaker_not_found'],
    ['the name of a speaker instead of the label', 'Ada Lovelace', { displayName: 'Ada' }, 'speaker_not_found'],
    ['a name of every object', '__proto__', { displayName: 'Ada' }, 'speaker_not_found'],
    ['an unknown participant', 'Speaker 1', { participantId: 'p-cleo' }, 'participant_not_found'],
  ])('are not found for %s', async (_, speaker, body, code) => {
    const answer = await made.call('PUT', made.speakerPath(speaker), { body });

    expect([answer.status, codeOf(answer)]).toEqual([404, code]);
    if (code === 'speaker_not_found')
      expect((await made.call('DELETE', made.speakerPath(speaker))).text).toBe(answer.text);
  });

  test('belong to their organization: others get the answer for an unknown transcription', async () => {
    const other = clientOf(organization());
    const unknown = `/v1/transcriptions/${randomUUID()}/speakers/Speaker%201`;
    const body = { displayName: 'Mallory' };

    for (const [method, more] of [['PUT', { body }] as const, ['DELETE', {}] as const]) {
      const foreign = await other(method, made.speakerPath('Speaker 1'), more);
      expect([foreign.status, codeOf(foreign)]).toEqual([404, 'transcription_not_found']);
      expect(foreign.text).toBe((await other(method, unknown, more)).text);
    }
    expect((await made.detail()).speakers?.map(({ displayName }) => displayName)).not.toContain('Mallory');
  });
});

test('a correction shows at once in the transcription and soon in all files and links, until it is undone or deleted', async () => {
  const { acme, call, path, transcriptionId, recordingId, detail, files, speakerPath } = await meeting();
  const links = await Promise.all(transcriptFormats.map((format) => linkTo(acme, path, format)));
  const before = await detail();
  const texts = await files();

  const byName = await call('PUT', speakerPath('Speaker 1'), { body: { displayName: ' Grace Hopper ' } });
  const [first] = before.speakers ?? [];
  const grace = { ...first, participantId: null, displayName: 'Grace Hopper', source: 'corrected', confidence: 1 };
  expect(read(Speaker, byName)).toEqual(grace);
  expect((await detail()).speakers).toEqual([grace, before.speakers?.[1]]);
  const byParticipant = await call('PUT', speakerPath('Speaker 2'), { body: { participantId: 'p-ada' } });
  expect(read(Speaker, byParticipant)).toMatchObject({
    ...{ speaker: 'Speaker 2', participantId: 'p-ada', displayName: 'Ada Lovelace', source: 'corrected' },
  });
  await eventually(async () => {
    const linked = links.map(async ({ accessLink }) => (await fetch(accessLink)).text());
    const now = await Promise.all(linked);
    for (const [index, format] of transcriptFormats.entries()) {
      for (const name of ['Grace Hopper', 'Ada Lovelace']) expect(now[index]).toContain(spelled[format](name));
      expect(now[index]).not.toContain('Ben');
    }
  });

  for (const speaker of ['Speaker 1', 'Speaker 2', 'Speaker 2'])
    expect((await call('DELETE', speakerPath(speaker))).status).toBe(204);
  expect(await detail()).toEqual(before);
  await eventually(async () => expect(await files()).toEqual(texts));

  expect((await call('PUT', speakerPath('Speaker 1'), { body: { displayName: 'Grace Hopper' } })).status).toBe(200);
  expect((await call('DELETE', path)).status).toBe(204);
  const late = await call('PUT', speakerPath('Speaker 1'), { body: { displayName: 'Too late' } });
  expect([late.status, codeOf(late)]).toEqual([404, 'transcription_not_found']);
  await eventually(async () => {
    expect(await rowOf(acme, transcriptionId)).toBeUndefined();
    expect(await transcriptKeysWith(transcriptionId, `generated/${acme}/`)).toEqual([]);
  });

  const { path: another } = await createTranscription(acme, recordingId);
  await ended(acme, another);
  const { speakers } = read(TranscriptionDetail, await call('GET', another));
  expect(speakers).toEqual(before.speakers);
});

test('speakers that are stored as before, apart from their transcription, are shown, corrected and removed', async () => {
  const { acme, call, path, transcriptionId, detail, files, speakerPath } = await meeting();
  const before = await detail();
  const key = { organizationId: acme, transcriptionId };
  await moveApart(key);

  expect(await detail()).toEqual(before);
  expect((await call('PUT', speakerPath('Speaker 1'), { body: { displayName: 'Grace Hopper' } })).status).toBe(200);
  expect((await detail()).speakers?.map(({ displayName }) => displayName)).toEqual(['Grace Hopper', 'Ben & Co']);
  expect([await rowApart(key), await rowOf(acme, transcriptionId)]).toMatchObject([{ revision: 1 }, undefined]);
  await eventually(async () => expectNames(await files(), ['Grace Hopper']));

  expect((await call('DELETE', path)).status).toBe(204);
  expect(await rowApart(key)).toBeUndefined();
});
