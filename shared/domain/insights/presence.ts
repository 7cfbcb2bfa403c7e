import { lengthOf, overlapOf, type Span } from '../transcript/overlaps.ts';
import { type ParticipantSpan, spansByParticipant, type Voice } from '../transcript/voices.ts';

/** Who was in the room, as far as the events of the session tell. */
export type Presence = {
  /** The connections of everybody who could be heard, agents too. */
  readonly connections: readonly ParticipantSpan[];
  /** Whether the completeness of the session is `observed`. Otherwise somebody else may have been there. */
  readonly isObserved: boolean;
  /** The clocks of the connections and of the recording differ by at most this. */
  readonly toleranceSeconds: number;
};

/** A speaker with so much of their time in a participant's absence is not that participant. Recognizers confuse single words. */
const leastAbsence = 0.05;

/** The times at which each participant may have been in the room: their connections, and the tolerance before and after each. */
export function possibleTimes({ connections, toleranceSeconds }: Presence): Map<string, Span[]> {
  const widened = connections.map(({ participantId, from, to }) => ({
    participantId,
    from: from - toleranceSeconds,
    to: to + toleranceSeconds,
  }));
  return spansByParticipant(widened, 0);
}

/** Tells whether a voice speaks in a participant's absence. Nobody is known to be absent unless the session is observed. */
export function absences(presence: Presence | undefined): (voice: Voice, participantId: string) => boolean {
  if (!presence?.isObserved) return () => false;
  const possible = possibleTimes(presence);
  return ({ spans }, participantId) => {
    const length = lengthOf(spans);
    return length - overlapOf(spans, possible.get(participantId) ?? []) > leastAbsence * length;
  };
}

/** The times at which each participant was the only one who may have been in the room. */
export function timesAlone(presence: Presence): Map<string, Span[]> {
  const edges = [...possibleTimes(presence)].flatMap(([participantId, spans]) =>
    spans.flatMap(({ from, to }) => [
      { time: from, participantId, isEntering: true },
      { time: to, participantId, isEntering: false },
    ]),
  );
  const inRoom = new Set<string>();
  const alone: ParticipantSpan[] = [];
  let since = Number.NEGATIVE_INFINITY;
  for (const { time, participantId, isEntering } of edges.toSorted((one, other) => one.time - other.time)) {
    const [only] = inRoom;
    if (only !== undefined && inRoom.size === 1) alone.push({ participantId: only, from: since, to: time });
    if (isEntering) inRoom.add(participantId);
    else inRoom.delete(participantId);
    since = time;
  }
  return spansByParticipant(alone, 0);
}
