import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';

/** The log file of one function. Its lines are exactly as the function wrote them. */
export type FunctionLog = {
  readonly write: (line: string) => void;
  /** Writes the lines of one thread's output. Lines of several threads never mix. */
  readonly follow: (output: Readable) => void;
  readonly close: () => void;
};

/** Opens (and appends to) `<folder>/<functionName>.log`. Drops output that arrives after it is closed. */
export function openFunctionLog(folder: string, functionName: string): FunctionLog {
  mkdirSync(folder, { recursive: true });
  let file: number | undefined = openSync(path.join(folder, `${functionName}.log`), 'a');
  const write = (line: string): void => {
    if (file !== undefined) writeSync(file, `${line}\n`);
  };
  return {
    write,
    follow: (output) => {
      let unfinished = '';
      output.setEncoding('utf8');
      output.on('data', (chunk: string) => {
        const lines = `${unfinished}${chunk}`.split('\n');
        unfinished = lines.pop() ?? '';
        for (const line of lines) write(line);
      });
      output.on('end', () => {
        if (unfinished !== '') write(unfinished);
      });
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
