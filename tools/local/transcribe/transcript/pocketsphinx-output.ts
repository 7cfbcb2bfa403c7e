import * as z from 'zod';

/** One recognized word with its times and the recognizer's confidence (0 to 1). */
export type HeardWord = { text: string; startSeconds: number; endSeconds: number; confidence: number };

/** The words between two pauses. */
export type Utterance = HeardWord[];

const FRAME_SECONDS = 0.01;
const WORD_LINE = /^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/;
const FILLER = /^(<.*>|\[.*\]|\+\+.*\+\+)$/;
const PRONUNCIATION_VARIANT = /\(\d+\)$/;

/**
 * Parses the output of `pocketsphinx_continuous -time yes`: for each utterance a line of text, then one line per word
 * with its start, its last frame and its confidence.
 */
export function parseContinuousOutput(output: string): Utterance[] {
  const utterances: Utterance[] = [];
  for (const line of output.split('\n')) {
    const [, text, start, end, confidence] = WORD_LINE.exec(line) ?? [];
    if (text === undefined) {
      utterances.push([]);
      continue;
    }
    utterances.at(-1)?.push({
      text,
      startSeconds: Number(start),
      endSeconds: Number(end) + FRAME_SECONDS,
      confidence: Number(confidence),
    });
  }
  return utterances.map(wordsOnly).filter((utterance) => utterance.length > 0);
}

const JsonUtterance = z.object({
  w: z.array(z.object({ b: z.number(), d: z.number(), p: z.number(), t: z.string() })),
});

/** Parses the output of `pocketsphinx live` (version 5): one JSON object per utterance. */
export function parseJsonOutput(output: string): Utterance[] {
  return output
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JsonUtterance.parse(JSON.parse(line)).w)
    .map((words) => words.map(({ b, d, p, t }) => ({ text: t, startSeconds: b, endSeconds: b + d, confidence: p })))
    .map(wordsOnly)
    .filter((utterance) => utterance.length > 0);
}

/** Removes silence, noise and the variant marks of the dictionary, and limits confidence to 0 to 1. */
function wordsOnly(utterance: Utterance): Utterance {
  return utterance
    .filter((word) => !FILLER.test(word.text))
    .map((word) => ({
      ...word,
      text: word.text.replace(PRONUNCIATION_VARIANT, ''),
      confidence: Math.max(0, Math.min(1, word.confidence)),
    }));
}
