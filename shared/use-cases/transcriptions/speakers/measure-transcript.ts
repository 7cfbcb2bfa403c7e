import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import type { Measured } from '#shared/domain/insights/talk-changes.ts';
import { lastRevision } from '#shared/domain/insights/talk-facts.ts';
import { corrected } from '#shared/domain/speakers/transcript-speakers.ts';
import { talkOfTurns } from '#shared/domain/transcript/transcript-talk.ts';
import { isGone, isReady } from '#shared/domain/transcriptions/transcription.ts';
import type { TranscriptFileStore, TranscriptionStore } from '#shared/use-cases/transcriptions/ports.ts';
import type { SpeakerStore } from '#shared/use-cases/transcriptions/speakers/ports.ts';
import { readWords } from '../write-transcript.ts';

/** What `measureTranscript` needs. */
export type MeasureDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find'>;
  readonly speakers: Pick<SpeakerStore, 'find'>;
  readonly files: Pick<TranscriptFileStore, 'read'>;
};

/** A transcription, and the session of a room that it is of. */
export type TranscriptOfSession = SessionId & { readonly roomName: string; readonly transcriptionId: string };

/**
 * For how long each participant speaks in a transcription, as it is now: nobody if it was deleted. A deletion removes the speakers
 * first. Undefined: it is not ready, or of another session.
 */
export async function measureTranscript(
  { transcriptions, speakers, files }: MeasureDependencies,
  of: TranscriptOfSession,
): Promise<Measured | undefined> {
  const { organizationId, transcriptionId, roomName } = of;
  const origin = { source: 'transcript', roomName, transcriptionId } as const;
  const stored = await transcriptions.find(organizationId, transcriptionId);
  const withdrawn = { of: { ...origin, from: '', to: '' }, revision: lastRevision, talk: new Map() };
  if (isGone(stored)) return withdrawn;
  if (!isReady(stored) || stored.roomSessionId !== of.roomSessionId || stored.roomName !== roomName) return undefined;
  const row = await speakers.find(stored);
  if (!row) return withdrawn;
  const words = await readWords(files, stored);
  if (!words) return undefined; // they have expired, and what was measured stays
  const { transcript } = words;
  const { startDate, endDate } = stored;
  return {
    of: { ...origin, from: startDate, to: endDate ?? startDate },
    revision: row.revision,
    talk: talkOfTurns(corrected(transcript.speakers, row.corrections), transcript.turns),
  };
}
