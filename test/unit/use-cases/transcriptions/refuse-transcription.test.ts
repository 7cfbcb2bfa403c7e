import { expect, test } from 'vitest';
import { failure } from '#shared/domain/transcriptions/failures.ts';
import { refuseTranscription } from '#shared/use-cases/transcriptions/refuse-transcription.ts';
import { tombstone, transcriptionRecord } from '../../../support/operations/records.ts';

const read = transcriptionRecord({
  createdAt: '2026-03-01T10:00:00.000Z',
  startDate: '2026-03-01T09:00:00.000Z',
  endDate: '2026-03-01T10:00:00.000Z',
});
const corrected = { ...read, countedSeconds: 120 };

/** Refuses the transcription that was read, while another run has stored something else. Returns the seconds that were given back. */
async function refuseWhile(stored: typeof corrected | ReturnType<typeof tombstone>) {
  const tried: number[] = [];
  const applied = await refuseTranscription(
    {
      transcriptions: { abandon: async () => ({ applied: true }) },
      refusal: {
        abandonAndGiveBack: async (record, _failure, _dueAt, seconds) => {
          tried.push(seconds);
          const isStored = 'countedSeconds' in stored && record.countedSeconds === stored.countedSeconds;
          return isStored ? { applied: true } : { applied: false, stored };
        },
      },
      now: () => new Date('2026-03-01T11:00:00.000Z'),
      pause: async () => undefined,
    },
    read,
    failure('recording_missing'),
  );
  return { applied, tried };
}

test('a refusal gives back what another run has corrected meanwhile', async () => {
  expect(await refuseWhile(corrected)).toEqual({ applied: true, tried: [3600, 120] });
});

test('a refusal ends if the transcription was deleted meanwhile', async () => {
  expect(await refuseWhile(tombstone())).toEqual({ applied: false, tried: [3600] });
});
