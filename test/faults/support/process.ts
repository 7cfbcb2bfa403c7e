import { AsyncLocalStorage } from 'node:async_hooks';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import type { MiddlewareStack, RetryStrategyV2 } from '@smithy/types';
import { clientDefaults } from '#shared/adapters/common/client-defaults.ts';

/**
 * A fault of one call to AWS. `before`: the call is not made. `after`: the call is made and its answer is lost.
 * `meanwhile`: something else happens before the call is made. `change`: the call is made and its answer is changed.
 * `answer`: the call is not made and gets this answer.
 */
export type Fault =
  | { readonly meanwhile: () => Promise<unknown> }
  | { readonly change: (answer: unknown) => unknown }
  | { readonly answer: unknown }
  | { readonly kill: 'before' | 'after' }
  | { readonly error: Error; readonly when: 'before' | 'after' };

/** One call to AWS. `index` counts the calls of a process from 1. */
export type Call = { readonly index: number; readonly command: string; readonly input: unknown };

/** Returns the fault of a call, or undefined for none. */
export type FaultPlan = (call: Call) => Fault | undefined;

/** A plan without faults. */
export const noFaults: FaultPlan = () => undefined;

/** The number of the call at which a process dies, and whether it dies before or after this call. */
export type Death = { readonly call: number; readonly when: 'before' | 'after' };

/**
 * All deaths of a process with this number of calls that leave different states: before each call, and after the last.
 * A death after any other call leaves the same state as a death before the next call, because the process does nothing
 * between the two that anyone else can see. Calls in flight are completed in both cases.
 */
export function pointsOfDeath(calls: number): Death[] {
  const beforeEach = Array.from({ length: calls }, (_, index): Death => ({ call: index + 1, when: 'before' }));
  return [...beforeEach, { call: calls, when: 'after' }];
}

/** All pairs of deaths of two processes that run one after the other. */
export function pairsOfDeaths(calls: number): [first: Death, second: Death][] {
  const points = pointsOfDeath(calls);
  return points.flatMap((first) => points.map((second): [Death, Death] => [first, second]));
}

/** The process dies right before or right after its call number `index`. */
export const killAt =
  (index: number, when: 'before' | 'after'): FaultPlan =>
  (call) =>
    call.index === index ? { kill: when } : undefined;

/** Runs `meanwhile` before the process makes its call number `index`. */
export const meanwhileAt =
  (index: number, meanwhile: () => Promise<unknown>): FaultPlan =>
  (call) =>
    call.index === index ? { meanwhile } : undefined;

/** Calls of this command fail the given number of times, before or after they are applied. */
export function failing(command: string, error: Error, when: 'before' | 'after', times = 1): FaultPlan {
  let left = times;
  return (call) => (call.command === command && left-- > 0 ? { error, when } : undefined);
}

/** An error as the SDK builds it from an answer. The SDK decides by it whether to retry. */
export function serviceError(name: string, httpStatusCode: number, message = name): Error {
  return Object.assign(new Error(message), {
    name,
    $fault: httpStatusCode < 500 ? 'client' : 'server',
    $metadata: { httpStatusCode },
  });
}

const never = new Promise<never>(() => {});

const currentProcess = new AsyncLocalStorage<FunctionProcess>();

function theProcess(): FunctionProcess {
  const process = currentProcess.getStore();
  if (process === undefined) throw new Error('An attached client was called outside FunctionProcess.run.');
  return process;
}

/**
 * Inserts the fault plan of the calling process between an SDK client and the network, inside the client's retry loop.
 * All processes can share the client, because creating one takes longer than most of its calls.
 */
export function attach<SdkClient extends { readonly middlewareStack: object }>(client: SdkClient): SdkClient {
  (client.middlewareStack as MiddlewareStack<object, object>).add(
    (next, context) => (args) =>
      theProcess().call(
        String((context as { commandName?: string }).commandName),
        () => next(args),
        (args as { input?: unknown }).input,
      ),
    { step: 'finalizeRequest', priority: 'low', name: 'faults' },
  );
  return client;
}

/** Retries without delay. Each process has its own retry budget, as with its own client. */
export const retriesOfProcess: RetryStrategyV2 = {
  acquireInitialRetryToken: (scope) => theProcess().retries.acquireInitialRetryToken(scope),
  refreshRetryTokenForRetry: (token, error) => theProcess().retries.refreshRetryTokenForRetry(token, error),
  recordSuccess: (token) => theProcess().retries.recordSuccess(token),
};

/**
 * One execution environment of a function. It can die at any call to AWS. From then on it makes no calls and gets no
 * answers, as if the machine were gone. Retries of the SDK count as calls.
 */
export class FunctionProcess {
  readonly calls: string[] = [];
  readonly retries: RetryStrategyV2 = new ConfiguredRetryStrategy(clientDefaults.maxAttempts, () => 0);
  readonly died: Promise<void>;
  private isDead = false;
  private die: () => void = () => {};
  private readonly plan: FaultPlan;
  private readonly inFlight = new Set<Promise<unknown>>();

  constructor(plan: FaultPlan = noFaults) {
    this.plan = plan;
    this.died = new Promise<void>((resolve) => {
      this.die = () => {
        this.isDead = true;
        resolve();
      };
    }).then(() => this.settled());
  }

  /** Runs code in this process. Calls of attached clients during the run belong to this process. */
  run<Result>(code: () => Result): Result {
    return currentProcess.run(this, code);
  }

  /** Makes one call with the fault that the plan returns. */
  async call<Answer>(command: string, make: () => Promise<Answer>, input?: unknown): Promise<Answer> {
    if (this.isDead) return never;
    this.calls.push(command);
    const fault = this.plan({ index: this.calls.length, command, input });
    if (fault && 'kill' in fault && fault.kill === 'before') this.die();
    if (this.isDead) return never;
    if (fault && 'error' in fault && fault.when === 'before') throw fault.error;
    if (fault && 'answer' in fault) return fault.answer as Answer;
    if (fault && 'meanwhile' in fault) {
      const ended = await this.tracked(fault.meanwhile());
      if (ended.status === 'rejected') throw ended.reason;
    }
    if (this.isDead) return never; // at another call of this process, meanwhile
    const made = await this.tracked(make());
    if (fault && 'kill' in fault) this.die();
    if (this.isDead) return never;
    if (fault && 'error' in fault) throw fault.error;
    if (made.status === 'rejected') throw made.reason;
    return fault && 'change' in fault ? (fault.change(made.value) as Answer) : made.value;
  }

  /** The outcome of a call. While it is in flight, the process has not settled. */
  private async tracked<Answer>(making: Promise<Answer>): Promise<PromiseSettledResult<Answer>> {
    this.inFlight.add(making);
    const [made] = await Promise.allSettled([making]);
    this.inFlight.delete(making);
    return made;
  }

  /** Waits for calls that were in flight when the process died, because the test may advance the clock by hours next. */
  private async settled(): Promise<void> {
    await Promise.allSettled(this.inFlight);
  }
}
