import { clearLine, cursorTo } from 'node:readline';

/** Prints messages and progress to the terminal. */
export type Terminal = {
  readonly say: (text: string) => void;
  /** Shows the current step: on a terminal as one line that it overwrites, elsewhere as a plain line. */
  readonly progress: (text: string) => void;
  /** Ends the progress line. */
  readonly settle: () => void;
};

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const frameMs = 100;

/** Writes to standard output. The service goes on if the reader closes it. */
export function openTerminal(output: NodeJS.WriteStream = process.stdout): Terminal {
  let timer: NodeJS.Timeout | undefined;
  let shown = '';
  output.on('error', () => clearInterval(timer)); // EPIPE: the reader has closed it, and the service goes on
  const settle = (): void => {
    if (!timer) return;
    clearInterval(timer);
    timer = undefined;
    clearLine(output, 0);
    cursorTo(output, 0);
  };
  const spin = (text: string): void => {
    settle();
    const startedAt = Date.now();
    let frame = 0;
    const draw = (): void => {
      clearLine(output, 0);
      cursorTo(output, 0);
      frame = (frame + 1) % frames.length;
      output.write(`${frames[frame]} ${text} (${Math.floor((Date.now() - startedAt) / 1000)} s)`);
    };
    draw();
    timer = setInterval(draw, frameMs);
  };
  return {
    settle,
    say: (text) => {
      settle();
      output.write(`${text}\n`);
    },
    progress: (text) => {
      if (text === shown) return;
      shown = text;
      if (output.isTTY) spin(text);
      else output.write(`${text} ...\n`);
    },
  };
}
