import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { type LogFile, openLogFile } from '../log-file.ts';

/** The log file of one function. Its lines are exactly as the function wrote them. */
export type FunctionLog = LogFile & {
  /** Writes the lines of one thread's output. Lines of several threads never mix. */
  readonly follow: (output: Readable) => void;
};

/** Opens (and appends to) `<folder>/<functionName>.log`. Drops output that arrives after it is closed. */
export function openFunctionLog(folder: string, functionName: string): FunctionLog {
  mkdirSync(folder, { recursive: true });
  const { write, close } = openLogFile(path.join(folder, `${functionName}.log`));
  return {
    write,
    close,
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
  };
}
