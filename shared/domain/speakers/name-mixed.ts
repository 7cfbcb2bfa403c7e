import type { Turn } from '#shared/contracts/transcriptions/transcript-document.ts';
import { erasedPrefix } from '../insights/participant-record.ts';
import type { Presence } from '../insights/presence.ts';
import { nobodyKnown, type SessionPeople } from '../insights/session/session-people.ts';
import { unnamed, unnamedSpeakers, type Voice } from '../transcript/speakers.ts';
import type { SpokenItem } from '../transcript/transcript.ts';
import type { ParticipantSpan } from '../transcript/voices.ts';
import { nameSpeakers } from './name-speakers.ts';
import { namesOf } from './participant-names.ts';

/** What the events of a session tell about who speaks in its recording. Times are in seconds on the recording's clock. */
export type SpeakerEvidence = {
  readonly people: SessionPeople;
  /** When the platform detected that participants spoke. */
  readonly feed: readonly ParticipantSpan[];
  /** False if words may be at other times than they were said: the recording is not as long as its dates say, or a date is wrong. */
  readonly hasExactTimes: boolean;
  /** When the evidence was read. */
  readonly readAt: Date;
};

/** Nothing tells who speaks. */
export const noEvidence: SpeakerEvidence = { people: nobodyKnown, feed: [], hasExactTimes: false, readAt: new Date(0) };

/** A recording's dates are those of its recorder, and joins and leaves those of the platform's servers. Both name seconds of start and stop. */
const clockToleranceSeconds = 15;
/** An event that could not be recorded three times has been tried again by then: after pauses of up to 4, 24 and 144 seconds. */
const settledAfterMs = 3 * 60_000;

/** The speakers of a mixed recording: named by presence or by matching where either is certain, and otherwise as the engine labels them. */
export function nameMixed(items: readonly SpokenItem[], turns: readonly Turn[], evidence: SpeakerEvidence): Voice[] {
  const { people, feed, hasExactTimes } = evidence;
  const known = nameSpeakers(items, { feed: hasExactTimes ? feed : [], presence: presenceOf(evidence) });
  const nameable = new Set(people.stays.map(({ participantId }) => participantId).filter(isKept));
  const nameOf = namesOf(people.stays, turns);
  return unnamedSpeakers(turns).map(({ speaker }): Voice => {
    const named = known.get(speaker);
    if (!named || !nameable.has(named.participantId)) return unnamed(speaker);
    return { ...named, speaker, displayName: nameOf(named.participantId, speaker) ?? speaker };
  });
}

/** True for a participant whose person was not erased. */
function isKept(participantId: string): boolean {
  return !participantId.startsWith(erasedPrefix);
}

/**
 * Who could be heard, and whether nobody else can have been there: the session is observed, and it ended long enough ago that the join of
 * somebody else is not still on its way. Times that are not exact tell nothing, unless there was one participant in the whole session.
 */
function presenceOf({ people, hasExactTimes, readAt }: SpeakerEvidence): Presence {
  const { isObserved, endedAt, stays, others } = people;
  const isSettled = endedAt !== null && readAt.getTime() - Date.parse(endedAt) >= settledAfterMs;
  const heard: ParticipantSpan[] = [...stays, ...others.filter(({ canBeHeard }) => canBeHeard)];
  const always = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  return {
    connections: hasExactTimes ? heard : heard.map(({ participantId }) => ({ participantId, ...always })),
    isObserved: isObserved && isSettled,
    toleranceSeconds: clockToleranceSeconds,
  };
}
