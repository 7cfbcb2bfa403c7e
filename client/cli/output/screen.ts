import { createColors } from 'picocolors';

/** What output is written for. */
export type Screen = {
  /** Undefined where the stream is no terminal. */
  readonly columns: number | undefined;
  readonly colors: ReturnType<typeof createColors>;
};

/** The screen that a stream writes on. */
export function screenOf(stream: NodeJS.WriteStream): Screen {
  return { columns: stream.isTTY ? stream.columns : undefined, colors: createColors(stream.isTTY) };
}
