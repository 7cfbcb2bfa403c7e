import ora from 'ora';
import { canRewrite, type Environment, screenOf } from './screen.ts';
import { cut, harmless } from './text.ts';

/** Shows what a command waits for. */
export type Progress = {
  /** Whether each text replaces the previous one, so that texts can change often. */
  readonly isLive: boolean;
  /** Shows a text. Without a terminal, writes it as a line. */
  readonly show: (text: string) => void;
  /** Removes the text. Can be called repeatedly. */
  readonly stop: () => void;
};

/** The columns of the spinner and the blank before the text. */
const spinnerWidth = 2;

/** A spinner with a text, which `stop` removes. Without a terminal, a line for each new text. */
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
    // Otherwise ora reads stdin, including Ctrl-C, which must end the program.
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
