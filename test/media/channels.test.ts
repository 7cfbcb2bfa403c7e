import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { TranscriptDocument } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { TranscriptionDetail } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { type Line, record } from '#tools/local/meeting/record.ts';
import { succeed } from '../support/client/run-program.ts';
import { eventually } from '../support/eventually.ts';
import { clientOf } from '../support/http/checked-api.ts';
import { at, send, sessionOf, untilCounted } from '../support/insights/insights.ts';
import { organization } from '../support/machine.ts';
import { ended, finishRecording } from '../support/media/recordings.ts';
import { shareOf, speakerAccuracy } from '../support/transcriptions/speaker-accuracy.ts';
import { documentOf, line, recordedMedia } from './recorded.ts';
import { spokenWords, wordsOf } from './spoken-words.ts';

const acme = organization();
const session = sessionOf(acme, { roomName: '/channels' });
const end = 26;

/** Ada is on the first channel and silent for a while. Ben is on the second, and once both speak. */
const lines = {
  ada: [
    line('slt', 1, 'Good morning, and thank you for joining this meeting.'),
    line('slt', 21, 'Thank you very much, and have a good day.'),
  ],
  ben: [
    line('kal16', 6, 'The first question is how many people want to work on Sunday.'),
    line('kal16', 13, 'We have three hundred dollars for the next month.'),
    line('kal16', 22, 'The weather was beautiful on Monday afternoon.'),
  ],
};
const channels = ['ada', 'ben'] as const;

beforeAll(async () => {
  const joins = [
    session.joined('ada', '08:59', { displayName: 'Ada' }),
    session.joined('ben', '08:59', { displayName: 'Ben' }),
  ];
  const events = [session.started('08:59'), ...joins, session.ended('09:30')];
  await send(...events);
  await untilCounted(acme, events);
});

describe.each([
  ['wav', ['-c:a', 'pcm_s16le'], 'that Transcribe takes as it is'],
  ['mkv', ['-c:a', 'libopus', '-b:a', '48k'], 'whose packets are copied first'],
])('a stereo file (%s)', (extension, coding, what) => {
  let transcription: TranscriptionDetail;
  let transcript: TranscriptDocument;

  beforeAll(async () => {
    const file = await stereo(extension, coding, lines.ada, lines.ben);
    const made = await transcribe(extension, file);
    transcription = made.transcription;
    expect(transcription).toMatchObject({ state: 'ready', options: { channels } });
    transcript = await documentOf(acme, made.path);
  });

  test(`${what} has each word by the participant of its channel, at its time`, async () => {
    const spoken = channels.map((person) => lines[person].map((each) => spokenWords(person, each)));
    const said = (await Promise.all(spoken.flat())).flat();
    const { alone, overall, found, largestDifferenceSeconds } = speakerAccuracy(said, wordsOf(transcript));

    expect([shareOf(alone), shareOf(overall)]).toEqual([1, 1]);
    expect(shareOf(found)).toBeGreaterThan(0.85);
    expect(largestDifferenceSeconds).toBeLessThanOrEqual(0.3);
  });

  test('names both by their channels, and keeps that they speak at once', () => {
    expect(transcription.speakers).toMatchObject([
      { participantId: 'ada', displayName: 'Ada', source: 'channel', confidence: 1 },
      { participantId: 'ben', displayName: 'Ben', source: 'channel', confidence: 1 },
    ]);
    expect(transcription.speakers?.map(({ overlapSeconds }) => overlapSeconds > 0)).toEqual([true, true]);
  });
});

test('a file with one channel is refused before a job starts, because nobody could be told apart', async () => {
  const mono = await recordedMedia({ lines: lines.ada.slice(0, 1), from: 0, to: 5 }, 'wav', ['-c:a', 'pcm_s16le']);
  const { transcription } = await transcribe('wav', mono);

  expect(transcription).toMatchObject({ state: 'failed', failure: { code: 'not_two_channels' } });
  expect(transcription.submittedSeconds).toBeUndefined();
});

/** A file whose channels are the lines of two people. */
async function stereo(extension: string, coding: readonly string[], ...people: readonly (readonly Line[])[]) {
  const inputs = await Promise.all(
    people.map(async (own) => {
      const file = path.join(inject('machine').temporaryFolder, `${randomUUID()}.wav`);
      await record({ lines: own, from: 0, to: end }, file, ['-c:a', 'pcm_s16le'], AbortSignal.timeout(120_000));
      return ['-i', file];
    }),
  );
  const target = path.join(inject('machine').temporaryFolder, `${randomUUID()}.${extension}`);
  const join = ['-filter_complex', '[0:a][1:a]join=inputs=2:channel_layout=stereo', ...coding, target];
  await succeed('ffmpeg', ['-nostdin', '-loglevel', 'error', '-y', ...inputs.flat(), ...join], {
    folder: path.dirname(target),
  });
  return readFile(target);
}

async function transcribe(extension: string, body: Buffer) {
  const { roomName, roomSessionId } = session;
  const span = { startDate: at('09:00'), endDate: at('09:00:26') };
  const facts = { body, extension, roomName, roomSessionId, filename: `meeting.${extension}`, ...span };
  const { recordingId } = await finishRecording(acme, facts);
  const created = await eventually(async () => {
    const answer = await clientOf(acme)('POST', '/v1/transcriptions', { body: { recordingId, options: { channels } } });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return String(answer.headers.location);
  });
  return { path: created, transcription: await ended(acme, created, 150_000) };
}
