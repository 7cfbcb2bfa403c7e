import { findMediaPrograms, type MediaPrograms } from '#tools/local/transcribe/media/media-programs.ts';
import { runProgram } from '#tools/local/transcribe/media/run-program.ts';

/** The installed ffmpeg. */
export const mediaPrograms: MediaPrograms = requirePrograms();

function requirePrograms(): MediaPrograms {
  const programs = findMediaPrograms();
  if (programs === undefined) throw new Error('This test needs ffmpeg: run npm run setup, or apt-get install ffmpeg.');
  return programs;
}

/** Creates a media file with ffmpeg. The last argument is the file. */
export async function runFfmpeg(...args: string[]): Promise<void> {
  const { exitCode } = await runProgram(mediaPrograms.ffmpeg, ['-nostdin', '-y', ...args], AbortSignal.timeout(20_000));
  if (exitCode !== 0) throw new Error(`ffmpeg ${args.join(' ')} failed.`);
}
