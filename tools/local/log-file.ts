import { closeSync, openSync, writeSync } from 'node:fs';

/** A file of lines. What cannot be written is dropped: a log must not end the program that it tells about. */
export type LogFile = { readonly write: (line: string) => void; readonly close: () => void };

/** Opens a file, and appends to it. Drops lines that come after it is closed. */
export function openLogFile(file: string): LogFile {
  let descriptor: number | undefined = openSync(file, 'a');
  let isTorn = false;
  return {
    write: (line) => {
      if (descriptor === undefined) return;
      const bytes = Buffer.from(`${isTorn ? '\n' : ''}${line}\n`);
      try {
        isTorn = writeSync(descriptor, bytes) < bytes.length;
      } catch {
        // The disk is full, which the terminal says.
      }
    },
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
