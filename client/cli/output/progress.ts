import ora from 'ora';
import { canRewrite, type Environment, screenOf } from './screen.ts';
import { cut, harmless } from './text.ts';

/** Tells what is being waited for. */
export type Progress = {
  /** Each text takes the place of the one before: one that changes often may be shown. */
  readonly isLive: boolean;
  /** Shows a text, or writes a line of it where nothing can be written over. */
  readonly show: (text: string) => void;
  /** Ends it; it may be called again. */
  readonly stop: () => void;
};

/** Room for the spinner and a blank before the text. */
const spinnerWidth = 2;

/** A spinner with a text, of which nothing remains after `stop`; where there is no terminal, a line for each new text. */
export function openProgress(stream: NodeJS.WriteStream, environment: Environment): Progress {
  const { colors } = screenOf(stream, environment);
  return canRewrite(stream, environment) ? spinner(stream, colors.isColorSupported) : lines(stream);
}

function lines(stream: NodeJS.WriteStream): Progress {
  let last: string | undefined;
  return {
    isLive: false,
    show(text) {
      if (text !== last) stream.write(`${harmless(text)}\n`);
      last = text;
    },
    stop() {},
  };
}

function spinner(stream: NodeJS.WriteStream, isColored: boolean): Progress {
  const shown = ora({
    stream,
    isEnabled: true,
    color: isColored ? 'cyan' : false,
    // It would read what is typed, Ctrl-C included: that has to end the program as ever.
    discardStdin: false,
  });
  return {
    isLive: true,
    show(text) {
      shown.text = cut(harmless(text), (stream.columns || 80) - spinnerWidth - 1);
      if (!shown.isSpinning) shown.start();
    },
    stop() {
      if (shown.isSpinning) shown.stop();
    },
  };
}
