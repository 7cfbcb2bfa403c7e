import { findProgram } from './transcribe/media/find-program.ts';

/** Looks for Chromium, in which tests open the page of the API's description. */
export function findChromium(searchPath: string = process.env.PATH ?? ''): string | undefined {
  return findProgram('chromium', searchPath) ?? findProgram('chromium-browser', searchPath);
}
