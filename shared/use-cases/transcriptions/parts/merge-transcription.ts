import type { Failure, FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import type { SessionKey } from '#shared/domain/insights/participant-record.ts';
import type { TimeMap } from '#shared/domain/media/media-time-map.ts';
import type { SpeakerEvidence } from '#shared/domain/speakers/name-mixed.ts';
import { shownSpans } from '#shared/domain/transcript/missing-spans.ts';
import type { Spoken } from '#shared/domain/transcript/transcript.ts';
import { failure } from '#shared/domain/transcriptions/failures.ts';
import {
  type HeardPart,
  hasApproximateTimes,
  isMixed,
  mergeParts,
  onRecordingClock,
} from '#shared/domain/transcriptions/parts/merge-parts.ts';
import {
  hasEnded,
  type TranscriptionPart,
  type Work,
  type WorkKey,
} from '#shared/domain/transcriptions/parts/transcription-part.ts';
import type { PlannedSource, WorkPlan } from '#shared/domain/transcriptions/parts/work-plan.ts';
import { billedOfParts, submittedOfParts } from '#shared/domain/transcriptions/recognized-seconds.ts';
import { partMapKey, partOutputKey } from '#shared/domain/transcriptions/transcript-location.ts';
import { isInProgress, type TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { type EvidenceDependencies, readEvidence } from '#shared/use-cases/speakers/read-evidence.ts';
import type { WorkStore } from '#shared/use-cases/transcriptions/parts/ports.ts';
import type { TranscriptFileStore } from '#shared/use-cases/transcriptions/ports.ts';
import { type EndDependencies, endWork, type Finished, type WorkResult } from '../end-work.ts';
import { type OutputDependencies, readOutput } from '../engine-output.ts';
import { readPlan } from './work-plan-file.ts';

/** Above the largest time map: a day with a pause in each second. */
const maxMapBytes = 16 * 1024 * 1024;

/** More words do not fit into the memory of the worker: over 150 hours in which somebody speaks all the time. */
export const mostWords = 1_500_000;

/** What `mergeTranscription` needs. */
export type MergeDependencies = EndDependencies &
  OutputDependencies &
  EvidenceDependencies & {
    readonly works: Pick<WorkStore, 'find' | 'listParts' | 'remove'>;
    readonly files: Pick<TranscriptFileStore, 'removeWork'>;
    /** The parts after so many words count as failed. */
    readonly maxWords?: number | undefined;
  };

/**
 * Ends the transcription all of whose parts have ended, and removes the work: its rows and intermediate files. It is safe to repeat and
 * to run concurrently: the work is removed only after the transcription has ended, so a call that no longer finds a file of it looks
 * at the transcription again.
 */
export function mergeTranscription(deps: MergeDependencies, work: WorkKey): Promise<Finished> {
  return endWork(deps, {
    key: { organizationId: work.organizationId, transcriptionId: work.workId },
    read: (owner) => readWork(deps, work, owner),
    remove: async (stored) => {
      // The rows name the jobs that the reconciler removes with the work of a deleted or abandoned transcription.
      if (stored?.dueAt !== undefined) return;
      await deps.files.removeWork(work);
      await deps.works.remove(work);
    },
  });
}

async function readWork(
  deps: MergeDependencies,
  work: WorkKey,
  record: TranscriptionRecord,
): Promise<WorkResult | Failure | 'owner-changed' | undefined> {
  const head = await deps.works.find(work);
  const parts = head ? await deps.works.listParts(work) : [];
  if (!head || !haveAllEnded(head, parts)) return undefined; // the end of the last part sends the message again
  const plan = await readPlan(deps.files, head.planKey);
  const heard = plan && (await readParts(deps, plan, parts, record.options));
  // Nobody removes files of a transcription in progress. If it has ended meanwhile, some of them may have been missing.
  if (!isInProgress(await deps.transcriptions.find(record.organizationId, record.transcriptionId)))
    return 'owner-changed';
  if (!heard) return failure('engine_error');
  return resultOf(mergeParts(plan, heard, await evidenceOf(deps, plan, record), record.options?.channels), parts);
}

/** When somebody spoke matters only in a mixed file: a track is a participant's. */
function evidenceOf(deps: MergeDependencies, plan: WorkPlan, session: SessionKey): Promise<SpeakerEvidence> {
  const { clockStart, recordedSeconds } = plan;
  const seconds = isMixed(plan) && !hasApproximateTimes(plan) ? recordedSeconds : undefined;
  return readEvidence(deps, session, { clockStart, seconds });
}

function haveAllEnded({ partCount }: Work, parts: readonly TranscriptionPart[]): boolean {
  return parts.length === partCount && parts.every(hasEnded);
}

function resultOf(
  transcript: ReturnType<typeof mergeParts>,
  parts: readonly TranscriptionPart[],
): WorkResult | Failure {
  if (typeof transcript === 'string') return failure(transcript);
  const { recordedSeconds, missing = [], approximateTimes } = transcript;
  const facts = {
    recordedSeconds,
    submittedSeconds: submittedOfParts(parts),
    ...(missing.length > 0 && { missing: shownSpans(missing) }),
    ...(approximateTimes && { approximateTimes }),
  };
  return { transcript, facts, transcribedSeconds: billedOfParts(parts) };
}

const tooMuch = { failureCode: 'engine_error' } as const;

/** Reads one part after the other, so that only their words are in memory. */
async function readParts(
  deps: MergeDependencies,
  plan: WorkPlan,
  parts: readonly TranscriptionPart[],
  options: TranscriptionOptions | undefined,
): Promise<HeardPart[]> {
  const { maxWords = mostWords } = deps;
  const heard: HeardPart[] = [];
  let words = 0;
  for (const part of parts) {
    const { participantId, from, to } = part;
    const source = plan.sources.findLastIndex(({ firstPart }) => firstPart <= part.part);
    const read = words < maxWords ? await readPart(deps, plan.sources[source], part, options) : tooMuch;
    if ('spoken' in read) words += read.spoken.items.length;
    heard.push({ participantId, from, to, source, ...read });
  }
  return heard;
}

/**
 * What was said in a part. Transcribe writes an output before it reports the end of a job, and S3 shows it at once. So an output that is
 * missing does not come any more, and the part has failed.
 */
async function readPart(
  deps: MergeDependencies,
  source: PlannedSource | undefined,
  part: TranscriptionPart,
  options: TranscriptionOptions | undefined,
): Promise<{ readonly spoken: Spoken } | { readonly failureCode: FailureCode }> {
  if (part.state === 'failed') return { failureCode: part.failureCode ?? 'engine_error' };
  if (!part.file) return { spoken: { languageCode: null, items: [] } }; // there was only silence
  const [spoken, map] = await Promise.all([
    readOutput(deps, partOutputKey(part), options),
    source?.plan.kind === 'prepare' ? readMap(deps, part) : undefined,
  ]);
  if (!source || typeof spoken === 'string' || map === 'missing') return { failureCode: 'engine_error' };
  return { spoken: onRecordingClock(spoken, map, source) };
}

async function readMap({ files }: MergeDependencies, part: TranscriptionPart): Promise<TimeMap | 'missing'> {
  const file = await files.read(partMapKey(part), maxMapBytes);
  return typeof file === 'string' ? 'missing' : (JSON.parse(file.text) as TimeMap);
}
