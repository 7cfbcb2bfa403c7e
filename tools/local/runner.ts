import { region } from '../shared/client-settings.ts';
import { describeOutputs, type Endpoints } from '../shared/endpoints.ts';
import { docsPath } from './docs-page.ts';
import { prepareGround, type RunnerOptions } from './ground.ts';
import type { Functions } from './lambda/functions.ts';
import { rememberPorts } from './ports.ts';
import { runStack } from './stack-runtime.ts';
import { type StandIns, startStandIns } from './stand-ins.ts';
import { Stops } from './stops.ts';

/** The whole service, running on this machine. */
export type Runner = {
  readonly endpoints: Endpoints;
  /** Invokes a function, by the name of its folder, with an event; returns what it returned, or throws its error. */
  readonly invoke: (functionName: string, event: unknown) => Promise<unknown>;
  /** Stops everything within 5 seconds; nothing of it is left. */
  readonly stop: () => Promise<void>;
};

/** Starts the synthesized stack on this machine, and returns when it serves. What fails half-way is stopped again. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  const stops = new Stops();
  try {
    const ground = await prepareGround(options, stops);
    const standIns = await startStandIns(ground);
    options.onProgress?.('Starting the functions and the API');
    const { apiUrl, functions } = await runStack(ground, standIns);
    await rememberPorts(ground.data.ports, ground.ports);
    options.signal?.throwIfAborted();
    return {
      endpoints: endpointsOf(apiUrl, standIns),
      invoke: (name, event) => invoke(functions, name, event),
      stop: () => stops.run(),
    };
  } catch (error) {
    await stops.run();
    throw error;
  }
}

function endpointsOf(apiUrl: string, { stack, urls, issuer }: StandIns): Endpoints {
  return {
    apiUrl,
    docsUrl: `${apiUrl}${docsPath}`,
    tokenUrl: issuer.tokenUrl,
    issuer: issuer.url,
    jwksUrl: issuer.jwksUrl,
    dynamodbUrl: urls.dynamodb,
    sqsUrl: urls.sqs,
    s3Url: urls.s3,
    transcribeUrl: urls.transcribe,
    stsUrl: urls.sts,
    region,
    ...describeOutputs(stack.outputs),
  };
}

async function invoke(functions: Functions, name: string, event: unknown): Promise<unknown> {
  const outcome = await functions.invoke(functions.find(name), event);
  if (outcome.ok) return JSON.parse(outcome.payload);
  const { errorType, errorMessage, trace } = outcome.fault;
  throw new Error(`${name} failed with ${errorType}: ${errorMessage}`, { cause: trace.join('\n') });
}
