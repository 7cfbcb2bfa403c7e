import type { MissingSpan, Speaker, TranscriptionDetail } from '../../../client/types.ts';
import { formatPosition } from '../../parts/formats.ts';
import { texts } from '../../texts/en.ts';

type Options = NonNullable<TranscriptionDetail['options']>;

/** The options with which a recording was transcribed, each as a phrase. */
export function optionsInWords(options: Options): readonly string[] {
  const { options: words } = texts.transcript;
  const { language, multiLanguage, vocabulary, vocabularyFilter, redact, maxSpeakers, channels, tracks } = options;
  const phrases = [
    language === undefined || language === 'auto' ? words.autoLanguage : words.language([language].flat().join(', ')),
    multiLanguage ? words.multiLanguage : undefined,
    tracks ? words.tracks : words.mixed,
    channels ? words.channels(channels.join(', ')) : undefined,
    maxSpeakers !== undefined && !tracks ? words.maxSpeakers(maxSpeakers) : undefined,
    vocabulary === undefined ? undefined : words.vocabulary(vocabulary),
    vocabularyFilter ? words.filter[vocabularyFilter.method](vocabularyFilter.name) : undefined,
    redact ? words.redact(redact.types.join(', ')) : undefined,
  ];
  return phrases.filter((phrase) => phrase !== undefined);
}

/** How sure it is who speaks, as a word. */
export function confidenceInWords(confidence: number | null): string | undefined {
  const { certain, veryLikely, likely, unsure } = texts.transcript.confidence;
  if (confidence === null) return undefined;
  if (confidence >= 0.99) return certain;
  if (confidence >= 0.8) return veryLikely;
  return confidence >= 0.6 ? likely : unsure;
}

/** The language of a transcript in words, with its code. */
export function languageInWords(code: string | null | undefined): string {
  if (!code) return texts.common.none.told;
  try {
    const name = new Intl.DisplayNames(['en'], { type: 'language' }).of(code);
    return name === undefined || name === code ? code : `${name} (${code})`;
  } catch {
    return code; // the engine's own code, which the browser does not know
  }
}

/** A stretch that the transcript lacks: when, whose, and why. */
export function missingInWords({ participantId, source, from, to, code }: MissingSpan, speakers: readonly Speaker[]) {
  const { missing } = texts.transcript;
  const speaker = speakers.find((each) => each.participantId === participantId && (each.input ?? source) === source);
  const who = participantId === null ? undefined : (speaker?.displayName ?? participantId);
  return {
    period: missing.period(formatPosition(from), formatPosition(to)),
    who: who ?? missing.everybody,
    isScreen: source === 'screen',
    why: texts.failures[code]?.meaning ?? code,
  };
}

/** The name of a file for a transcript: the room and the day, in characters that every system takes. */
export function filenameOf({ roomName, startDate }: TranscriptionDetail, format: string): string {
  const room = roomName
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return `transcript-${room === '' ? 'room' : room}-${startDate.slice(0, 10)}.${format}`;
}
