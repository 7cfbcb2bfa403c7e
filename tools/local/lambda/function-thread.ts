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
  readonly timeoutSeconds: number;
  /** How long the function can load before it takes time from the first invocation. */
  readonly freeLoadMs?: number | undefined;
  readonly log: FunctionLog;
};

/** Memory of new objects in each thread. The default of Node grows further, in each of dozens of threads. */
const maxYoungGenerationSizeMb = 12;

/**
 * Lambda's limit for loading a function. A function that needs longer is no fault: Lambda loads it again, in the time of its first
 * invocation. Here it goes on loading in that time. https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
 */
const lambdaFreeLoadMs = 10_000;

/**
 * One execution environment: a thread that handles one invocation at a time, without the environment variables of
 * this process. If the thread ends, only its current invocation fails, and `isAlive` becomes false.
 */
export class FunctionThread {
  readonly #worker: Worker;
  readonly #loaded: Promise<Outcome>;
  readonly #timeoutMs: number;
  /** Loading beyond this moment takes time from the first invocation. */
  readonly #freeUntil: number;
  #lateMs = 0;
  #alive = true;
  #settle: (outcome: Outcome) => void = () => undefined;

  constructor({
    environment,
    memorySizeMb,
    timeoutSeconds,
    freeLoadMs = lambdaFreeLoadMs,
    log,
    ...code
  }: ThreadOptions) {
    const { codeFolder, handler, redirects } = code;
    const data: ThreadData = { codeFolder, handler, redirects };
    this.#timeoutMs = timeoutSeconds * 1000;
    this.#freeUntil = Date.now() + freeLoadMs;
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
    this.#loaded = this.#next(freeLoadMs + this.#timeoutMs, 'Init phase');
  }

  get isAlive(): boolean {
    return this.#alive;
  }

  /** Runs one invocation after the function has loaded. Terminates the thread at the timeout. */
  async run(invocation: Omit<Invocation, 'deadlineMs'>): Promise<Outcome> {
    const loaded = await this.#loaded;
    if (!loaded.ok) return loaded;
    const limitMs = this.#timeoutMs - this.#lateMs;
    this.#lateMs = 0;
    const outcome = this.#next(limitMs, 'Task');
    if (this.#alive) this.#worker.postMessage({ ...invocation, deadlineMs: Date.now() + limitMs } satisfies Invocation);
    else this.#settle({ ok: false, fault: exited(0) });
    return outcome;
  }

  async terminate(): Promise<void> {
    this.#alive = false;
    await this.#worker.terminate();
  }

  #next(limitMs: number, what: string): Promise<Outcome> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#die(timedOut(what, limitMs));
        void this.#worker.terminate();
      }, limitMs);
      this.#settle = (outcome) => {
        clearTimeout(timer);
        resolve(outcome);
      };
    });
  }

  #receive(message: ThreadMessage): void {
    if (message.kind === 'loaded') {
      this.#lateMs = Math.max(0, Date.now() - this.#freeUntil);
      this.#settle({ ok: true, payload: 'null' });
    }
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

function timedOut(what: string, afterMs: number): FunctionFault {
  const errorMessage = `${what} timed out after ${(afterMs / 1000).toFixed(2)} seconds`;
  return { errorType: 'Sandbox.Timedout', errorMessage, trace: [] };
}

function exited(code: number): FunctionFault {
  return { errorType: 'Runtime.ExitError', errorMessage: `Runtime exited with exit code ${code}`, trace: [] };
}
