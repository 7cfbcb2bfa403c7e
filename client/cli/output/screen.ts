import picocolors from 'picocolors';
import type { Colors } from 'picocolors/types.js';

/** The target of output. `columns` is undefined without a terminal. `colors` leaves texts unchanged if colors are off. */
export type Screen = { readonly columns: number | undefined; readonly colors: Colors };

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The width of a stream's terminal, and its colors, which `NO_COLOR`, `FORCE_COLOR` and `TERM` control. */
export function screenOf(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>, environment: Environment): Screen {
  const isTerminal = stream.isTTY === true;
  // A terminal of unknown width has 0 columns.
  return {
    columns: isTerminal ? stream.columns || 80 : undefined,
    colors: picocolors.createColors(wantsColors(isTerminal, environment)),
  };
}

/** Whether a stream is a terminal that can overwrite text. */
export function canRewrite(stream: Pick<NodeJS.WriteStream, 'isTTY'>, environment: Environment): boolean {
  return stream.isTTY === true && environment.TERM !== 'dumb';
}

function wantsColors(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: Environment): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTerminal && TERM !== 'dumb';
}
