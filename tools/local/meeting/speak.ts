import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findProgram } from '../transcribe/media/find-program.ts';
import { runProgram } from '../transcribe/media/run-program.ts';

/** The voices of Flite that PocketSphinx understands. */
export type Voice = 'awb' | 'kal16' | 'rms' | 'slt';

/** Samples a second of everything that is spoken here. */
export const speechRate = 16_000;

const headerBytes = 44;

/** The path of Flite. Undefined means that `npm run setup` helps. */
export function findFlite(searchPath: string = process.env.PATH ?? ''): string | undefined {
  return findProgram('flite', searchPath);
}

/** Speaks a text. Returns mono samples of 16 bit. The same text has the same samples. */
export async function speak(voice: Voice, text: string, signal: AbortSignal): Promise<Int16Array> {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-speech-'));
  try {
    const file = path.join(folder, 'speech.wav');
    const { exitCode } = await runProgram(findFlite() ?? 'flite', ['-voice', voice, '-t', text, '-o', file], signal);
    signal.throwIfAborted();
    if (exitCode !== 0) throw new Error('Flite could not speak. Run npm run setup.');
    const { buffer, byteOffset, byteLength } = await readFile(file);
    return new Int16Array(buffer.slice(byteOffset + headerBytes, byteOffset + byteLength));
  } finally {
    await rm(folder, { recursive: true });
  }
}
