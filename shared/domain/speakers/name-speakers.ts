import type { Presence } from '../insights/presence.ts';
import type { SpokenItem } from '../transcript/transcript.ts';
import type { ParticipantSpan } from '../transcript/voices.ts';
import { matchSpeakers } from './match-speakers.ts';
import { type NamedSpeaker, nameByPresence } from './name-by-presence.ts';

/** A named speaker, and the evidence for it. */
export type SourcedName = NamedSpeaker & { readonly source: 'presence' | 'matched' };

/** What is known of a session beside its recording. Each may be missing. */
export type Evidence = {
  /** The platform's detection of active speakers. */
  readonly feed?: readonly ParticipantSpan[] | undefined;
  readonly presence?: Presence | undefined;
};

/**
 * Names the recognizer's speakers by all evidence. Presence is more certain than a match, so it comes first. No two speakers get the same
 * name.
 */
export function nameSpeakers(
  items: readonly SpokenItem[],
  { feed = [], presence }: Evidence,
): Map<string, SourcedName | null> {
  const present = presence ? nameByPresence(items, presence) : new Map<string, NamedSpeaker | null>();
  const taken = new Set([...present.values()].map((name) => name?.participantId));
  return new Map(
    [...matchSpeakers(items, feed, presence)].map(([speaker, match]): [string, SourcedName | null] => {
      const name = present.get(speaker);
      if (name) return [speaker, { ...name, source: 'presence' }];
      return [speaker, match && !taken.has(match.participantId) ? { ...match, source: 'matched' } : null];
    }),
  );
}
