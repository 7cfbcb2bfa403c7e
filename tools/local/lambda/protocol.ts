import type { Redirects } from './redirect-https.ts';

/** The start parameters of a function's thread. */
export type ThreadData = {
  readonly codeFolder: string;
  readonly handler: string;
  /** Local services that replace hosts of AWS, for what is not called through the SDK. */
  readonly redirects?: Redirects | undefined;
};

/** The part of Lambda's `context` that differs between invocations. */
export type InvocationContext = {
  readonly awsRequestId: string;
  readonly functionName: string;
  readonly functionVersion: string;
  readonly invokedFunctionArn: string;
  readonly memoryLimitInMB: string;
  readonly logGroupName: string;
  readonly logStreamName: string;
};

/** The message that starts an invocation in the thread. The event is JSON text, as on Lambda. */
export type Invocation = { readonly event: string; readonly deadlineMs: number; readonly context: InvocationContext };

/** An error as Lambda reports it. */
export type FunctionFault = {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
};

/** A message from the thread: the function has loaded or not, or an invocation has ended. */
export type ThreadMessage =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'notLoaded'; readonly fault: FunctionFault }
  | { readonly kind: 'returned'; readonly payload: string }
  | { readonly kind: 'threw'; readonly fault: FunctionFault };

/** Converts any thrown value to the form in which Lambda reports it. */
export function faultOf(thrown: unknown, errorType?: string): FunctionFault {
  if (!(thrown instanceof Error)) {
    return { errorType: errorType ?? typeof thrown, errorMessage: String(thrown), trace: [] };
  }
  const trace = thrown.stack?.split('\n') ?? [];
  return { errorType: errorType ?? thrown.name, errorMessage: thrown.message, trace };
}
