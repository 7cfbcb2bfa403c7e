import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { envNames } from '#shared/runtime/names.ts';

/** A program that runs in a process group of its own, so that it ends together with what it has started. */
export type Running = {
  /** Resolves with the moment at which the output after the text of the last call contains a text. Throws if the program ends before. */
  readonly says: (text: RegExp) => Promise<number>;
  /** Interrupts the group as Ctrl-C does, and resolves when the program has ended. */
  readonly stop: () => Promise<void>;
};

/** Starts a program in a folder. */
export function run(command: string, args: readonly string[], folder: string): Running {
  const { [envNames.logLevel]: _, ...inherited } = process.env; // benchmarks log only errors, and a developer everything
  const env = { ...inherited, NO_COLOR: '1' };
  const child = spawn(command, args, { cwd: folder, env, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let onOutput = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      onOutput();
    });
  }
  const interrupt = () => {
    if (isRunning(child) && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
  };
  const ended = once(child, 'close');
  process.once('exit', interrupt);
  return {
    says: (text) =>
      new Promise((resolve, reject) => {
        onOutput = () => {
          const found = text.exec(output);
          if (!found) return;
          output = output.slice(found.index + found[0].length);
          resolve(performance.now());
        };
        onOutput();
        void ended.then(() => reject(new Error(`${command} ${args.join(' ')} ended without ${text}:\n${output}`)));
      }),
    async stop() {
      interrupt();
      await ended;
      process.off('exit', interrupt);
    },
  };
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}
