import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TranscriptDocument } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { Transcription } from '#shared/contracts/transcriptions/transcription.ts';
import type { MediaSpan } from '#shared/domain/media/media-plan.ts';
import type { Coding, Stretch } from '#tools/local/meeting/record.ts';
import { endpoints, organization, s3, sendRoomEvent } from '../support/machine.ts';
import { wordErrorRate } from '../support/transcriptions/word-error-rate.ts';
import { dateAt, documentOf, inWebmWithHole, leadIn, line, recordedMedia, startDate, transcribed } from './recorded.ts';

const acme = organization();
const end = 64;

const ada = [
  line('slt', 1, 'Good morning, and thank you for joining this meeting.'),
  line('slt', 44, 'Today we will talk about the summer holiday.'),
  line('slt', 51, 'Yes, I agree with you.'),
  line('slt', 58, 'Thank you very much, and have a good day.'),
];
const ben = [
  line('kal16', 9, 'The first question is how many people want to work on Sunday.'),
  line('kal16', 18, 'We have three hundred dollars for the next month.'),
  line('kal16', 40, 'I am back again, what did you talk about.'),
];
const cleo = [
  line('rms', 14, 'My answer to that question is very simple.'),
  line('rms', 23, 'That is not enough money for a new computer.'),
  line('rms', 30, 'The weather was beautiful on Monday afternoon.'),
  line('rms', 50, 'We talked about the weather and about the money.'),
];
/** What Cleo's microphone hears from her loudspeaker. */
const bleed = { ...line('slt', 44.1, 'Today we will talk about the summer holiday.'), gain: 0.1 };

type Track = Stretch & {
  readonly participantId: string;
  readonly extension: string;
  readonly coding: Coding;
  /** While a participant is muted, some platforms send no packets. That leaves a hole in the file. */
  readonly muted?: MediaSpan;
};

const tracks: readonly Track[] = [
  {
    participantId: 'ada',
    from: 0,
    to: end,
    lines: ada,
    extension: 'webm',
    coding: 'opus-dtx',
    muted: { from: 20, to: 40 },
  },
  { participantId: 'ben', from: 8, to: 26, lines: ben.slice(0, 2), extension: 'ogg', coding: 'opus-dtx' },
  { participantId: 'ben', from: 38, to: end, lines: ben.slice(2), extension: 'ogg', coding: 'opus-dtx' },
  {
    participantId: 'cleo',
    from: 12.5,
    to: end,
    lines: [...cleo, bleed],
    extension: 'wav',
    coding: ['-c:a', 'pcm_s16le', '-ar', '48000'],
  },
];

let transcription: Transcription;
let transcript: TranscriptDocument;

beforeAll(async () => {
  const recordingId = randomUUID();
  const Bucket = endpoints.buckets.recordings ?? '';
  const keyOf = (name: string, extension: string) => `${acme}/${recordingId}/${name}.${extension}`;
  const stored = tracks.map(async ({ participantId, extension, coding, muted, ...stretch }) => {
    const key = keyOf(`${participantId}-${stretch.from}`, extension);
    const file = await recordedMedia(stretch, muted ? 'ogg' : extension, coding);
    const Body = muted ? await inWebmWithHole(file, muted) : file;
    await s3.send(new PutObjectCommand({ Bucket, Key: key, Body }));
    const [start, stop] = [dateAt(stretch.from), dateAt(stretch.to)];
    return { participantId, location: { bucket: Bucket, key }, startDate: start, endDate: stop };
  });
  const lost = {
    participantId: 'dan',
    location: { bucket: Bucket, key: keyOf('dan', 'ogg') },
    startDate: dateAt(5),
    endDate: dateAt(50),
  };
  await sendRoomEvent(acme, 'recording.finished', {
    ...{ recordingId, roomName: '/weekly', roomSessionId: randomUUID(), startDate, endDate: dateAt(end) },
    tracks: [...(await Promise.all(stored)), lost],
  });
  const { path, transcription: ready } = await transcribed(acme, recordingId);
  transcription = ready;
  expect(transcription.state).toBe('ready');
  transcript = await documentOf(acme, path);
});

describe('a meeting of three voices, each on tracks of their own', () => {
  test.each([
    ['ada', ada],
    ['ben', ben],
    ['cleo', cleo],
  ] as const)('has every sentence of %s as theirs, at its time', (participantId, lines) => {
    const turns = turnsOf(participantId);
    for (const { at, text } of lines) {
      const turn = turns.find(({ startSeconds }) => Math.abs(startSeconds - at - leadIn) <= 0.3);
      expect(turn, text).toBeDefined();
      expect(wordErrorRate(text, turn?.text ?? '')).toBeLessThanOrEqual(0.25);
    }
    expect(turns).toHaveLength(lines.length);
  });

  test('knows all speakers by their microphones', () => {
    expect(transcript.speakers).toMatchObject(
      ['ada', 'ben', 'cleo'].map((participantId) => ({ participantId, source: 'track', input: 'microphone' })),
    );
    expect(transcript.turns.flatMap(({ words }) => words)).not.toEqual([]);
  });

  test('keeps that two people speak at once', () => {
    const long = turnsOf('cleo').at(-1);
    const short = turnsOf('ada').find(({ startSeconds }) => startSeconds > 47);

    expect(short?.startSeconds).toBeLessThan(long?.endSeconds ?? 0);
  });

  test('sets aside what a microphone heard of another speaker', () => {
    const text = transcript.echoes?.map((echo) => echo.text).join(' ') ?? '';

    expect(wordErrorRate(bleed.text, text)).toBeLessThanOrEqual(0.25);
  });

  test('names the lost track and its span, in the API and in the transcript', () => {
    const missing = [{ participantId: 'dan', source: 'microphone', from: 5, to: 50, code: 'recording_missing' }];

    expect(transcription.missing).toEqual(missing);
    expect(transcript.missing).toEqual(missing);
  });

  test('is billed by its dates, and submits what was said with half a second around it', () => {
    const spokenSeconds = [...ada, ...ben, ...cleo, bleed].length * 3;
    const keptSeconds = [...ada, ...ben, ...cleo, bleed].length * 1.5;

    expect(transcription.durationInSeconds).toBe(end);
    expect(transcription.submittedSeconds).toBeLessThan(spokenSeconds + keptSeconds);
  });
});

function turnsOf(participantId: string) {
  const own = transcript.speakers?.find((speaker) => speaker.participantId === participantId)?.speaker;
  return transcript.turns.filter(({ speaker }) => speaker === own);
}
