import { vi } from 'vitest';

/** What the functions wrote, instead of having it on the screen. */
export type CapturedLogs = { readonly text: () => string };

/** From now on keeps what this process writes to its standard output and error. */
export function captureLogs(): CapturedLogs {
  const chunks: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      chunks.push(String(chunk));
      return true;
    });
  }
  return { text: () => chunks.join('') };
}
