import type { MissingSpan, Transcription, TranscriptionDetail } from '../../../types.ts';
import { details, duration, plain, time } from '../../output/format.ts';
import type { Column } from '../../output/table.ts';

type Options = NonNullable<TranscriptionDetail['options']>;

/** The columns of a table of transcriptions, which fit into 80 columns of a terminal. */
export const transcriptionColumns: readonly Column<Transcription>[] = [
  { header: 'TRANSCRIPTION', value: ({ transcriptionId }) => transcriptionId },
  { header: 'ROOM', value: ({ roomName }) => roomName, mayBeCut: true },
  { header: 'START (UTC)', value: ({ startDate }) => time(startDate) },
  {
    header: 'STATE',
    value: ({ state, ...each }) => (state === 'ready' ? `ready, ${duration(each.durationInSeconds)}` : stateOf(state)),
  },
];

/** All values of a transcription, one per line. */
export function transcriptionDetails(transcription: TranscriptionDetail): string {
  const { failure, recordedSeconds, submittedSeconds, missing = [], approximateTimes } = transcription;
  const { language, languages, speakers, options } = transcription;
  return details([
    ['Transcription', transcription.transcriptionId],
    ['State', stateOf(transcription.state)],
    ...(failure ? ([['Failure', `${failure.code}: ${failure.message}`]] as const) : []),
    ['Room', transcription.roomName],
    ['Room session', transcription.roomSessionId],
    ['Start (UTC)', time(transcription.startDate)],
    ['End (UTC)', time(transcription.endDate)],
    ['Length', transcription.state === 'ready' ? duration(transcription.durationInSeconds) : '-'],
    ...lengthOf('Recorded', recordedSeconds),
    ...lengthOf('Submitted', submittedSeconds),
    ...missing.map((span) => ['Missing', missingText(span)] as const),
    ...(approximateTimes ? ([['Times', 'approximate, because a file has holes or a date is wrong']] as const) : []),
    ...(language === undefined ? [] : [['Language', plain(languages?.join(', ') ?? language)] as const]),
    ...(speakers ? [['Speakers', speakers.map(({ displayName }) => displayName).join(', ')] as const] : []),
    ...(options ? [['Options', optionsText(options)] as const] : []),
    ['Created (UTC)', time(transcription.createdAt)],
    ['Type', transcription.type],
    ['Storage', transcription.storageType],
    ['File', plain(transcription.filename)],
  ]);
}

/** The line of a length that is not known of every transcription. */
function lengthOf(name: string, seconds: number | undefined): (readonly [string, string])[] {
  return seconds === undefined ? [] : [[name, duration(Math.round(seconds))]];
}

/** The options as `create` takes them, which print on one line. */
function optionsText({ language, vocabularyFilter, redact, channels, ...others }: Options): string {
  const texts = {
    language: Array.isArray(language) ? language.join(',') : language,
    ...others,
    vocabularyFilter: vocabularyFilter && `${vocabularyFilter.name}:${vocabularyFilter.method}`,
    redact: redact?.types.join(','),
    channels: channels?.join(','),
  };
  return Object.entries(texts)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join(' ');
}

function missingText({ participantId, source, from, to, code }: MissingSpan): string {
  const who = participantId === null ? '' : ` of ${participantId}${source === 'screen' ? ' (screen)' : ''}`;
  return `${duration(Math.floor(from))} to ${duration(Math.ceil(to))}${who}: ${code}`;
}

function stateOf(state: Transcription['state']): string {
  return state.replace('_', ' ');
}
