import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Transcription } from '#shared/contracts/transcriptions/transcription.ts';
import { foldersOf, generatedFileKey, jobOutputKey } from '#shared/domain/transcriptions/transcript-location.ts';
import {
  billableSeconds,
  existing,
  isDeleted,
  type TranscriptionRecord,
  toTranscription,
} from '#shared/domain/transcriptions/transcription.ts';
import { TranscriptionNotFound } from '#shared/runtime/errors.ts';
import { organizationId, tombstone, transcriptionRecord, uuid } from '../../../support/operations/records.ts';

test('a deleted transcription is treated as not found', () => {
  expect(isDeleted(tombstone())).toBe(true);
  expect(isDeleted(transcriptionRecord())).toBe(false);
  expect(() => existing(tombstone())).toThrow(TranscriptionNotFound);
  expect(() => existing(undefined)).toThrow(TranscriptionNotFound);
  expect(existing(transcriptionRecord())).toEqual(transcriptionRecord());
});

test.each<Partial<TranscriptionRecord>>([
  {},
  { state: 'ready', filename: 'a.md', durationInSeconds: 600 },
  { state: 'failed', failure: { code: 'no_speech', message: 'Silence.' } },
  { type: 'LIVE_TRANSCRIPTION', endDate: null, storageType: 'SELF_HOSTED' },
  {
    ...{ partCount: 2, recordedSeconds: 600.5, submittedSeconds: 900, approximateTimes: true },
    missing: [{ participantId: null, from: 0, to: 60, code: 'engine_error' }],
  },
])('toTranscription of %j returns what the contract defines, without internal fields', (facts) => {
  const shown = toTranscription(transcriptionRecord({ ...facts, dueAt: 'x', jobStartedAt: 'x' }));
  expect(Transcription.parse(shown)).toStrictEqual(shown);
  expect(Object.keys(shown)).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/organizationId|recordingId|location|dueAt|jobStartedAt/)]),
  );
});

test('toTranscription shows that one file is submitted as it is recorded, and leaves out what is not known', () => {
  const ofOneFile = toTranscription(transcriptionRecord({ recordedSeconds: 30.9 }));
  expect(ofOneFile).toMatchObject({ recordedSeconds: 30.9, submittedSeconds: 30.9 });
  const ofTracks = toTranscription(transcriptionRecord({ recordedSeconds: 600, submittedSeconds: 200 }));
  expect(ofTracks).toMatchObject({ recordedSeconds: 600, submittedSeconds: 200 });
  expect(Object.keys(toTranscription(transcriptionRecord()))).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(recorded|submitted)Seconds$|missing|approximate/)]),
  );
});

test.each([
  ['2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.000Z', 0],
  ['2026-03-01T09:00:00.000Z', '2026-03-01T09:00:00.001Z', 1],
  ['2026-03-01T09:00:00.000Z', '2026-03-01T09:00:01.000Z', 1],
  ['2026-03-01T09:00:00.000Z', '2026-03-01T09:00:01.001Z', 2],
  ['2024-02-28T23:59:59.000Z', '2024-03-01T00:00:00.000Z', 86_401],
  ['2026-03-01T09:00:01.000Z', '2026-03-01T09:00:00.000Z', 0],
])('billableSeconds from %s to %s is %d', (start, end, seconds) => {
  expect(billableSeconds(start, end)).toBe(seconds);
});

test('no two transcriptions share a folder, and no folder is inside another', () => {
  const owners = fc.record({
    organizationId: fc.stringMatching(/^[A-Za-z0-9_-]{1,4}$/).map((name) => organizationId(name)),
    transcriptionId: fc.uuid(),
  });
  fc.assert(
    fc.property(owners, owners, (one, other) => {
      fc.pre(one.organizationId !== other.organizationId || one.transcriptionId !== other.transcriptionId);
      const nested = foldersOf(one).filter((folder) => foldersOf(other).some((outer) => folder.startsWith(outer)));
      expect(nested).toEqual([]);
    }),
  );
});

test("every generated file is in one of its transcription's folders", () => {
  const owner = { organizationId: organizationId(), transcriptionId: uuid(1) };
  for (const key of [generatedFileKey(owner, 'md'), jobOutputKey(owner)]) {
    expect(foldersOf(owner).some((folder) => key.startsWith(folder))).toBe(true);
  }
});
