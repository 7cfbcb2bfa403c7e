import { describe, expect, test } from 'vitest';
import { organization } from '../support/machine.ts';
import { finishRecording } from '../support/media/recordings.ts';
import { wordErrorRate } from '../support/transcriptions/word-error-rate.ts';
import { dateAt, documentOf, leadIn, line, recordedMedia, transcribed } from './recorded.ts';

const acme = organization();
const seconds = 36_000;
// Ten hours are cut into three pieces of 12 040 seconds, of which the second begins at 11 980. The pieces join in the middle of the overlap.
const join = 12_010;
const lines = [
  line('kal16', 2, 'Good morning, and thank you for joining this meeting.'),
  line('kal16', 11_990, 'The second question is about money.'),
  line('kal16', join - 1.5, 'The first question is how many people want to work on Sunday.'),
  line('kal16', 12_050, 'We have three hundred dollars for the next month.'),
  line('kal16', seconds - 5, 'The weather was beautiful on Monday afternoon.'),
];
const video = ['-f', 'lavfi', '-i', `color=size=320x240:rate=0.1:duration=${seconds}`, '-map', '0', '-map', '1'];
const coding = [...video, '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];

describe('an MKV of ten hours with a frame of video every ten seconds', () => {
  test('has the words of its beginning, of a cut and of its end once, at their times', async () => {
    const body = await recordedMedia({ from: 0, to: seconds, lines }, 'mkv', coding);
    const { recordingId } = await finishRecording(acme, { body, extension: 'mkv', endDate: dateAt(seconds) });

    const { path, transcription } = await transcribed(acme, recordingId);

    expect(transcription).toMatchObject({ state: 'ready', durationInSeconds: seconds });
    expect(transcription.recordedSeconds).toBeCloseTo(seconds, -1);
    expect(transcription.submittedSeconds).toBeCloseTo(seconds + 120, -1);
    const { turns } = await documentOf(acme, path);
    for (const { at, text } of lines) {
      const near = turns.filter(({ startSeconds, endSeconds }) => endSeconds > at && startSeconds < at + 6);
      expect(wordErrorRate(text, near.map((turn) => turn.text).join(' '))).toBeLessThanOrEqual(0.2);
      expect(Math.abs((near[0]?.startSeconds ?? 0) - at - leadIn)).toBeLessThanOrEqual(0.3);
    }
    expect(turns.length).toBeLessThanOrEqual(lines.length);
  });
});
