import type { Transcription } from '../../../types.ts';
import { details, duration, plain, time } from '../../output/format.ts';
import type { Column } from '../../output/table.ts';

/** What a table of transcriptions has. */
export const transcriptionColumns: readonly Column<Transcription>[] = [
  { header: 'TRANSCRIPTION', value: ({ transcriptionId }) => transcriptionId },
  { header: 'ROOM', value: ({ roomName }) => roomName, mayBeCut: true },
  { header: 'START (UTC)', value: ({ startDate }) => time(startDate) },
  { header: 'LENGTH', value: (transcription) => lengthOf(transcription), align: 'right' },
  { header: 'STATE', value: ({ state }) => stateOf(state) },
];

/** All that is known of one, under one another. */
export function transcriptionDetails(transcription: Transcription): string {
  const { failure } = transcription;
  return details([
    ['Transcription', transcription.transcriptionId],
    ['State', stateOf(transcription.state)],
    ...(failure ? ([['Failure', `${failure.code}: ${failure.message}`]] as const) : []),
    ['Room', transcription.roomName],
    ['Room session', transcription.roomSessionId],
    ['Start (UTC)', time(transcription.startDate)],
    ['End (UTC)', time(transcription.endDate)],
    ['Length', lengthOf(transcription)],
    ['Created (UTC)', time(transcription.createdAt)],
    ['Type', transcription.type],
    ['Storage', transcription.storageType],
    ['File', plain(transcription.filename)],
  ]);
}

/** It is 0 until it is known. */
function lengthOf({ state, durationInSeconds }: Transcription): string {
  return state === 'ready' ? duration(durationInSeconds) : '-';
}

function stateOf(state: Transcription['state']): string {
  return state.replace('_', ' ');
}
