import { consolePath } from '#console/serving/files.ts';
import { region } from '../shared/client-settings.ts';
import { describeOutputs, type Endpoints } from '../shared/endpoints.ts';
import { UserError } from '../shared/user-error.ts';
import { docsPath } from './docs-page.ts';
import type { Functions } from './lambda/functions.ts';
import { type LocalServices, startLocalServices } from './local-services.ts';
import { rememberPorts } from './ports.ts';
import { createRunnerContext, type RunnerOptions } from './runner-context.ts';
import { runStack } from './stack-runtime.ts';
import type { Stack } from './template/stack.ts';

/** A running service on this machine. */
export type Runner = {
  readonly endpoints: Endpoints;
  /** Invokes the function of a folder with an event. Throws if the function fails. */
  readonly invoke: (functionName: string, event: unknown) => Promise<unknown>;
  /** Stops everything within 5 seconds. No process or port stays open. */
  readonly stop: () => Promise<void>;
};

/** Runs the synthesized stack on this machine. Returns when the API accepts requests. If the start fails, everything is stopped. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  await using starting = new AsyncDisposableStack();
  const context = await createRunnerContext(options, starting);
  const services = await startLocalServices(context);
  options.onProgress?.('Starting the functions and the API');
  const { apiUrl, functions } = await runStack(context, services);
  await rememberPorts(context.data.ports, context.ports.numbers);
  options.signal?.throwIfAborted();
  const started = starting.move();
  return {
    endpoints: endpointsOf(apiUrl, options.publicUrl ?? apiUrl, services),
    invoke: (name, event) => invoke(functions, name, event),
    stop: () => started.disposeAsync(),
  };
}

function endpointsOf(apiUrl: string, publicUrl: string, { stack, urls, issuer }: LocalServices): Endpoints {
  return {
    apiUrl,
    publicUrl,
    docsUrl: `${apiUrl}${docsPath}`,
    consoleUrl: `${apiUrl}${consolePath}`,
    tokenUrl: issuer.tokenUrl,
    issuer: issuer.issuer,
    jwksUrl: issuer.jwksUrl,
    ...(issuer.people && { people: issuer.people }),
    dynamodbUrl: urls.dynamodb,
    sqsUrl: urls.sqs,
    s3Url: urls.s3,
    transcribeUrl: urls.transcribe,
    stsUrl: urls.sts,
    secretsManagerUrl: urls.secretsManager,
    eventBridgeUrl: urls.eventbridge,
    eventBusName: noticeBus(stack),
    region,
    ...describeOutputs(stack.outputs),
  };
}

function noticeBus({ busNames: [name, ...others] }: Stack): string {
  if (name === undefined || others.length > 0) throw new UserError('The stack must have exactly one event bus.');
  return name;
}

async function invoke(functions: Functions, name: string, event: unknown): Promise<unknown> {
  const outcome = await functions.invoke(functions.find(name), event);
  if (outcome.ok) return JSON.parse(outcome.payload);
  const { errorType, errorMessage, trace } = outcome.fault;
  throw new Error(`${name} failed with ${errorType}: ${errorMessage}`, { cause: trace.join('\n') });
}
