import { findRecognizer } from '../transcript/recognizer.ts';
import { findMediaPrograms } from './media-programs.ts';

/** The names of the programs that transcription needs and this machine lacks. `npm run setup` installs them. */
export function missingPrograms(searchPath: string = process.env.PATH ?? ''): string[] {
  const found = { PocketSphinx: findRecognizer(searchPath), ffmpeg: findMediaPrograms(searchPath) };
  return Object.entries(found).flatMap(([name, program]) => (program === undefined ? [name] : []));
}
