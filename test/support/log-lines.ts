import { vi } from 'vitest';

/** A line of the log, as text and as what it says. */
export type LogLine = { readonly text: string; readonly facts: Readonly<Record<string, unknown>> };

/** Until the test's spies are restored, keeps the lines that this process writes instead of showing them. */
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
