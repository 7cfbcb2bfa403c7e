import picocolors from 'picocolors';
import type { Colors } from 'picocolors/types.js';

/** What output is made for: `columns` is undefined where it is no terminal; `colors` leave texts as they are where none are wanted. */
export type Screen = { readonly columns: number | undefined; readonly colors: Colors };

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What a stream shows: as wide as its terminal, coloured as `NO_COLOR`, `FORCE_COLOR` and `TERM` ask. */
export function screenOf(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>, environment: Environment): Screen {
  const isTerminal = stream.isTTY === true;
  // A terminal that does not know its width says 0.
  return {
    columns: isTerminal ? stream.columns || 80 : undefined,
    colors: picocolors.createColors(wantsColors(isTerminal, environment)),
  };
}

/** Whether a stream is a terminal in which what was written can be written over. */
export function canRewrite(stream: Pick<NodeJS.WriteStream, 'isTTY'>, environment: Environment): boolean {
  return stream.isTTY === true && environment.TERM !== 'dumb';
}

function wantsColors(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: Environment): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}
