import type { Turn } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { Voice } from '../transcript/speakers.ts';
import type { Transcript } from '../transcript/transcript.ts';

/** So many speakers fit into their row, with a correction each, even if all names are long: an item has at most 400 KB. */
export const mostSpeakers = 200;

/**
 * The transcript with one speaker for all voices at a microphone, if it has too many speakers. Engines label each part of a track for
 * itself, so a thousand parts in which they hear two voices have two thousand.
 */
export function foldVoices(transcript: Transcript): Transcript {
  const { speakers, turns, echoes } = transcript;
  if (speakers.length <= mostSpeakers) return transcript;
  const ofInput = Map.groupBy(speakers, inputOf);
  const first = new Map([...ofInput.values()].flatMap((voices) => voices.map(({ speaker }) => [speaker, voices[0]])));
  const folded = (some: readonly Turn[]) =>
    some.map((turn) => ({ ...turn, speaker: first.get(turn.speaker)?.speaker ?? turn.speaker }));
  return {
    ...transcript,
    turns: folded(turns),
    speakers: [...ofInput.values()].flatMap(([voice]) => (voice ? [withoutNumber(voice)] : [])),
    ...(echoes && { echoes: folded(echoes) }),
  };
}

/** Only voices on a track or a channel are at a microphone that is known. */
function inputOf(voice: Voice): string {
  return JSON.stringify(isTrack(voice) ? [voice.participantId, voice.input] : [voice.speaker]);
}

function withoutNumber(voice: Voice): Voice {
  return isTrack(voice) ? { ...voice, displayName: voice.displayName.replace(/, speaker \d+$/, '') } : voice;
}

function isTrack({ source }: Voice): boolean {
  return source === 'track' || source === 'channel';
}
