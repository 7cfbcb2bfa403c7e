/** What the thread of a function is started with. */
export type ThreadData = { readonly codeFolder: string; readonly handler: string };

/** The part of Lambda's `context` that differs by invocation. */
export type InvocationContext = {
  readonly awsRequestId: string;
  readonly functionName: string;
  readonly functionVersion: string;
  readonly invokedFunctionArn: string;
  readonly memoryLimitInMB: string;
  readonly logGroupName: string;
  readonly logStreamName: string;
};

/** One invocation, sent to the thread. The event is JSON text, as on Lambda. */
export type Invocation = { readonly event: string; readonly deadlineMs: number; readonly context: InvocationContext };

/** An error as Lambda reports it. */
export type FunctionFault = {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: readonly string[];
};

/** What the thread sends back: that it is loaded (or why not), and each invocation's end. */
export type ThreadMessage =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'notLoaded'; readonly fault: FunctionFault }
  | { readonly kind: 'returned'; readonly payload: string }
  | { readonly kind: 'threw'; readonly fault: FunctionFault };

/** Anything that was thrown, as Lambda reports it. */
export function faultOf(thrown: unknown, errorType?: string): FunctionFault {
  if (!(thrown instanceof Error)) {
    return { errorType: errorType ?? typeof thrown, errorMessage: String(thrown), trace: [] };
  }
  const trace = thrown.stack?.split('\n') ?? [];
  return { errorType: errorType ?? thrown.name, errorMessage: thrown.message, trace };
}
