import { expect, test } from 'vitest';
import type { TranscriptionPart } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { WorkPlan } from '#shared/domain/transcriptions/parts/work-plan.ts';
import {
  billedOfJob,
  billedOfParts,
  correctedSeconds,
  countedSeconds,
  secondsOfParts,
  secondsToGiveBack,
  submittedOfParts,
} from '#shared/domain/transcriptions/recognized-seconds.ts';
import { transcriptionRecord, uuid } from '../../../support/operations/records.ts';

const startDate = '2026-03-01T10:00:00.000Z';

test.each([
  ['its length, with a started second as a whole one', '2026-03-01T10:10:00.001Z', 601],
  ['the fewest seconds that Transcribe bills, if its dates are equal', startDate, 15],
  ['the longest length', '2026-03-02T10:00:00.000Z', 86_400],
  ['the longest length, if its dates are further apart', '2026-03-20T10:00:00.000Z', 86_400],
])('a recording counts %s', (_what, endDate, seconds) => {
  expect(countedSeconds({ startDate, endDate })).toBe(seconds);
});

test.each([
  ['its counted seconds', {}, '2026-03-01T23:59:59.999Z', 600],
  ['nothing once the day has ended', {}, '2026-03-02T00:00:00.000Z', 0],
  ['nothing once its job has started', { jobStartedAt: startDate }, startDate, 0],
  ['nothing if it has taken over a job', { workId: uuid(9) }, startDate, 0],
  ['what it was corrected to', { countedSeconds: 90 }, startDate, 90],
])('a transcription that fails gives back %s', (_what, facts, now, seconds) => {
  const record = transcriptionRecord({ createdAt: startDate, ...facts });
  expect(secondsToGiveBack(record, new Date(now))).toBe(seconds);
});

test.each([
  ['about as long as its dates', {}, 660, undefined],
  ['a little longer', {}, 660.01, 661],
  ['shorter, by a header that may lie', {}, 20, undefined],
  ['counted correctly before', { countedSeconds: 1200 }, 1200, undefined],
  ['counted by the transcription that it has taken the job from', { workId: uuid(9) }, 1200, undefined],
  ['shorter than Transcribe bills', { endDate: transcriptionRecord().startDate }, 16.6, 17],
])('the count of a plain recording that is %s is corrected if needed', (_what, facts, seconds, expected) => {
  expect(correctedSeconds(transcriptionRecord(facts), seconds)).toBe(expected);
});

const file = { bucket: 'work', key: '1.ogg' };
const part = (submittedSeconds: number, facts: Partial<TranscriptionPart> = {}): TranscriptionPart => ({
  ...{ organizationId: transcriptionRecord().organizationId, workId: uuid(1), part: 1, state: 'waiting' },
  ...{ participantId: null, from: 0, to: 1, file, submittedSeconds, ...facts },
});

const plans = {
  prepare: { kind: 'prepare', output: 'ogg', pieces: [] },
  as_is: { kind: 'as_is', container: 'mp4', seconds: 20 },
} as const;
const planOf = (...kinds: (keyof typeof plans)[]): Pick<WorkPlan, 'sources'> => ({
  sources: kinds.map((kind) => ({
    ...{ participantId: null, isScreen: false, files: [], firstPart: 1, isApproximate: false },
    plan: plans[kind],
  })),
});

test.each([
  ['the seconds of their files, at least 15 each', {}, [part(100.5), part(1), part(0, { file: undefined })], 116],
  ['nothing, if no part has a file', {}, [part(0, { file: undefined })], 0],
  ['what the dates of a taken-over work have not counted', { workId: uuid(9) }, [part(700)], 100],
  ['nothing, if a taken-over work is shorter than its dates', { workId: uuid(9) }, [part(500)], 0],
])('parts count %s', (_what, facts, parts, seconds) => {
  expect(secondsOfParts(transcriptionRecord(facts), planOf('prepare'), parts)).toBe(seconds);
});

test('parts of a taken-over work count nothing if the one that began it has counted them', () => {
  expect(secondsOfParts(transcriptionRecord({ workId: uuid(9) }), planOf('prepare'), [part(700)], true)).toBe(0);
});

test('parts count less than the dates only if none of their lengths is that of a header', () => {
  const parts = [part(100), part(20)];
  expect(secondsOfParts(transcriptionRecord(), planOf('prepare', 'prepare'), parts)).toBe(120);
  expect(secondsOfParts(transcriptionRecord(), planOf('prepare', 'as_is'), parts)).toBe(600);
  expect(secondsOfParts(transcriptionRecord(), planOf('prepare', 'as_is'), [part(700), part(20)])).toBe(720);
});

test('the submitted seconds of parts have no artifacts of addition', () => {
  expect(submittedOfParts([part(0.1), part(0.2)])).toBe(0.3);
  expect(submittedOfParts([])).toBe(0);
});

test.each([
  ['the seconds of its file, with a started second as a whole one', { recordedSeconds: 60.001 }, 61],
  ['at least 15 seconds', { recordedSeconds: 2 }, 15],
  ['the seconds of its dates, if those of the file are not known', { recordedSeconds: undefined }, 600],
])('Transcribe bills for one job %s', (_what, facts, seconds) => {
  expect(billedOfJob({ startDate, endDate: '2026-03-01T10:10:00.000Z', ...facts })).toBe(seconds);
});

test('Transcribe bills for parts the seconds of each one that is done, at least 15, and nothing without a job', () => {
  const done = [part(100.2, { state: 'done' }), part(3, { state: 'done' })];
  const others = [part(50, { state: 'failed' }), part(40, { state: 'done', file: undefined })];
  expect(billedOfParts([...done, ...others])).toBe(101 + 15);
});
