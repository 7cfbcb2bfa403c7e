import type { SessionKey } from '#shared/domain/insights/participant-record.ts';
import { noEvidence, type SpeakerEvidence } from '#shared/domain/speakers/name-mixed.ts';
import type { SessionPeopleReader, SpeechReader } from '../insights/ports.ts';

/** What `readEvidence` needs. */
export type EvidenceDependencies = {
  readonly people: SessionPeopleReader;
  readonly speech: SpeechReader;
  readonly now?: () => Date;
};

/** A recording on its clock. Without its seconds, the times of its words are not exact, or do not matter. */
type RecordingTimes = { readonly clockStart: string; readonly seconds?: number | undefined };

/**
 * Reads what the events of a session tell about who speaks in its recording. Nobody is named who is not known to have been there, so then
 * it does not read who spoke.
 */
export async function readEvidence(
  { people: reader, speech, now = () => new Date() }: EvidenceDependencies,
  { organizationId, roomSessionId, roomName }: SessionKey,
  { clockStart, seconds }: RecordingTimes,
): Promise<SpeakerEvidence> {
  const session = { organizationId, roomSessionId, roomName };
  const readAt = now();
  const people = await reader.peopleOf(session, clockStart);
  if (people.stays.length === 0 || seconds === undefined) return { ...noEvidence, people, readAt };
  const feed = await speech.speechOf(session, clockStart, seconds);
  return { people, feed, hasExactTimes: true, readAt };
}
