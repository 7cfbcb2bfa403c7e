import { tmpdir } from 'node:os';
import type { TranscriptDocument } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { Line } from '#tools/local/meeting/record.ts';
import { findFlite, type Voice } from '#tools/local/meeting/speak.ts';
import { succeed } from '../support/client/run-program.ts';
import type { WordOf } from '../support/transcriptions/speaker-accuracy.ts';

const pause = 'pau';

/**
 * The words of a line with the times at which Flite says them. Flite prints the end of each sound of a sentence, but not which word it
 * is of. So it also says the words one by one: between pauses, every word has the same number of sounds as in the sentence.
 */
export async function spokenWords(person: string, { voice, at, text }: Line): Promise<WordOf[]> {
  const words = text.split(' ').map((word) => word.replace(/[.,]/g, ''));
  const [sounds, apart] = await Promise.all([
    soundsOf(voice, text, '-psdur'),
    soundsOf(voice, words.map((word) => `${word},`).join(' '), '-ps'),
  ]);
  const counts = apart
    .join(' ')
    .split(pause)
    .map((group) => group.trim())
    .filter(Boolean);
  const timed = sounds.map((sound, index) => ({
    isPause: sound.startsWith(`${pause}:`),
    startSeconds: at + endOf(sounds[index - 1]),
    endSeconds: at + endOf(sound),
  }));
  const spoken = timed.filter(({ isPause }) => !isPause);
  const total = counts.reduce((sum, group) => sum + group.split(' ').length, 0);
  if (counts.length !== words.length || total !== spoken.length)
    throw new Error(`Flite says "${text}" with other sounds than its words.`);
  let first = 0;
  return words.map((word, index) => {
    const own = spoken.slice(first, first + (counts[index]?.split(' ').length ?? 0));
    first += own.length;
    return { person, text: word, startSeconds: own[0]?.startSeconds ?? 0, endSeconds: own.at(-1)?.endSeconds ?? 0 };
  });
}

/** The words of a transcript by their participants. */
export function wordsOf({ speakers, turns }: TranscriptDocument): WordOf[] {
  const people = new Map(speakers.map(({ speaker, participantId }) => [speaker, participantId]));
  return turns.flatMap(({ speaker, words }) => words.map((word) => ({ ...word, person: people.get(speaker) ?? '' })));
}

async function soundsOf(voice: Voice, text: string, show: '-ps' | '-psdur'): Promise<string[]> {
  const { stdout } = await succeed(findFlite() ?? 'flite', ['-voice', voice, show, '-t', text, '-o', 'none'], {
    folder: tmpdir(),
  });
  return stdout.trim().split(/\s+/);
}

/** The end of a sound such as `ao:0.505`. */
function endOf(sound: string | undefined): number {
  return Number(sound?.split(':')[1] ?? 0);
}
