import { SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings, region } from '../shared/client-settings.ts';
import { demoOrganization, requestToken } from '../shared/token.ts';
import { createDocsPage } from './docs-page.ts';
import { createEventBus, type EventBus } from './events/event-bus.ts';
import { startSchedules } from './events/schedules.ts';
import { startHttpApi } from './http-api/http-api.ts';
import { EventSourceMapping } from './lambda/event-source-mapping.ts';
import { createFunctions, type Functions } from './lambda/functions.ts';
import { placesOf } from './lambda/places.ts';
import { limitReporter } from './limits/machine-limit.ts';
import { watchMachine } from './limits/watch-machine.ts';
import type { LocalServices } from './local-services.ts';
import { host } from './ports.ts';
import { type RunnerContext, stopAtShutdown } from './runner-context.ts';
import { findFunction, type Resource, type Stack } from './template/stack.ts';
import { startTranscribe } from './transcribe/start-transcribe.ts';

/** The running functions of the stack and its API. */
export type StackRuntime = { readonly apiUrl: string; readonly functions: Functions };

/** How long running batches may continue when the runner stops. */
const batchGraceMs = 1500;

/** Starts the functions and everything that invokes them. The API starts last, when its workers are ready. */
export async function runStack(context: RunnerContext, { stack, urls, issuer }: LocalServices): Promise<StackRuntime> {
  const { data, ports, shutdown, log } = context;
  const sqs = new SQSClient(clientSettings(urls.sqs));
  shutdown.defer(() => sqs.destroy());
  const functions = createFunctions(stack, urls, data, { [new URL(issuer.issuer).hostname]: issuer.url });
  shutdown.defer(functions.stop);

  const invoke = async (arn: string, event: unknown) => {
    await functions.invoke(findFunction(stack.functions, arn), event);
  };
  const queueUrl = (arn: string) => `${urls.sqs}/${stack.deployment.accountId}/${arn.split(':').at(-1)}`;
  await startTranscribeServer(context, urls.s3, createEventBus({ rules: stack.rules, sqs, queueUrl, invoke }));

  const enabled = stack.eventSources.filter(
    ({ properties }) => properties.Enabled && properties.EventSourceArn.split(':')[2] === 'sqs',
  );
  const sources = enabled.map((source) => startEventSource(source, { stack, functions, sqs, queueUrl, log }));
  shutdown.defer(async () => {
    await Promise.all(sources.map(({ mapping }) => mapping.stop(batchGraceMs)));
  });
  const { onLimit } = context.options;
  if (onLimit) {
    const workerLoads = () => sources.map((source) => ({ worker: source.worker, ...source.mapping.load }));
    const onSample = limitReporter((text) => {
      log({ event: 'limit', text });
      onLimit(text);
    });
    shutdown.defer(watchMachine({ dynamodbUrl: urls.dynamodb, workerLoads, onSample }));
  }
  shutdown.defer(startSchedules(stack.rules, invoke, log));

  const isPublic = context.options.publicUrl !== undefined;
  const api = await stopAtShutdown(
    shutdown,
    startHttpApi({
      port: ports.api,
      routes: stack.routes,
      cors: stack.cors,
      invoke: functions.invoke,
      // A tunnel of TCP forwards any Host, so nothing tells a stranger's request from one of this machine.
      ownPage: createDocsPage(isPublic ? undefined : () => requestToken(issuer, demoOrganization)),
    }),
  );
  return { apiUrl: api.url, functions };
}

async function startTranscribeServer(
  { options, data, ports, shutdown, log }: RunnerContext,
  s3Url: string,
  bus: EventBus,
): Promise<void> {
  const server = startTranscribe({
    port: ports.transcribe,
    host,
    dataDir: data.transcribe,
    s3Url,
    region,
    emit: bus.emit,
    log: (event, facts) => log({ event, ...facts }),
    ...options.transcribe,
  });
  await stopAtShutdown(shutdown, server);
}

type EventSourceContext = {
  readonly stack: Stack;
  readonly functions: Functions;
  readonly sqs: SQSClient;
  readonly queueUrl: (arn: string) => string;
  readonly log: (event: unknown) => void;
};

function startEventSource(
  { properties }: Resource<'AWS::Lambda::EventSourceMapping'>,
  { stack, functions, sqs, queueUrl, log }: EventSourceContext,
): { readonly worker: string; readonly mapping: EventSourceMapping } {
  const worker = findFunction(stack.functions, properties.FunctionName);
  const mapping = new EventSourceMapping({
    sqs,
    queueUrl: queueUrl(properties.EventSourceArn),
    queueArn: properties.EventSourceArn,
    batchSize: properties.BatchSize,
    batchingWindowSeconds: properties.MaximumBatchingWindowInSeconds,
    maxConcurrency: placesOf(properties.ScalingConfig.MaximumConcurrency, worker.properties.Timeout),
    reportsBatchItemFailures: properties.FunctionResponseTypes.length > 0,
    invoke: (event) => functions.invoke(worker, event),
    onFailure: log,
  });
  return { worker: worker.name, mapping };
}
