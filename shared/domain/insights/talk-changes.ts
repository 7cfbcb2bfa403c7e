import { erasedPrefix, type SessionId } from './participant-record.ts';
import {
  currentTalk,
  lastRevision,
  type OfActivity,
  type OfTranscript,
  originOf,
  type TalkFact,
} from './talk-facts.ts';

/** What was measured: of each participant, the milliseconds. */
export type Measured = {
  readonly of: OfTranscript | OfActivity;
  /** Undefined: the milliseconds are the revision, because the time only grows. */
  readonly revision: number | undefined;
  readonly talk: ReadonlyMap<string, number>;
};

/**
 * The facts that a measurement adds to those of the session's log: of each participant whose time has changed. Activity is never
 * taken back, because what tells of it can expire before the session's facts. Who was erased keeps the time until the
 * transcription is deleted: nothing leads from the transcript to it any more.
 */
export function changedTalk(
  { organizationId, roomSessionId }: SessionId,
  facts: readonly TalkFact[],
  { of, revision, talk }: Measured,
  createdAt: string,
): TalkFact[] {
  const origin = of.source === 'transcript' ? of.transcriptionId : null;
  const stored = currentTalk(facts).filter((fact) => originOf(fact) === origin);
  const before = new Map(stored.map(({ data }) => [data.participantId, data]));
  if (stored.some(({ data }) => of.source === 'transcript' && data.revision > (revision ?? 0))) return []; // it is outdated
  const isGone = ([participantId, { ms }]: readonly [string, TalkFact['data']]) =>
    ms !== null &&
    of.source === 'transcript' &&
    !talk.has(participantId) &&
    (revision === lastRevision || !participantId.startsWith(erasedPrefix));
  const gone = [...before].filter(isGone).map(([participantId]) => [participantId, null] as const);
  return [...talk, ...gone]
    .filter(([participantId, ms]) => before.get(participantId)?.ms !== ms)
    .map(
      ([participantId, ms]): TalkFact => ({
        ...{ type: 'talk.measured', organizationId, createdAt },
        data: { roomSessionId, participantId, ms, revision: revision ?? ms ?? 0, ...of },
      }),
    )
    .filter(({ data }) => data.revision > (before.get(data.participantId)?.revision ?? -1));
}
