import type { TranscriptDocument, Turn } from '../contracts/transcript-document.ts';
import type { TranscriptFormat } from '../contracts/transcription.ts';
import type { Transcript } from './transcript.ts';
import type { TranscriptionRecord } from './transcription.ts';

/** A rendered transcript, and the media type that lets a browser show it. */
export type TranscriptFile = { readonly body: string; readonly contentType: string };

type Subject = Pick<
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

const renderers: Record<TranscriptFormat, (subject: Subject, transcript: Transcript) => string> = {
  md: renderMarkdown,
  txt: renderText,
  vtt: renderWebVtt,
  srt: renderSubRip,
  json: renderJson,
};

/** The transcript in one format. Every format carries the same turns, speakers and times. */
export function renderTranscript(format: TranscriptFormat, subject: Subject, transcript: Transcript): TranscriptFile {
  return { body: renderers[format](subject, transcript), contentType: contentTypes[format] };
}

function renderMarkdown(subject: Subject, { languageCode, turns }: Transcript): string {
  const head = [
    `# Transcript of ${markdown(subject.roomName)}`,
    [
      `- Room: ${markdown(subject.roomName)}`,
      `- Date: ${subject.startDate}`,
      `- Duration: ${clock(subject.durationInSeconds)}`,
      `- Language: ${markdown(languageCode ?? 'unknown')}`,
    ].join('\n'),
  ];
  const paragraphs = turns.map(
    (turn) => `**${markdown(turn.speaker)}** [${clock(turn.startSeconds)}] ${markdown(turn.text)}`,
  );
  return `${[...head, ...paragraphs].join('\n\n')}\n`;
}

function renderText(_subject: Subject, { turns }: Transcript): string {
  return turns
    .map((turn) => `[${clock(turn.startSeconds)}] ${oneLine(turn.speaker)}: ${oneLine(turn.text)}\n`)
    .join('');
}

/** https://www.w3.org/TR/webvtt1/: a voice span names the speaker; `<`, `>` and `&` are escaped. */
function renderWebVtt(_subject: Subject, { turns }: Transcript): string {
  const cue = (turn: Turn, index: number) => {
    const times = cueTimes(turn, '.');
    return `${index + 1}\n${times}\n<v ${webVtt(turn.speaker)}>${webVtt(turn.text)}</v>\n`;
  };
  return ['WEBVTT\n', ...turns.map(cue)].join('\n');
}

function renderSubRip(_subject: Subject, { turns }: Transcript): string {
  const cue = (turn: Turn, index: number) => {
    const times = cueTimes(turn, ',');
    const text = `${oneLine(turn.speaker)}: ${oneLine(turn.text)}`.replaceAll('-->', '→');
    return `${index + 1}\n${times}\n${text}\n`;
  };
  return turns.map(cue).join('\n');
}

function renderJson(subject: Subject, { languageCode, turns }: Transcript): string {
  const { transcriptionId, roomName, roomSessionId, startDate, endDate, durationInSeconds } = subject;
  const head = { transcriptionId, roomName, roomSessionId, startDate, endDate, durationInSeconds, languageCode };
  const document: TranscriptDocument = { ...head, turns };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Escapes text, so that speech never becomes markup. https://spec.commonmark.org/0.31.2/#backslash-escapes */
function markdown(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>#|~&]/g, '\\$&');
}

function webVtt(text: string): string {
  return oneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Removes line breaks, which would end a paragraph or a cue, and other control characters. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

/** A cue must end at least a millisecond after it starts. */
function cueTimes({ startSeconds, endSeconds }: Turn, separator: '.' | ','): string {
  const start = milliseconds(startSeconds);
  const end = Math.max(milliseconds(endSeconds), start + 1);
  return `${timestamp(start, separator)} --> ${timestamp(end, separator)}`;
}

/** `HH:MM:SS`. */
function clock(seconds: number): string {
  return timestamp(milliseconds(Math.floor(seconds)), '.').slice(0, -4);
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}

/** `HH:MM:SS.mmm`, with the separator of the format before the milliseconds. */
function timestamp(ms: number, separator: '.' | ','): string {
  const part = (value: number, width: number) => String(Math.floor(value)).padStart(width, '0');
  const time = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((value) => part(value, 2)).join(':');
  return `${time}${separator}${part(ms % 1000, 3)}`;
}
