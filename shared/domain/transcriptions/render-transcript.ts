import type { TranscriptDocument, Turn } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { TranscriptFormat } from '#shared/contracts/transcriptions/transcription.ts';
import { clock, milliseconds, timestamp } from '../transcript/clock.ts';
import { withDistinctNames } from '../transcript/distinct-names.ts';
import { speakersOf } from '../transcript/speakers.ts';
import type { Transcript } from '../transcript/transcript.ts';
import { type Note, notesOf } from '../transcript/transcript-notes.ts';
import type { TranscriptionRecord } from './transcription.ts';

/** A rendered transcript, and the media type that lets a browser show it. */
export type TranscriptFile = { readonly body: string; readonly contentType: string };

/** What the heads of the files say. */
export type TranscriptSubject = Pick<
  TranscriptionRecord,
  'transcriptionId' | 'roomName' | 'roomSessionId' | 'startDate' | 'endDate' | 'durationInSeconds'
>;

/** Media types of the formats; each is UTF-8. */
export const contentTypes = {
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
  json: 'application/json',
} as const satisfies Record<TranscriptFormat, string>;

const renderers: Record<TranscriptFormat, (subject: TranscriptSubject, transcript: Transcript) => string> = {
  md: renderMarkdown,
  txt: renderText,
  vtt: renderWebVtt,
  srt: renderSubRip,
  json: renderJson,
};

/**
 * The transcript in one format. Every format carries the same turns, names and times, and no text is markup in any of
 * them.
 */
export function renderTranscript(
  format: TranscriptFormat,
  subject: TranscriptSubject,
  transcript: Transcript,
): TranscriptFile {
  const named = { ...transcript, speakers: withDistinctNames(transcript.speakers) };
  return { body: renderers[format](subject, named), contentType: contentTypes[format] };
}

/** The turns with the names of the speakers instead of their labels. */
function namedTurns({ turns, speakers }: Transcript): Turn[] {
  const names = new Map(speakers.map(({ speaker, displayName }) => [speaker, displayName]));
  return turns.map((turn) => ({ ...turn, speaker: names.get(turn.speaker) ?? turn.speaker }));
}

function renderMarkdown(subject: TranscriptSubject, transcript: Transcript): string {
  const { languageCode } = transcript;
  const head = [
    `# Transcript of ${markdown(subject.roomName)}`,
    [
      `- Room: ${markdown(subject.roomName)}`,
      `- Date: ${subject.startDate}`,
      `- Duration: ${clock(subject.durationInSeconds)}`,
      `- Language: ${markdown(languageCode ?? 'unknown')}`,
      ...notesOf(transcript).map(({ label, text }) => `- ${label}: ${markdown(text)}`),
    ].join('\n'),
  ];
  const paragraphs = namedTurns(transcript).map(
    (turn) => `**${markdown(turn.speaker)}** [${clock(turn.startSeconds)}] ${markdown(turn.text)}`,
  );
  return `${[...head, ...paragraphs].join('\n\n')}\n`;
}

function renderText(_subject: TranscriptSubject, transcript: Transcript): string {
  const notes = notesOf(transcript).map(({ label, text }) => `${label}: ${oneLine(text)}\n`);
  const turns = namedTurns(transcript).map(
    (turn) => `[${clock(turn.startSeconds)}] ${oneLine(turn.speaker)}: ${oneLine(turn.text)}\n`,
  );
  return [...notes, ...(notes.length > 0 ? ['\n'] : []), ...turns].join('');
}

/** https://www.w3.org/TR/webvtt1/: a voice span names the speaker; `<`, `>` and `&` are escaped. A comment begins with NOTE. */
function renderWebVtt(_subject: TranscriptSubject, transcript: Transcript): string {
  const note = ({ label, text }: Note) => `NOTE ${label}: ${withoutArrow(oneLine(text))}\n`;
  const cue = (turn: Turn, index: number) => {
    // Readers drop the space, and take `-->` for the times of a cue.
    const name = webVtt(turn.speaker).replace(/--$/, '$& ');
    return `${index + 1}\n${cueTimes(turn, '.')}\n<v ${name}>${webVtt(turn.text)}</v>\n`;
  };
  return ['WEBVTT\n', ...notesOf(transcript).map(note), ...namedTurns(transcript).map(cue)].join('\n');
}

/** How long a player shows a note: at least a second, also if its stretch is shorter. */
const noteSeconds = 5;
const leastNoteSeconds = 1;

/** SubRip has no comments, so a note is a cue at the beginning of its stretch. */
function renderSubRip(_subject: TranscriptSubject, transcript: Transcript): string {
  const notes = notesOf(transcript).map(({ label, text, from, to }) => ({
    startSeconds: from,
    endSeconds: Math.max(from + leastNoteSeconds, Math.min(to, from + noteSeconds)),
    line: `[${label}: ${text}]`,
  }));
  const turns = namedTurns(transcript).map((turn) => ({ ...turn, line: `${turn.speaker}: ${turn.text}` }));
  const cues = notes.length === 0 ? turns : [...notes, ...turns].toSorted((a, b) => a.startSeconds - b.startSeconds);
  return cues.map((cue, index) => `${index + 1}\n${cueTimes(cue, ',')}\n${subRip(cue.line)}\n`).join('\n');
}

/** Fields that the transcript does not have are left out. Each turn is a line, because its words would fill hundreds. */
function renderJson(subject: TranscriptSubject, transcript: Transcript): string {
  const { languageCode, languages, turns, echoes } = transcript;
  const { recordedSeconds, clockStartDate, missing, approximateTimes } = transcript;
  const { transcriptionId, roomName, roomSessionId, startDate, endDate, durationInSeconds } = subject;
  const ofSubject = { transcriptionId, roomName, roomSessionId, startDate, endDate, durationInSeconds };
  const spoken = { languageCode, languages: languages && [...languages] };
  const ofParts = { recordedSeconds, clockStartDate, missing: missing && [...missing], approximateTimes };
  const document: TranscriptDocument = {
    ...{ ...ofSubject, ...spoken, ...ofParts, speakers: speakersOf(transcript.speakers, turns), turns: [...turns] },
    ...(echoes && { echoes: [...echoes] }),
  };
  const fields = Object.entries(document).filter(([, value]) => value !== undefined);
  return `{\n${fields.map(([name, value]) => `  ${JSON.stringify(name)}: ${inLines(value)}`).join(',\n')}\n}\n`;
}

/** JSON of a value, with a line for each element of a list. */
function inLines(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n${value.map((element) => `    ${JSON.stringify(element)}`).join(',\n')}\n  ]`;
}

/**
 * Escapes text, so that speech never becomes markup: https://spec.commonmark.org/0.31.2/#backslash-escapes. Readers
 * make links of addresses after they have removed the backslashes, so what keeps an address text is a word joiner
 * (U+2060), which nobody sees.
 */
function markdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*_{}[\]<>#|~&$]/g, '\\$&')
    .replace(/@|(?<=\P{Z})\.(?=\P{Z})/gu, '\u2060$&\u2060') // unlike \S, with U+FEFF, which readers take for a letter
    .replace(/\/(?=\/)/g, '/\u2060');
}

/**
 * Text that no player takes for markup. SubRip has no escapes. Players read tags, `{\an8}`, `\N` and entities, and some
 * remove whatever is between angle brackets. So these characters are replaced by their full-width forms, which look
 * alike.
 */
function subRip(text: string): string {
  return oneLine(text).replace(/[<>{}\\]|&(?=#|[a-z][a-z\d])/gi, (character) =>
    String.fromCodePoint(character.charCodeAt(0) + fullWidth),
  );
}

/** From a character of ASCII to its form in the block Halfwidth and Fullwidth Forms. */
const fullWidth = 0xfee0;

function webVtt(text: string): string {
  return oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Removes line breaks, which would end a paragraph or a cue, and other control characters. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** Removes what separates the times of a cue, and may not be in a comment. */
function withoutArrow(text: string): string {
  return text.replaceAll('-->', '→');
}

/** A cue must end at least a millisecond after it starts. */
function cueTimes(
  { startSeconds, endSeconds }: Pick<Turn, 'startSeconds' | 'endSeconds'>,
  separator: '.' | ',',
): string {
  const start = milliseconds(startSeconds);
  const end = Math.max(milliseconds(endSeconds), start + 1);
  return `${timestamp(start, separator)} --> ${timestamp(end, separator)}`;
}
