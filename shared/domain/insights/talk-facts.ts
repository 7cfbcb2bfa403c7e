import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { TalkTime } from './talk-time.ts';

/**
 * For how long a participant spoke, as this service has measured it. It is stored in the session's log, and no platform can send it.
 * It tells nothing else: without a join of the participant it counts nowhere, and it changes no time of a session.
 */
export type TalkFact = {
  readonly type: 'talk.measured';
  readonly organizationId: OrganizationId;
  /** When it was measured. */
  readonly createdAt: string;
  readonly data: TalkData;
};

type TalkData = {
  readonly roomSessionId: string;
  readonly participantId: string;
  /** Null if it no longer counts. */
  readonly ms: number | null;
  /** Of the facts of a participant with one source, the one with the highest revision counts. */
  readonly revision: number;
} & (OfTranscript | OfActivity);

/** The turns of a transcription, and the span of its recording. */
export type OfTranscript = {
  readonly source: 'transcript';
  readonly roomName: string;
  readonly transcriptionId: string;
  readonly from: string;
  readonly to: string;
};

/** What the platform heard. It names no room, so it counts in every room where the participant was. */
export type OfActivity = { readonly source: 'activity' };

/** A fact of a session as its log has it. */
export type StoredFact = SessionFact | TalkFact;

/** True for what this service has measured. */
export function isTalkFact(fact: { readonly type: string }): fact is TalkFact {
  return fact.type === 'talk.measured';
}

/** A revision after which a transcription tells nothing any more. */
export const lastRevision = Number.MAX_SAFE_INTEGER;

/** The facts that count of each participant and source, whatever their order is. */
export function currentTalk(facts: readonly TalkFact[]): TalkFact[] {
  const current = new Map<string, TalkFact>();
  for (const fact of facts) {
    const name = JSON.stringify([fact.data.participantId, originOf(fact)]);
    const other = current.get(name);
    if (!other || other.data.revision < fact.data.revision) current.set(name, fact);
  }
  return [...current.values()];
}

/** What was measured: the transcription, or nothing for the activity. */
export function originOf({ data }: TalkFact): string | null {
  return data.source === 'transcript' ? data.transcriptionId : null;
}

/**
 * The talk time of a participant in a room by the facts of the participant. Activity counts before transcripts. Of transcripts whose
 * recordings overlap in time one counts at most: those count together that tell the most.
 */
export function measuredTalk(facts: readonly TalkFact[], roomName: string): TalkTime | null {
  const known = currentTalk(facts).flatMap(({ data }) => (data.ms === null ? [] : [{ ...data, ms: data.ms }]));
  const activity = known.find(({ source }) => source === 'activity');
  if (activity) return { ms: activity.ms, source: 'activity' };
  const transcripts = known.flatMap((data) =>
    data.source === 'transcript' && data.roomName === roomName
      ? [{ ms: data.ms, from: Date.parse(data.from), to: Math.max(Date.parse(data.to), Date.parse(data.from) + 1) }]
      : [],
  );
  return transcripts.length === 0 ? null : { ms: mostWithoutOverlap(transcripts), source: 'transcript' };
}

type Weighted = { readonly ms: number; readonly from: number; readonly to: number };

/** The largest sum of spans that do not overlap: of the spans up to each one, with it or without it. */
function mostWithoutOverlap(spans: readonly Weighted[]): number {
  const ordered = spans.toSorted((one, other) => one.to - other.to || one.from - other.from);
  const best: number[] = [0];
  for (const [index, { ms, from }] of ordered.entries()) {
    const before = ordered.slice(0, index).findLastIndex(({ to }) => to <= from);
    best.push(Math.max(best[index] ?? 0, (best[before + 1] ?? 0) + ms));
  }
  return best.at(-1) ?? 0;
}
