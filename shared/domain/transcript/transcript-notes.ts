import type { MissingSpan } from '#shared/contracts/transcriptions/transcription.ts';
import { shownName } from '#shared/runtime/shown-name.ts';
import { clock } from './clock.ts';
import { DistinctNames, ownerOf } from './distinct-names.ts';
import type { Transcript } from './transcript.ts';

/** What a reader must know about a stretch of a transcript. Its text may have markup of any format, because it names a participant. */
export type Note = { readonly label: string; readonly text: string; readonly from: number; readonly to: number };

/**
 * The notes of a transcript, by their start: that its times are approximate, and what is missing. A transcript of one
 * file has none. A participant who is no speaker has the id as the name.
 */
export function notesOf({ missing = [], approximateTimes = false, speakers = [], recordedSeconds = 0 }: Transcript) {
  const names = new Map(
    speakers.map(({ participantId, input, displayName }) => [keyOf({ participantId, source: input }), displayName]),
  );
  const distinct = new DistinctNames();
  for (const voice of speakers) distinct.of(ownerOf(voice), voice.displayName);
  const nameOf = (participantId: string, source: MissingSpan['source']) => {
    const id = () => distinct.of(JSON.stringify({ participantId }), shownName(participantId) || 'unknown');
    return names.get(keyOf({ participantId, source })) ?? (source === 'screen' ? `${id()}, screen` : id());
  };
  const ofTimes = {
    label: 'Times',
    text: 'approximate, because a file has holes or a date is wrong',
    from: 0,
    to: recordedSeconds,
  };
  const ofMissing = missing.map(({ participantId, source, from, to, code }): Note => {
    const who = participantId === null ? '' : ` (${nameOf(participantId, source)})`;
    const text = `${clock(from)}-${clock(Math.ceil(to))}${who}, ${code.replaceAll('_', ' ')}`;
    return { label: 'Missing', text, from, to };
  });
  return [...(approximateTimes ? [ofTimes] : []), ...ofMissing];
}

/** A microphone or a screen of a participant. Each is a speaker of its own. */
function keyOf({ participantId, source = 'microphone' }: Pick<MissingSpan, 'participantId' | 'source'>): string {
  return JSON.stringify([participantId, source]);
}
