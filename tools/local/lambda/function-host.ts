import { randomUUID } from 'node:crypto';
import type { FunctionLog } from './function-log.ts';
import { FunctionThread, type Outcome } from './function-thread.ts';
import { largestRequestBytes, largestResponseBytes } from './payload-limits.ts';
import type { FunctionFault, InvocationContext } from './protocol.ts';
import type { Redirects } from './redirect-https.ts';

/** The configuration of a function in the template. */
export type FunctionConfiguration = {
  readonly name: string;
  readonly arn: string;
  readonly codeFolder: string;
  readonly handler: string;
  readonly memorySizeMb: number;
  readonly timeoutSeconds: number;
  /** How long the function can load before it takes time from the first invocation. By default as long as on Lambda. */
  readonly freeLoadMs?: number;
  readonly logGroupName: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly maxConcurrency: number;
  readonly redirects?: Redirects | undefined;
};

/** Thrown for a request that is too large. Lambda refuses it before the function runs. */
export class RequestTooLarge extends Error {
  override readonly name = 'RequestTooLarge';
}

/**
 * Runs one function as Lambda does: one thread per concurrent invocation, reused while warm. Invocations above the
 * function's concurrency wait. A fault ends one invocation and is logged. It never stops the runner.
 */
export class FunctionHost {
  readonly #configuration: FunctionConfiguration;
  readonly #log: FunctionLog;
  readonly #threads = new Set<FunctionThread>();
  readonly #idle: FunctionThread[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #stopped = false;

  constructor(configuration: FunctionConfiguration, log: FunctionLog) {
    this.#configuration = configuration;
    this.#log = log;
  }

  get name(): string {
    return this.#configuration.name;
  }

  /** Invokes the function and returns its outcome. Throws only if the request is over 6 MB or the host has stopped. */
  async invoke(event: unknown): Promise<Outcome> {
    const payload = JSON.stringify(event) ?? 'null';
    if (Buffer.byteLength(payload) > largestRequestBytes) throw new RequestTooLarge('The event is over 6 MB.');
    await this.#turn();
    try {
      if (this.#stopped) throw new Error(`${this.name} has been stopped`);
      return await this.#runOnThread(payload);
    } finally {
      this.#giveTurn();
    }
  }

  /** Terminates every thread. Running invocations end with a fault. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#threads].map((thread) => thread.terminate()));
    this.#log.close();
  }

  async #turn(): Promise<void> {
    if (this.#running < this.#configuration.maxConcurrency) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Passes a free slot to the oldest waiting invocation, or returns it. */
  #giveTurn(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }

  async #runOnThread(event: string): Promise<Outcome> {
    const thread = this.#takeThread();
    const context = contextOf(this.#configuration);
    const outcome = withinLimit(await thread.run({ event, context }));
    if (thread.isAlive) this.#idle.push(thread);
    else this.#threads.delete(thread);
    if (!outcome.ok) this.#log.write(errorLine(context.awsRequestId, outcome.fault));
    return outcome;
  }

  /** The idle thread that was used last. Skips threads that have ended. */
  #takeThread(): FunctionThread {
    for (let thread = this.#idle.pop(); thread; thread = this.#idle.pop()) {
      if (thread.isAlive) return thread;
      this.#threads.delete(thread);
    }
    const thread = new FunctionThread({ ...this.#configuration, log: this.#log });
    this.#threads.add(thread);
    return thread;
  }
}

function contextOf({ name, arn, memorySizeMb, logGroupName }: FunctionConfiguration): InvocationContext {
  return {
    awsRequestId: randomUUID(),
    functionName: name,
    functionVersion: '$LATEST',
    invokedFunctionArn: arn,
    memoryLimitInMB: String(memorySizeMb),
    logGroupName,
    logStreamName: 'local',
  };
}

function withinLimit(outcome: Outcome): Outcome {
  if (!outcome.ok || Buffer.byteLength(outcome.payload) <= largestResponseBytes) return outcome;
  const errorMessage = `Response payload size exceeded maximum allowed payload size (${largestResponseBytes} bytes).`;
  return { ok: false, fault: { errorType: 'Function.ResponseSizeTooLarge', errorMessage, trace: [] } };
}

/** The log line that Lambda writes for a timeout or another fault. */
function errorLine(requestId: string, { errorType, errorMessage, trace }: FunctionFault): string {
  const time = new Date().toISOString();
  if (errorType === 'Sandbox.Timedout') return `${time} ${requestId} ${errorMessage}`;
  return [time, requestId, 'ERROR', 'Invoke Error', JSON.stringify({ errorType, errorMessage, stack: trace })].join(
    '\t',
  );
}
