import { AsyncLocalStorage } from 'node:async_hooks';
import { ConfiguredRetryStrategy } from '@smithy/core/retry';
import type { MiddlewareStack, RetryStrategyV2 } from '@smithy/types';
import { clientDefaults } from '#shared/adapters/client-defaults.ts';

/**
 * What happens to one call to AWS. `before`: it was never made. `after`: it was made, and its answer is lost.
 * `meanwhile`: the process stands still before it, and something else happens. `change`: it was made, and says something else.
 */
export type Fault =
  | { readonly meanwhile: () => Promise<unknown> }
  | { readonly change: (answer: unknown) => unknown }
  | { readonly kill: 'before' | 'after' }
  | { readonly error: Error; readonly when: 'before' | 'after' };

/** One call to AWS: `index` counts from 1 in the order in which a process makes them. */
export type Call = { readonly index: number; readonly command: string; readonly input: unknown };

/** Decides the fate of each call. */
export type FaultPlan = (call: Call) => Fault | undefined;

/** Nothing goes wrong. */
export const noFaults: FaultPlan = () => undefined;

/** The process dies right before, or right after, its call number `index`. */
export const killAt =
  (index: number, when: 'before' | 'after'): FaultPlan =>
  (call) =>
    call.index === index ? { kill: when } : undefined;

/** Something else happens while the process stands before its call number `index`. */
export const meanwhileAt =
  (index: number, meanwhile: () => Promise<unknown>): FaultPlan =>
  (call) =>
    call.index === index ? { meanwhile } : undefined;

/** Calls of this command fail the given number of times, with or without having been applied. */
export function failing(command: string, error: Error, when: 'before' | 'after', times = 1): FaultPlan {
  let left = times;
  return (call) => (call.command === command && left-- > 0 ? { error, when } : undefined);
}

/** An error as the SDK builds it from an answer, which is how it tells what to try again. */
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
 * Puts the plan of the process that makes a call between an SDK client and the network, inside the client's retry loop.
 * All processes can share the client, which takes longer to make than most of its calls.
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

/** Retries without delay. Each process has the budget of retries that a client of its own would have. */
export const retriesOfProcess: RetryStrategyV2 = {
  acquireInitialRetryToken: (scope) => theProcess().retries.acquireInitialRetryToken(scope),
  refreshRetryTokenForRetry: (token, error) => theProcess().retries.refreshRetryTokenForRetry(token, error),
  recordSuccess: (token) => theProcess().retries.recordSuccess(token),
};

/**
 * One execution environment of a function. It can die at any call to AWS: from then on none of its calls is made and
 * none returns, as if the machine were gone. Attempts that the SDK makes by itself count as calls.
 */
export class FunctionProcess {
  readonly calls: string[] = [];
  readonly retries: RetryStrategyV2 = new ConfiguredRetryStrategy(clientDefaults.maxAttempts, () => 0);
  readonly died: Promise<void>;
  private isDead = false;
  private die: () => void = () => {};
  private readonly plan: FaultPlan;
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(plan: FaultPlan = noFaults) {
    this.plan = plan;
    this.died = new Promise<void>((resolve) => {
      this.die = () => {
        this.isDead = true;
        resolve();
      };
    }).then(() => this.settled());
  }

  /** Runs code in this process: the calls of attached clients that it makes are this process's. */
  run<Result>(code: () => Result): Result {
    return currentProcess.run(this, code);
  }

  /** Makes one call, as the plan will have it. */
  async call<Answer>(command: string, make: () => Promise<Answer>, input?: unknown): Promise<Answer> {
    if (this.isDead) return never;
    this.calls.push(command);
    const fault = this.plan({ index: this.calls.length, command, input });
    if (fault && 'kill' in fault && fault.kill === 'before') this.die();
    if (this.isDead) return never;
    if (fault && 'error' in fault && fault.when === 'before') throw fault.error;
    if (fault && 'meanwhile' in fault) await fault.meanwhile();
    const making = make();
    this.underWay.add(making);
    const [made] = await Promise.allSettled([making]);
    this.underWay.delete(making);
    if (fault && 'kill' in fault) this.die();
    if (this.isDead) return never;
    if (fault && 'error' in fault) throw fault.error;
    if (made.status === 'rejected') throw made.reason;
    return fault && 'change' in fault ? (fault.change(made.value) as Answer) : made.value;
  }

  /** What was on its way when it died arrives before anything else happens: here hours pass in no time. */
  private async settled(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }
}
