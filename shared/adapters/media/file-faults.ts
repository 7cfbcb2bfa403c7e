import { MediaError } from '#shared/domain/media/media-refusal.ts';

const namesOfPlainErrors: readonly string[] = ['Error', 'TypeError', 'RangeError', 'AssertionError'];

/** Errors of calls: of S3, and of a signal. They say nothing about the file. */
const callFaults = new WeakSet<object>();

/** Runs a call. Its errors are not taken for faults of the file. */
export async function ofCall<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Object) callFaults.add(error);
    throw error;
  }
}

/** The error to throw for an error of a parser or a muxer: a MediaError, since a broken file has thrown it. Errors of calls stay as they are. */
export function fileFault(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof MediaError || callFaults.has(error)) return error;
  if (error.name === 'UnsupportedInputFormatError') {
    return new MediaError('not_media', 'The container is not known.', { cause: error });
  }
  if (!namesOfPlainErrors.includes(error.name)) return error;
  return new MediaError('unreadable', 'The file could not be read.', { cause: error });
}

/** Runs work on a file. Errors of parsers and muxers become a MediaError. */
export async function ofFile<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw fileFault(error);
  }
}
