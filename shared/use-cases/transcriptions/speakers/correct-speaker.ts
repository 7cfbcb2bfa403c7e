import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { CorrectSpeaker, Speaker } from '#shared/contracts/transcript/speaker.ts';
import { latestNameOf, maskedNumber, nameAmong } from '#shared/domain/speakers/participant-names.ts';
import { type Correction, corrected, type TranscriptSpeakers } from '#shared/domain/speakers/transcript-speakers.ts';
import { existing, isReady, type TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { ParticipantNotFound, SpeakerNotFound } from '#shared/runtime/errors.ts';
import { type Pause, retry, tryAgain } from '#shared/runtime/retry.ts';
import { shownName } from '#shared/runtime/shown-name.ts';
import type { SessionPeopleReader } from '#shared/use-cases/insights/ports.ts';
import type { TranscriptionStore } from '#shared/use-cases/transcriptions/ports.ts';
import type {
  SendTranscriptChange,
  SpeakerChanges,
  SpeakerStore,
} from '#shared/use-cases/transcriptions/speakers/ports.ts';

const maxAttempts = 8;
const maxPauseMs = (failedAttempts: number) => Math.min(25 * 2 ** failedAttempts, 400);
/** Longer than a request takes: by then its change is stored, or never will be. */
const safetyDelaySeconds = 45;

/** What changing the corrections of a transcription needs. */
export type ChangeDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find'>;
  readonly speakers: Pick<SpeakerStore, 'find'>;
  readonly changes: SpeakerChanges;
  readonly sendChange: SendTranscriptChange;
  readonly pause?: Pause;
};

/** What correcting a speaker needs. */
export type CorrectDependencies = ChangeDependencies & { readonly people: SessionPeopleReader };

/** A speaker of a transcription. */
export type SpeakerKey = {
  readonly organizationId: OrganizationId;
  readonly transcriptionId: string;
  readonly speaker: string;
};

/**
 * Stores who a speaker is, and has the files written again. Of two corrections at once, none is lost. Throws `TranscriptionNotFound`,
 * `SpeakerNotFound` or `ParticipantNotFound`.
 */
export async function correctSpeaker(
  deps: CorrectDependencies,
  key: SpeakerKey,
  wanted: CorrectSpeaker,
  correlationId: string,
): Promise<Speaker> {
  const record = await recordOf(deps, key);
  const correction = await correctionOf(deps, record, wanted);
  const changed = (others: Corrections, { speakers }: TranscriptSpeakers) => ({
    ...others,
    [key.speaker]: distinct(correction, speakers, others),
  });
  return change(deps, { key, record }, changed, correlationId);
}

/** Takes the correction of a speaker back, if there is one, and has the files written again. Throws like `correctSpeaker`. */
export async function undoCorrection(
  deps: ChangeDependencies,
  key: SpeakerKey,
  correlationId: string,
): Promise<Speaker> {
  const record = await recordOf(deps, key);
  return change(deps, { key, record }, (others) => others, correlationId);
}

/** The transcription, if it is ready and has the speaker. */
async function recordOf(
  { transcriptions, speakers }: ChangeDependencies,
  key: SpeakerKey,
): Promise<TranscriptionRecord> {
  const record = existing(await transcriptions.find(key.organizationId, key.transcriptionId));
  const row = await speakers.find(key);
  speakerOf(isReady(record) ? row : undefined, key); // the row is written shortly before the state
  return record;
}

type Corrections = TranscriptSpeakers['corrections'];

/** Changes the corrections. The message goes out before the change too, in case the process dies after it. */
async function change(
  deps: ChangeDependencies,
  read: { readonly key: SpeakerKey; readonly record: TranscriptionRecord },
  changed: (others: Corrections, row: TranscriptSpeakers) => Corrections,
  correlationId: string,
): Promise<Speaker> {
  const { speakers, changes, sendChange, pause } = deps;
  const { speaker, ...key } = read.key;
  await sendChange({ ...key, correlationId }, safetyDelaySeconds);
  let transcription = read.record;
  const attempt = async () => {
    const row = await speakers.find(key);
    speakerOf(row, { speaker });
    if (!row) return tryAgain;
    const { [speaker]: _, ...others } = row.corrections;
    const corrections = changed(others, row);
    if (await changes.change(key, { row, transcription }, { corrections })) return { ...row, corrections };
    transcription = await recordOf(deps, read.key);
    return tryAgain;
  };
  const stored = await retry(attempt, {
    maxAttempts,
    maxPauseMs,
    exhausted: 'Too many concurrent requests correct speakers. Send the request again.',
    pause,
  });
  await sendChange({ ...key, correlationId });
  return speakerOf(stored, { speaker });
}

function speakerOf(row: TranscriptSpeakers | undefined, { speaker }: Pick<SpeakerKey, 'speaker'>): Speaker {
  const found = row && corrected(row.speakers, row.corrections).find((one) => one.speaker === speaker);
  if (!found) throw new SpeakerNotFound();
  return found;
}

/** The correction that was asked for. A participant has the name of the last join. */
async function correctionOf(
  { people }: Pick<CorrectDependencies, 'people'>,
  { organizationId, roomSessionId, roomName, startDate }: TranscriptionRecord,
  { participantId, displayName }: CorrectSpeaker,
): Promise<Correction> {
  if (participantId === undefined) return { participantId: null, displayName: displayName ?? '' };
  const { stays } = await people.peopleOf({ organizationId, roomSessionId, roomName }, startDate);
  const own = stays.filter((stay) => stay.participantId === participantId);
  if (own.length === 0) throw new ParticipantNotFound();
  return { participantId, displayName: latestNameOf(own) || maskedNumber(shownName(participantId)) };
}

/**
 * The correction with a name that no other participant has in the transcript. A name that a person wrote is stored as
 * it is.
 */
function distinct(correction: Correction, evident: readonly Speaker[], others: Corrections): Correction {
  const { participantId, displayName } = correction;
  if (participantId === null) return correction;
  const given = Object.values(others).map((other) => ({ ...other, source: 'corrected' as const }));
  return { participantId, displayName: nameAmong([...evident, ...given], participantId, displayName) };
}
