import type { Turn } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { SessionPeople } from '#shared/domain/insights/session/session-people.ts';
import { nameTracks, type TrackVoice } from '#shared/domain/speakers/name-tracks.ts';
import type { Transcript } from '#shared/domain/transcript/transcript.ts';
import { mergeTracks, type SpokenTrack } from './merge-tracks.ts';

/** The words of a microphone or of a channel, and who speaks there, by the keys that its words have as speakers. */
export type KeyedTrack = SpokenTrack & { readonly voices: ReadonlyMap<string, Omit<TrackVoice, 'speaker'>> };

/**
 * The turns of all tracks, and who speaks. Each voice on a microphone or channel is one speaker, and each screen. They are numbered by
 * their first turn.
 */
export function speakersOfTracks(
  found: readonly KeyedTrack[],
  people: Pick<SessionPeople, 'stays'>,
): Pick<Transcript, 'turns' | 'echoes' | 'speakers'> {
  const { turns, echoes } = mergeTracks(found);
  const numbers = new Map<string, string>();
  for (const { speaker } of [...turns, ...echoes])
    if (!numbers.has(speaker)) numbers.set(speaker, `Speaker ${numbers.size + 1}`);
  const numbered = (some: readonly Turn[]) =>
    some.map((turn) => ({ ...turn, speaker: numbers.get(turn.speaker) ?? turn.speaker }));
  const voices = new Map(found.flatMap((track) => [...track.voices]));
  const heard = [...numbers].map(([key, speaker]) => ({
    speaker,
    ...(voices.get(key) as Omit<TrackVoice, 'speaker'>),
  }));
  const all = { turns: numbered(turns), echoes: numbered(echoes) };
  return { ...all, speakers: nameTracks(heard, [...all.turns, ...all.echoes], people) };
}
