import type { TranscriptionPart } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { PlannedSource, WorkPlan } from '#shared/domain/transcriptions/parts/work-plan.ts';
import { organizationId, uuid } from '../operations/records.ts';

/** The work that the transcription of `transcriptionRecord` has begun. */
export const workKey = { organizationId: organizationId(), workId: uuid(1) };

/** A source whose one file begins at `offset`, by default as it is. Its first part has the number 1. */
export function plannedSource(facts: Partial<PlannedSource> & { readonly offset?: number } = {}): PlannedSource {
  const { offset = 0, ...others } = facts;
  return {
    participantId: null,
    isScreen: false,
    files: [{ bucket: 'recordings', key: 'a.ogg', bytes: 1, etag: 'e', offset, seconds: 600 }],
    plan: { kind: 'as_is', container: 'ogg', seconds: 600 },
    firstPart: 1,
    isApproximate: false,
    ...others,
  };
}

/** A plan with these sources of one part each, numbered in their order. */
export function workPlan(...sources: readonly PlannedSource[]): WorkPlan {
  const numbered = sources.map((source, index) => ({ ...source, firstPart: index + 1 }));
  const clock = { clockStart: '2026-03-01T09:00:00.000Z', hasWrongDate: false };
  return { sources: numbered, partCount: sources.length, recordedSeconds: 600, ...clock };
}

/** A part of the mixed file that is done, of ten minutes. */
export function transcriptionPart(facts: Partial<TranscriptionPart> = {}): TranscriptionPart {
  return {
    ...workKey,
    part: 1,
    state: 'done',
    participantId: null,
    from: 0,
    to: 600,
    file: { bucket: 'recordings', key: 'a.ogg' },
    submittedSeconds: 600,
    ...facts,
  };
}
