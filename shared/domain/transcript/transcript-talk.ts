import type { Turn } from '#shared/contracts/transcriptions/transcript-document.ts';
import { joined, lengthOf } from './overlaps.ts';
import type { Voice } from './speakers.ts';

/**
 * For how long each participant speaks in a transcript, in milliseconds. Turns of one participant at the same time count once. The sound of
 * a shared screen is nobody's speech, unless a person said whose it is.
 */
export function talkOfTurns(speakers: readonly Voice[], turns: readonly Turn[]): Map<string, number> {
  const ofParticipants = new Map(
    speakers.flatMap(({ speaker, participantId, input, source }) =>
      participantId === null || (input === 'screen' && source !== 'corrected')
        ? []
        : [[speaker, participantId] as const],
    ),
  );
  const own = Map.groupBy(turns, ({ speaker }) => ofParticipants.get(speaker));
  const participantIds = new Set(ofParticipants.values());
  return new Map(
    [...participantIds].map((participantId) => {
      const spans = (own.get(participantId) ?? []).map(({ startSeconds, endSeconds }) => ({
        ...{ from: Math.round(startSeconds * 1000), to: Math.round(endSeconds * 1000) },
      }));
      return [participantId, lengthOf(joined(spans, 0))];
    }),
  );
}
