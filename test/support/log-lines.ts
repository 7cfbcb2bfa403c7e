import { vi } from 'vitest';

/** A log line, as text and parsed. */
export type LogLine = { readonly text: string; readonly facts: Readonly<Record<string, unknown>> };

/** Captures the log lines of this process instead of printing them, until the spies of the test are restored. */
export function captureLogLines(): { readonly lines: () => readonly LogLine[] } {
  const chunks: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      chunks.push(String(chunk));
      return true;
    });
  }
  return {
    lines: () =>
      chunks
        .join('')
        .split('\n')
        .filter((text) => text !== '')
        .map((text) => ({ text, facts: JSON.parse(text) })),
  };
}
