import { findProgram } from './find-program.ts';

/** The paths of ffmpeg's two programs. */
export type MediaPrograms = { ffmpeg: string; ffprobe: string };

/** Looks for ffmpeg and ffprobe. Undefined means that jobs will fail and that `npm run setup` helps. */
export function findMediaPrograms(searchPath: string = process.env.PATH ?? ''): MediaPrograms | undefined {
  const ffmpeg = findProgram('ffmpeg', searchPath);
  const ffprobe = findProgram('ffprobe', searchPath);
  return ffmpeg === undefined || ffprobe === undefined ? undefined : { ffmpeg, ffprobe };
}
