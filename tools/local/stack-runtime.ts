import { SQSClient } from '@aws-sdk/client-sqs';
import { builtConsole } from '#client/build/console.ts';
import { clientSettings, region } from '../shared/client-settings.ts';
import { demoOrganization, requestToken } from '../shared/token.ts';
import { createConsolePage } from './console-page.ts';
import { createDocsPage } from './docs-page.ts';
import { busRules, createEventBus, type EventBus, type EventBusOptions } from './events/event-bus.ts';
import { startSchedules } from './events/schedules.ts';
import { startHttpApi } from './http-api/http-api.ts';
import { startEventSources } from './lambda/event-sources.ts';
import { createFunctions, type Functions } from './lambda/functions.ts';
import { watchDisk } from './limits/disk-space.ts';
import { limitReporter } from './limits/machine-limit.ts';
import { watchMachine } from './limits/watch-machine.ts';
import type { LocalServices } from './local-services.ts';
import { host } from './ports.ts';
import { type RunnerContext, stopAtShutdown } from './runner-context.ts';
import { startEventBridge } from './services/event-bridge/event-bridge.ts';
import { enabledRules } from './services/event-bridge/event-rules.ts';
import { openRuleStore } from './services/event-bridge/rule-store.ts';
import { findFunction, type Stack } from './template/stack.ts';
import { startTranscribe } from './transcribe/start-transcribe.ts';

/** The running functions of the stack and its API. */
export type StackRuntime = { readonly apiUrl: string; readonly functions: Functions };

/** How long running batches may continue when the runner stops. */
const batchGraceMs = 1500;

/** Starts the functions and everything that invokes them. The API starts last, when its workers are ready. */
export async function runStack(context: RunnerContext, { stack, urls, issuer }: LocalServices): Promise<StackRuntime> {
  const { data, ports, shutdown, log, isDiskFull } = context;
  const sqs = new SQSClient(clientSettings(urls.sqs));
  shutdown.defer(() => sqs.destroy());
  const functions = createFunctions(stack, urls, data, { [new URL(issuer.issuer).hostname]: issuer.url });
  shutdown.defer(functions.stop);

  const invoke = async (arn: string, event: unknown) => {
    await functions.invoke(findFunction(stack.functions, arn), event);
  };
  const queueUrl = (arn: string) => `${urls.sqs}/${stack.deployment.accountId}/${arn.split(':').at(-1)}`;
  const bus = await startEventBuses(context, stack, { sqs, queueUrl, invoke });
  await startTranscribeServer(context, urls.s3, bus);

  const sources = await startEventSources({
    ...{ stack, functions, sqs, queueUrl, log },
    dynamodbUrl: urls.dynamodb,
    positionFile: data.streamPositions,
  });
  shutdown.defer(() => sources.stop(batchGraceMs));
  const { onLimit } = context.options;
  if (onLimit) {
    const tell = (text: string) => {
      log({ event: 'limit', text });
      onLimit(text);
    };
    const onSample = limitReporter(tell);
    shutdown.defer(watchDisk(isDiskFull, tell));
    shutdown.defer(watchMachine({ dynamodbUrl: urls.dynamodb, workerLoads: sources.loads, onSample }));
  }
  shutdown.defer(startSchedules(stack.rules, invoke, log));

  // A tunnel of TCP forwards any Host, so nothing tells a stranger's request from one of this machine.
  const isPublic = context.options.publicUrl !== undefined;
  const demoToken = isPublic ? undefined : () => requestToken(issuer, demoOrganization);
  const api = await stopAtShutdown(
    shutdown,
    ports.startOn('api', (port) =>
      startHttpApi({
        port,
        routes: stack.routes,
        cors: stack.cors,
        invoke: functions.invoke,
        isDiskFull,
        ownPages: [
          createDocsPage(demoToken),
          createConsolePage({ folder: builtConsole, requestToken: demoToken, s3Url: urls.s3 }),
        ],
      }),
    ),
  );
  return { apiUrl: api.url, functions };
}

async function startTranscribeServer(
  { options, data, ports, shutdown, log, isDiskFull }: RunnerContext,
  s3Url: string,
  bus: EventBus,
): Promise<void> {
  const server = ports.startOn('transcribe', (port) =>
    startTranscribe({
      port,
      host,
      dataDir: data.transcribe,
      s3Url,
      region,
      emit: bus.emit,
      log: (event, facts) => log({ event, ...facts }),
      isDiskFull,
      ...options.transcribe,
    }),
  );
  await stopAtShutdown(shutdown, server);
}

/** Serves EventBridge: the buses with the rules of the stack, and with those that programs make. */
async function startEventBuses(
  { data, ports, shutdown, log }: RunnerContext,
  { rules, busNames, deployment }: Stack,
  targets: Pick<EventBusOptions, 'sqs' | 'queueUrl' | 'invoke'>,
): Promise<EventBus> {
  const stackRules = busRules(rules);
  const store = await openRuleStore(data.eventRules);
  const bus = createEventBus({ ...targets, rules: stackRules, ownRules: () => enabledRules(store), onFailure: log });
  const server = ports.startOn('eventBridge', (port) =>
    startEventBridge({ port, deployment, busNames, stackRules, store, bus, log }),
  );
  await stopAtShutdown(shutdown, server);
  return bus;
}
