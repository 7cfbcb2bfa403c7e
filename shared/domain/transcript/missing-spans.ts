import type { FailureCode, MissingSpan } from '#shared/contracts/transcriptions/transcription.ts';
import type { MediaSpan } from '../media/media-plan.ts';

/** A part of a source, and why its words are missing. Undefined if they are not. */
export type MaybeMissing = MediaSpan & {
  readonly participantId: string | null;
  /** The number of its source in the plan. Parts of one source can overlap. */
  readonly source: number;
  /** True for a part of what a screen played. */
  readonly isScreen?: boolean | undefined;
  readonly missing?: FailureCode | undefined;
};

/** Spans that end and begin within this time have no gap between them. Times of parts are computed. */
const joinSeconds = 0.1;

/**
 * What a transcript lacks, by its start. What a neighbouring part of the same source also has is not missing. Spans of the same
 * microphone or screen and reason that follow each other are one.
 */
export function missingSpans(parts: readonly MaybeMissing[]): MissingSpan[] {
  const lost = parts.flatMap((part): MissingSpan[] => {
    const { participantId, isScreen, missing: code } = part;
    if (code === undefined) return [];
    const heard = parts.filter(({ source, missing }) => source === part.source && missing === undefined);
    const whose = participantId === null ? { participantId } : { participantId, source: sourceOf(isScreen) };
    return without(part, heard).map(({ from, to }) => ({ ...whose, from, to, code }));
  });
  const byOwner = Map.groupBy(lost, ({ participantId, source, code }) => JSON.stringify([participantId, source, code]));
  return [...byOwner.values()].flatMap(joined).toSorted((one, other) => one.from - other.from || one.to - other.to);
}

function sourceOf(isScreen = false): MissingSpan['source'] {
  return isScreen ? 'screen' : 'microphone';
}

/** The stretches of a span that lie in none of the others. */
function without(span: MediaSpan, others: readonly MediaSpan[]): MediaSpan[] {
  let left: MediaSpan[] = [{ from: Math.max(0, span.from), to: Math.max(0, span.to) }];
  for (const { from, to } of others) {
    left = left.flatMap((each) => [
      { from: each.from, to: Math.min(each.to, from) },
      { from: Math.max(each.from, to), to: each.to },
    ]);
    left = left.filter((each) => each.to > each.from);
  }
  return left;
}

function joined(spans: readonly MissingSpan[]): MissingSpan[] {
  const result: MissingSpan[] = [];
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last && span.from <= last.to + joinSeconds)
      result[result.length - 1] = { ...last, to: Math.max(last.to, span.to) };
    else result.push(span);
  }
  return result;
}

/** Space for spans in the row of a transcription. A page of a list has a hundred rows, and DynamoDB reads at most 1 MB. */
const shownBytes = 4000;

/** The first spans, as many as the row of a transcription has space for. The files of the transcript have all. */
export function shownSpans(spans: readonly MissingSpan[]): MissingSpan[] {
  let bytes = 0;
  return spans.filter((span) => {
    bytes += Buffer.byteLength(JSON.stringify(span));
    return bytes <= shownBytes;
  });
}
