import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, test } from 'vitest';
import type { MediaSpan } from '#shared/domain/media/media-plan.ts';
import type { Stretch } from '#tools/local/meeting/record.ts';
import { endpoints, organization, s3, sendRoomEvent } from '../support/machine.ts';
import {
  type SpeakerAccuracy,
  shareOf,
  speakerAccuracy,
  type WordOf,
} from '../support/transcriptions/speaker-accuracy.ts';
import { dateAt, documentOf, inWebmWithHole, line, recordedMedia, startDate, transcribed } from './recorded.ts';
import { spokenWords, wordsOf } from './spoken-words.ts';

const end = 62;

type Track = Stretch & { readonly participantId: string; readonly muted?: MediaSpan };

/** Ada is muted for a while, Ben leaves and comes back in a second file, and Cleo comes late. People talk over each other three times. */
const tracks: readonly Track[] = [
  {
    ...{ participantId: 'ada', from: 0, to: end, muted: { from: 27, to: 37 } },
    lines: [
      line('slt', 1, 'Good morning, and thank you for joining this meeting.'),
      line('slt', 5, 'Today we will talk about the summer holiday.'),
      line('slt', 18.5, 'The second question is about money.'),
      line('slt', 38.5, 'The weather was beautiful on Monday afternoon.'),
      line('slt', 47, 'Yes, I agree with you.'),
      line('slt', 57, 'Thank you very much, and have a good day.'),
    ],
  },
  {
    ...{ participantId: 'ben', from: 7.5, to: 29 },
    lines: [
      line('kal16', 9, 'The first question is how many people want to work on Sunday.'),
      line('kal16', 20, 'We have three hundred dollars for the next month.'),
    ],
  },
  {
    ...{ participantId: 'ben', from: 40.3, to: end },
    lines: [
      line('kal16', 41.5, 'I am back again, what did you talk about.'),
      line('kal16', 53, 'We will meet again next week.'),
    ],
  },
  {
    ...{ participantId: 'cleo', from: 12.25, to: end },
    lines: [
      line('rms', 14, 'My answer to that question is very simple.'),
      line('rms', 27, 'That is not enough money for a new computer.'),
      line('rms', 32, 'We can ask the people at the office.'),
      line('rms', 45, 'We talked about the weather and about the money.'),
    ],
  },
];

let said: WordOf[];
let heard: WordOf[];
let accuracy: SpeakerAccuracy;

beforeAll(async () => {
  const acme = organization();
  const [recordingId, bucket] = [randomUUID(), String(endpoints.buckets.recordings)];
  const stored = tracks.map(async ({ participantId, muted, ...stretch }) => {
    const key = `${acme}/${recordingId}/${participantId}-${stretch.from}.${muted ? 'webm' : 'ogg'}`;
    const file = await recordedMedia(stretch, 'ogg', 'opus-dtx');
    const Body = muted ? await inWebmWithHole(file, muted) : file;
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body }));
    const [start, stop] = [dateAt(stretch.from), dateAt(stretch.to)];
    return { participantId, location: { bucket, key }, startDate: start, endDate: stop };
  });
  const spoken = tracks.flatMap(({ participantId, lines }) => lines.map((each) => spokenWords(participantId, each)));
  said = (await Promise.all(spoken)).flat();
  await sendRoomEvent(acme, 'recording.finished', {
    ...{ recordingId, roomName: '/weekly', roomSessionId: randomUUID(), startDate, endDate: dateAt(end) },
    tracks: await Promise.all(stored),
  });
  const { path, transcription } = await transcribed(acme, recordingId);
  expect(transcription).toMatchObject({ state: 'ready' });
  heard = wordsOf(await documentOf(acme, path));
  accuracy = speakerAccuracy(said, heard);
  const { overall, alone, found, largestDifferenceSeconds } = accuracy;
  const shown = [overall, alone, found].map((score) => `${score.right} of ${score.words}`);
  process.stdout.write(
    `Words by the right person: ${shown[0]}, and where nobody overlaps ${shown[1]}. Words of the script found: ${shown[2]}, at most ${largestDifferenceSeconds.toFixed(3)} s from their times.\n`,
  );
});

describe('the words of three people on tracks of their own', () => {
  test('are all by the right person where nobody overlaps, and at least 95 % overall', () => {
    expect(shareOf(accuracy.alone)).toBe(1);
    expect(shareOf(accuracy.overall)).toBeGreaterThanOrEqual(0.95);
    expect(accuracy.overall.words - accuracy.alone.words).toBeGreaterThan(10); // some do overlap
  });

  test('are at their times, within 0.3 s', () => {
    expect(accuracy.largestDifferenceSeconds).toBeLessThanOrEqual(0.3);
  });

  test('are nearly all there, so that these figures mean something', () => {
    expect(shareOf(accuracy.found)).toBeGreaterThanOrEqual(0.85);
  });

  test('would not be right if two people were swapped, or a track were a second late', () => {
    const swapped = heard.map((word) => ({ ...word, person: { ada: 'ben', ben: 'ada' }[word.person] ?? word.person }));
    const late = heard.map((word) => ({
      ...word,
      startSeconds: word.startSeconds + (word.person === 'cleo' ? 1 : 0),
      endSeconds: word.endSeconds + (word.person === 'cleo' ? 1 : 0),
    }));

    expect(shareOf(speakerAccuracy(said, swapped).alone)).toBeLessThan(0.5);
    expect(speakerAccuracy(said, late).largestDifferenceSeconds).toBeGreaterThan(0.7);
  });
});
