import { Worker } from 'node:worker_threads';
import type { FunctionLog } from './function-log.ts';
import { type FunctionFault, faultOf, type Invocation, type ThreadData, type ThreadMessage } from './protocol.ts';

/** The result of an invocation: JSON text, or a fault of the function. */
export type Outcome =
  | { readonly ok: true; readonly payload: string }
  | { readonly ok: false; readonly fault: FunctionFault };

/** The bundle that a thread loads, and its environment. */
export type ThreadOptions = ThreadData & {
  readonly environment: Readonly<Record<string, string>>;
  readonly memorySizeMb: number;
  readonly log: FunctionLog;
};

/** Memory of new objects in each thread. The default of Node grows further, in each of dozens of threads. */
const maxYoungGenerationSizeMb = 12;

/** Lambda's own limit for loading a function. https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html */
const loadLimitMs = 10_000;

/**
 * One execution environment: a thread that handles one invocation at a time, without the environment variables of
 * this process. If the thread ends, only its current invocation fails, and `isAlive` becomes false.
 */
export class FunctionThread {
  readonly #worker: Worker;
  readonly #loaded: Promise<Outcome>;
  #alive = true;
  #settle: (outcome: Outcome) => void = () => undefined;

  constructor({ codeFolder, handler, redirects, environment, memorySizeMb, log }: ThreadOptions) {
    const data: ThreadData = { codeFolder, handler, redirects };
    this.#worker = new Worker(new URL('./thread-main.ts', import.meta.url), {
      workerData: data,
      env: { ...environment },
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: memorySizeMb, maxYoungGenerationSizeMb },
    });
    log.follow(this.#worker.stdout);
    log.follow(this.#worker.stderr);
    this.#worker.on('message', (message: ThreadMessage) => this.#receive(message));
    this.#worker.on('error', (error: unknown) => this.#die(faultOf(error, uncaughtType(error))));
    this.#worker.on('exit', (code) => this.#die(exited(code)));
    this.#loaded = this.#next(loadLimitMs, () => ({
      errorType: 'Sandbox.Timedout',
      errorMessage: `Init phase timed out after ${(loadLimitMs / 1000).toFixed(2)} seconds`,
      trace: [],
    }));
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  /** Runs one invocation after the function has loaded. Terminates the thread at the timeout. */
  async run(invocation: Omit<Invocation, 'deadlineMs'>, timeoutSeconds: number): Promise<Outcome> {
    const loaded = await this.#loaded;
    if (!loaded.ok) return loaded;
    const timeoutMs = timeoutSeconds * 1000;
    const outcome = this.#next(timeoutMs, () => ({
      errorType: 'Sandbox.Timedout',
      errorMessage: `Task timed out after ${timeoutSeconds.toFixed(2)} seconds`,
      trace: [],
    }));
    if (this.#alive)
      this.#worker.postMessage({ ...invocation, deadlineMs: Date.now() + timeoutMs } satisfies Invocation);
    else this.#settle({ ok: false, fault: exited(0) });
    return outcome;
  }

  async terminate(): Promise<void> {
    this.#alive = false;
    await this.#worker.terminate();
  }

  #next(limitMs: number, timedOut: () => FunctionFault): Promise<Outcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#die(timedOut());
        void this.#worker.terminate();
      }, limitMs);
      this.#settle = (outcome) => {
        clearTimeout(timer);
        resolve(outcome);
      };
    });
  }

  #receive(message: ThreadMessage): void {
    if (message.kind === 'loaded') this.#settle({ ok: true, payload: 'null' });
    if (message.kind === 'returned') this.#settle({ ok: true, payload: message.payload });
    if (message.kind === 'threw') this.#settle({ ok: false, fault: message.fault });
    if (message.kind === 'notLoaded') {
      this.#die(message.fault);
      void this.#worker.terminate();
    }
  }

  #die(fault: FunctionFault): void {
    this.#alive = false;
    this.#settle({ ok: false, fault });
  }
}

function uncaughtType(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'Runtime.OutOfMemory' : undefined;
}

function exited(code: number): FunctionFault {
  return { errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with exit code ${code}`, trace: [] };
}
