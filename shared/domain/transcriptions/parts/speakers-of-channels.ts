import type { TranscriptionOptions } from '#shared/contracts/transcriptions/transcription-options.ts';
import type { SessionPeople } from '#shared/domain/insights/session/session-people.ts';
import { voicesOfTrack } from '#shared/domain/speakers/track-voices.ts';
import type { SpokenItem, Transcript } from '#shared/domain/transcript/transcript.ts';
import { joinPieces, type Piece } from './merge-pieces.ts';
import { type KeyedTrack, speakersOfTracks } from './speakers-of-tracks.ts';

/** Whether the engine told the channels of a file apart. Otherwise nothing says who is on which. */
export function haveChannels(items: readonly SpokenItem[]): boolean {
  return items.length > 0 && items.every(({ channel }) => channel !== undefined);
}

/** The number of channels of the file that a transcription of these options needs, if it matters. */
export function channelsNeeded(options: TranscriptionOptions | undefined): number | undefined {
  return options?.channels?.length;
}

/**
 * The turns of a mixed file whose channels are the microphones of these participants, and who speaks. As on tracks, people can speak at
 * once, and several voices on a channel are told apart. A file that was cut has several pieces.
 */
export function speakersOfChannels(
  pieces: readonly Piece[],
  { channels, languageCode }: { readonly channels: readonly string[]; readonly languageCode: string | null },
  people: Pick<SessionPeople, 'stays'>,
): Pick<Transcript, 'turns' | 'echoes' | 'speakers'> {
  const tracks = channels.map((participantId, channel): KeyedTrack => {
    const own = pieces.map(({ items }) => items.filter((item) => item.channel === channel));
    const heard = voicesOfTrack(JSON.stringify({ channel, participantId }), own, 'microphone');
    const joined = joinPieces(pieces.map((piece, index) => ({ ...piece, items: heard.parts[index] ?? [] })));
    const voices = new Map([...heard.voices].map(([speaker, voice]) => [speaker, { participantId, voice }]));
    return { languageCode, items: joined, voices };
  });
  return speakersOfTracks(tracks, people);
}
