import { MediaError } from '#shared/domain/media/media-refusal.ts';
import { ofCall } from './file-faults.ts';

/** Reads the bytes `[start, end)` of a file. */
export type ReadRange = (start: number, end: number, signal: AbortSignal) => Promise<Uint8Array>;

/** A file that can be read in ranges. */
export type MediaFile = { readonly bytes: number; readonly readRange: ReadRange };

/** Bytes of a file from `start` on. */
export type ByteWindow = { readonly start: number; readonly end: number; readonly bytes: Uint8Array };

/** How much may be read of a file before it counts as unreadable, and how much the first look at a place reads. */
export type ReadBudget = { readonly reads: number; readonly bytes: number; readonly firstLook: number };

/** Reads a file in few large ranges, ahead of a reader that goes forward. */
export type MediaSource = {
  readonly bytes: number;
  /**
   * Returns a window with at least the bytes `[start, start + length)`, as far as the file has them. Answers without a
   * promise if the bytes are in memory. Throws a MediaError beyond the budget, and the signal's reason after it aborts.
   */
  readonly read: (start: number, length: number) => ByteWindow | Promise<ByteWindow>;
  /** What has been read so far. */
  readonly counted: () => { readonly reads: number; readonly bytes: number };
  /** Stops reading ahead, and forgets all windows. */
  readonly close: () => void;
};

const mebibyte = 1024 ** 2;
/** The size of the ranges of a reader that goes forward. */
const rangeBytes = 8 * mebibyte;
/** A reader that skips less than this, such as the video between audio, goes forward. */
const skippedBytes = rangeBytes;
/** The largest piece that must be in memory as a whole: the tables of a day of MP4 with video. */
const largestSlice = 128 * mebibyte;
const keptWindows = 3;

/** The budget of a file whose head is checked: headers, tables and the end. A short recording is read at once. */
export function headBudget(bytes: number): ReadBudget {
  const firstLook = bytes <= mebibyte ? mebibyte : mebibyte / 4;
  return { reads: 64, bytes: 2 * largestSlice, firstLook };
}

/** The budget of preparing a file: all of it once, its tables, and what pieces share. */
export function wholeBudget(bytes: number): ReadBudget {
  return {
    reads: 1000 + Math.ceil((2 * bytes) / mebibyte),
    bytes: 2 * bytes + 2 * largestSlice,
    firstLook: 4 * mebibyte,
  };
}

/** Reads a file through windows of 8 MiB, of which at most three and one that is read ahead are in memory. */
export function mediaSource(file: MediaFile, budget: ReadBudget, signal: AbortSignal): MediaSource {
  const { bytes: size, readRange } = file;
  const counted = { reads: 0, bytes: 0 };
  const stop = new AbortController();
  const signals = AbortSignal.any([signal, stop.signal]);
  let windows: ByteWindow[] = [];
  let ahead: { readonly start: number; readonly end: number; readonly window: Promise<ByteWindow> } | undefined;
  let forwardReads = 0;

  const fetchRange = async (start: number, end: number): Promise<ByteWindow> => {
    counted.reads++;
    counted.bytes += end - start;
    if (counted.reads > budget.reads || counted.bytes > budget.bytes) {
      throw new MediaError('too_scattered', 'Reading the file takes more reads than a real file needs.');
    }
    const bytes = await ofCall(() => {
      signals.throwIfAborted();
      return readRange(start, end, signals);
    });
    if (bytes.byteLength !== end - start) throw new MediaError('replaced', 'The file has become shorter.');
    // The SDK returns a Buffer, whose slice() does not copy.
    return { start, end, bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
  };

  const readAhead = (start: number) => {
    if (start >= size) return;
    const end = Math.min(start + rangeBytes, size);
    const window = fetchRange(start, end);
    window.catch(() => undefined); // whoever needs the window sees the error
    ahead = { start, end, window };
  };

  /** Takes the window that was read ahead if it begins where it is needed, or reads one. */
  const next = async (from: number, end: number): Promise<ByteWindow> => {
    const window = ahead && ahead.start <= from && from < ahead.end ? ahead.window : undefined;
    ahead = undefined;
    if (window !== undefined) return window;
    const wanted = forwardReads > 0 ? rangeBytes : budget.firstLook;
    return fetchRange(from, Math.min(Math.max(end, from + wanted), size));
  };

  const load = async (start: number, end: number): Promise<ByteWindow> => {
    const last = windows.at(-1);
    const isForward = last !== undefined && start >= last.start && start - last.end < skippedBytes;
    forwardReads = isForward ? forwardReads + 1 : 0;
    const parts = [windows.find((window) => window.start <= start && start < window.end) ?? (await next(start, end))];
    for (let part = parts[0]; part && part.end < end; part = parts.at(-1)) parts.push(await next(part.end, end));
    const window = joined(parts, start);
    windows = [...windows, window].slice(-keptWindows);
    // The second step forward shows that the reader takes the file from front to back.
    if (forwardReads > 1 && !ahead) readAhead(window.end);
    return window;
  };

  return {
    bytes: size,
    counted: () => ({ ...counted }),
    read(start, length) {
      const end = Math.min(start + length, size);
      if (end <= start) return { start, end: start, bytes: new Uint8Array() };
      for (let index = windows.length - 1; index >= 0; index--) {
        const window = windows[index];
        if (window && window.start <= start && end <= window.end) return window;
      }
      if (length > largestSlice) throw new MediaError('unreadable', 'A part of the file claims to be too large.');
      return load(start, end);
    },
    close() {
      stop.abort(new Error('The file is not read any more.'));
      windows = [];
      ahead = undefined;
    },
  };
}

/** One window from `start` on. Neighbouring windows are copied together. */
function joined(parts: readonly ByteWindow[], start: number): ByteWindow {
  const [first] = parts;
  const end = parts.at(-1)?.end ?? start;
  if (first && parts.length === 1) return first;
  const bytes = new Uint8Array(end - start);
  for (const part of parts) {
    const from = Math.max(part.start, start);
    bytes.set(part.bytes.subarray(from - part.start), from - start);
  }
  return { start, end, bytes };
}
