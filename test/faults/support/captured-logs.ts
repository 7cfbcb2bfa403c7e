import { vi } from 'vitest';

/** The output of the functions, which is not printed. */
export type CapturedLogs = { readonly text: () => string; readonly forget: () => void };

/** Captures everything that this process writes to standard output and standard error from now on. */
export function captureLogs(): CapturedLogs {
  const chunks: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      chunks.push(String(chunk));
      return true;
    });
  }
  return { text: () => chunks.join(''), forget: () => void chunks.splice(0) };
}
