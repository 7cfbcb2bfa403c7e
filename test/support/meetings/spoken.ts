import type { SpokenItem } from '#shared/domain/transcript/transcript.ts';
import type { ParticipantSpan } from '#shared/domain/transcript/voices.ts';

/** A speaker's words from one second to another, at least one. */
export function says(speaker: string, from: number, to: number, perSecond = 2): SpokenItem[] {
  return Array.from({ length: Math.max(1, Math.round((to - from) * perSecond)) }, (_, index) => ({
    ...({ kind: 'word', text: 'word', speaker } as const),
    startSeconds: from + index / perSecond,
    endSeconds: from + (index + 0.9) / perSecond,
  }));
}

/** A participant who is active, or in the room, from one second to another. */
export function span(participantId: string, from: number, to: number): ParticipantSpan {
  return { participantId, from, to };
}
