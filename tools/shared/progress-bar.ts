import { SingleBar } from 'cli-progress';

/** Shows the progress of steps that run one after the other. */
export type Progress = {
  readonly show: (what: string, done: number, total: number) => void;
  /** Ends the current step. */
  readonly end: () => void;
};

const plainSteps = 4;

/** Shows a bar per step on a terminal, and a line per quarter of a step elsewhere. */
export function openProgress(output: NodeJS.WriteStream = process.stdout): Progress {
  const start = output.isTTY ? startBar : startPlainLines;
  let shown: { readonly what: string; readonly bar: Bar } | undefined;
  const end = (): void => {
    shown?.bar.stop();
    shown = undefined;
  };
  return {
    show: (what, done, total) => {
      if (shown?.what !== what) {
        end();
        shown = { what, bar: start(what, total, output) };
      }
      shown.bar.update(done);
    },
    end,
  };
}

type Bar = { readonly update: (done: number) => void; readonly stop: () => void };

function startBar(what: string, total: number, output: NodeJS.WriteStream): Bar {
  const format = `${what} [{bar}] {value}/{total} ({duration_formatted})`;
  const bar = new SingleBar({ format, stream: output, hideCursor: true, barsize: 30 });
  bar.start(total, 0);
  return { update: (done) => bar.update(done), stop: () => bar.stop() };
}

function startPlainLines(what: string, total: number, output: NodeJS.WriteStream): Bar {
  let shown = -1;
  const update = (done: number): void => {
    const step = total === 0 ? plainSteps : Math.floor((done * plainSteps) / total);
    if (step === shown) return;
    shown = step;
    output.write(`${what} ${done}/${total}\n`);
  };
  return { update, stop: () => {} };
}
