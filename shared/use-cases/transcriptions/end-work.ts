import type { Failure } from '#shared/contracts/transcriptions/transcription.ts';
import { foldVoices } from '#shared/domain/speakers/fold-voices.ts';
import { speakersOf } from '#shared/domain/transcript/speakers.ts';
import type { Transcript } from '#shared/domain/transcript/transcript.ts';
import type { WorkOwner } from '#shared/domain/transcriptions/parts/work.ts';
import { generatedFilename } from '#shared/domain/transcriptions/transcript-location.ts';
import {
  billableSeconds,
  isDeleted,
  isGone,
  isInProgress,
  isReady,
  type StoredTranscription,
  type TranscriptionKey,
  type TranscriptionRecord,
} from '#shared/domain/transcriptions/transcription.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import type { TranscriptFileStore, TranscriptionStore } from './ports.ts';
import type { SendTranscriptChange, SpeakerStore } from './speakers/ports.ts';
import { writeFormats, writeWords } from './write-transcript.ts';

/** How often a transcription may be deleted, and its work be taken over, while one call ends it. */
const maxOwners = 5;

/** What `endWork` needs. */
export type EndDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find' | 'markReady' | 'markFailed' | 'withdrawWork'>;
  readonly files: Pick<TranscriptFileStore, 'write' | 'removeGenerated'>;
  readonly speakers: Pick<SpeakerStore, 'begin' | 'find'>;
  readonly sendChange: SendTranscriptChange;
};

/** Longer than it takes to store a state: by then it is stored, or never will be. */
const safetyDelaySeconds = 45;

/** A transcript, and what else is known about a transcription that was made in parts. */
export type WorkResult = {
  readonly transcript: Transcript;
  readonly facts?: Pick<TranscriptionRecord, 'recordedSeconds' | 'submittedSeconds' | 'missing' | 'approximateTimes'>;
  /** The seconds that Transcribe bills for the work. */
  readonly transcribedSeconds: number;
};

/** A work that has ended: a job, or parts that are merged. */
type EndedWork = {
  /** The id of the transcription that began the work. */
  readonly key: TranscriptionKey;
  /** Reads the transcript, or why there is none. Undefined: another call ends the work. `owner-changed`: look again whose it is. */
  readonly read: (owner: TranscriptionRecord) => Promise<WorkResult | Failure | 'owner-changed' | undefined>;
  /** Removes what the work has besides files in the folders of transcriptions, once its owner has ended or was deleted. */
  readonly remove: (owner: StoredTranscription | undefined) => Promise<void>;
};

/** The transcription that a work's end has ended, its new state, and when it was created. `undefined`: the call has ended none. */
export type Finished =
  | { readonly transcriptionId: string; readonly state: 'ready' | 'failed'; readonly createdAt: string }
  | undefined;

/**
 * Ends the transcription whose work has ended: writes the files, then sets the state if the transcription is still in progress.
 * It is safe to repeat and to run concurrently. If another call has failed or deleted the transcription, it removes the files. If
 * it was deleted and a new one has taken over its work, the new one is ended.
 */
export async function endWork(deps: EndDependencies, work: EndedWork): Promise<Finished> {
  for (let owners = 0; owners < maxOwners; owners++) {
    const owner = await ownerOf(deps.transcriptions, work.key);
    const finished = await endFor(deps, work, owner);
    if (finished !== 'owner-changed') return finished;
  }
  throw new ServiceUnavailable('The transcription keeps being deleted and created again.');
}

/** The transcription that owns the work, or the tombstone of the last one that did. */
export async function ownerOf(
  transcriptions: Pick<TranscriptionStore, 'find'>,
  { organizationId, transcriptionId }: TranscriptionKey,
): Promise<StoredTranscription | undefined> {
  const stored = await transcriptions.find(organizationId, transcriptionId);
  if (!stored || !isDeleted(stored) || stored.takenOverBy === undefined) return stored;
  return ownerOf(transcriptions, { organizationId, transcriptionId: stored.takenOverBy });
}

async function endFor(
  deps: EndDependencies,
  work: EndedWork,
  owner: StoredTranscription | undefined,
): Promise<Finished | 'owner-changed'> {
  if (!isInProgress(owner)) {
    // An earlier attempt of this call may have died after it has written its files.
    if (!isGone(owner) && isReady(owner)) await renderAgain(deps, owner);
    return cleanUp(deps, work, owner ?? work.key, owner);
  }
  const result = await work.read(owner);
  if (!result || result === 'owner-changed') return result;
  const [ended, state] =
    'code' in result
      ? ([await deps.transcriptions.markFailed(owner, result), 'failed'] as const)
      : ([await makeReady(deps, owner, result), 'ready'] as const);
  if (!ended.applied) {
    if (state === 'ready' && isReady(ended.stored)) await renderAgain(deps, owner);
    return cleanUp(deps, work, owner, ended.stored);
  }
  await cleanUp(deps, work, owner, { ...owner, state, dueAt: undefined });
  return { transcriptionId: owner.transcriptionId, state, createdAt: owner.createdAt };
}

async function makeReady(
  { files, speakers, transcriptions, sendChange }: EndDependencies,
  record: TranscriptionRecord,
  { transcript: heard, facts, transcribedSeconds }: WorkResult,
) {
  const transcript = foldVoices(heard);
  const durationInSeconds = billableSeconds(record.startDate, record.endDate ?? record.startDate);
  const subject = { ...record, durationInSeconds };
  await Promise.all([
    writeWords(files, record, { subject, transcript }),
    writeFormats(files, record, { subject, transcript }),
  ]);
  const { languageCode, languages, turns } = transcript;
  const voices = speakersOf(transcript.speakers, turns);
  await speakers.begin(record, { languageCode, ...(languages && { languages }), speakers: voices });
  const ready = { filename: generatedFilename(record, 'md'), durationInSeconds, ...facts };
  if (transcript.speakers.every(({ participantId }) => participantId === null))
    return transcriptions.markReady(record, ready, transcribedSeconds);
  const { organizationId, transcriptionId, roomSessionId, roomName, correlationId } = record;
  const talk = { organizationId, transcriptionId, roomSessionId, roomName, correlationId };
  await sendChange(talk, safetyDelaySeconds); // in case the process dies after the change
  const ended = await transcriptions.markReady(record, ready, transcribedSeconds);
  if (ended.applied) await sendChange(talk);
  return ended;
}

/** Another call has made the transcription ready. What this call has written may have replaced files with corrected names. */
async function renderAgain({ speakers, sendChange }: EndDependencies, owner: TranscriptionRecord): Promise<void> {
  const { organizationId, transcriptionId, correlationId } = owner;
  const row = await speakers.find(owner);
  if (row && row.revision > 0) await sendChange({ organizationId, transcriptionId, correlationId });
}

/**
 * Removes the files unless the owner is ready, and the output of a work that it has taken over in any case. Removes what else the work
 * has, unless a new transcription has taken it over: then only the owner's own files are removed.
 */
async function cleanUp(
  { transcriptions, files }: EndDependencies,
  { key, remove }: EndedWork,
  owner: WorkOwner,
  stored: StoredTranscription | undefined,
): Promise<undefined | 'owner-changed'> {
  const { organizationId, transcriptionId } = owner;
  const beganWork = transcriptionId === key.transcriptionId;
  if (isReady(stored)) {
    if (!beganWork) await files.removeGenerated(key);
  } else if (stored && isDeleted(stored) && !(await transcriptions.withdrawWork(stored))) {
    if (!beganWork) await files.removeGenerated({ organizationId, transcriptionId });
    return 'owner-changed';
  } else {
    await files.removeGenerated(owner);
  }
  await remove(stored);
  return undefined;
}
