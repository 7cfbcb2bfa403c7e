import { type Presence, timesAlone } from '../insights/presence.ts';
import { lengthOf, overlapOf, type Span } from '../transcript/overlaps.ts';
import type { SpokenItem } from '../transcript/transcript.ts';
import { type Voice, voicesOf } from '../transcript/voices.ts';

/** A participant, and how certain it is that the speaker is that participant, from 0 to 1. */
export type NamedSpeaker = { readonly participantId: string; readonly confidence: number };

/** The least share of a speaker's time at which nobody else was in the room. The rest is single words that recognizers confuse. */
const leastAlone = 0.95;
/** With so large a share of what was said while a participant was alone, a second voice is a second person at their microphone. */
const leastVoice = 0.1;

/**
 * Names each speaker who spoke only while one participant was in the room. Nothing else follows from presence: the recognizer may take
 * two people for one, or one for two, so who is left over is not certain. Several voices while one participant was alone stay
 * unnamed. Names nobody unless the session is observed.
 */
export function nameByPresence(items: readonly SpokenItem[], presence: Presence): Map<string, NamedSpeaker | null> {
  const voices = voicesOf(items);
  const names = new Map<string, NamedSpeaker | null>(voices.map(({ speaker }) => [speaker, null]));
  if (!presence.isObserved) return names;
  for (const [participantId, alone] of timesAlone(presence)) {
    const voice = onlyVoice(voices, alone);
    if (!voice) continue;
    const share = overlapOf(voice.spans, alone) / lengthOf(voice.spans);
    if (share >= leastAlone) names.set(voice.speaker, { participantId, confidence: inHundredths(share) });
  }
  return names;
}

/** A confidence as it is shown, in hundredths. */
export function inHundredths(confidence: number): number {
  return Math.round(confidence * 100) / 100;
}

/** The voice that said nearly all that was said at some times. Undefined if there are several, or none. */
function onlyVoice(voices: readonly Voice[], times: readonly Span[]): Voice | undefined {
  const said = voices.map((voice) => ({ voice, length: overlapOf(voice.spans, times) }));
  const all = said.reduce((sum, { length }) => sum + length, 0);
  const audible = said.filter(({ length }) => length > 0 && length >= leastVoice * all);
  return audible.length === 1 ? audible[0]?.voice : undefined;
}
