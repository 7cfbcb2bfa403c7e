import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { publicEndpointList } from '#shared/contracts/public-endpoints.ts';
import { selfAuthenticatedEndpointList } from '#shared/contracts/self-authenticated-endpoints.ts';
import type { TableName } from '#shared/runtime/names.ts';
import { redirectHttps } from '#tools/local/lambda/redirect-https.ts';
import { findFunction } from '#tools/local/template/stack.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { describeOutputs } from '#tools/shared/endpoints.ts';
import { requestToken } from '#tools/shared/token.ts';
import { httpEvent } from '../http/http-events.ts';
import { type Consumed, consumedBy } from './consumption.ts';
import { type FilledStack, startFilledStack } from './filled-stack.ts';
import type { MessageTools } from './message-tools.ts';
import { messages } from './messages.ts';
import { newFunction } from './new-function.ts';
import { type NumberedRequest, requestsOf, variantsOf } from './requests.ts';
import type { Call } from './stand-in.ts';
import { organizationId } from './world.ts';

/** What invocations consume, by the operation or the function and what is different. */
export type Measured = Readonly<Record<string, Consumed>>;

/** What requests consume, what messages consume, and the names of the functions of the stack. */
export type MeasuredStack = {
  readonly requests: Measured;
  readonly messages: Measured;
  readonly functions: readonly string[];
};

/** Makes an event. Later ones can use what the function has done with the earlier ones. */
type MakeEvent = () => object | Promise<object>;
/** Loads a function anew, and invokes it with one event after the other. Returns what each consumes. Throws if the last answer is not as expected. */
type Measure = (
  name: string,
  isExpected: (answer: Answer) => boolean,
  events: readonly MakeEvent[],
) => Promise<Consumed[]>;
type Answer =
  | {
      readonly statusCode?: number;
      readonly batchItemFailures?: readonly object[];
      readonly isAuthorized?: boolean;
    }
  | null
  | undefined;

/** Measures the functions of a synthesized stack. Each is loaded anew, and its second invocation is measured, when it is warm. */
export async function measuredStack(assembly: string, dataDir: string): Promise<MeasuredStack> {
  await using cleanup = new AsyncDisposableStack();
  const filled = await startFilledStack({ dataDir, assembly }, cleanup);
  const { stack, urls, issuer, standIn } = filled;
  redirectHttps({ [new URL(issuer.issuer).hostname]: issuer.url });
  const sent: Call[] = [];
  const measure: Measure = async (name, isExpected, events) => {
    const invoke = newFunction(stack, urls, name);
    const consumed: Consumed[] = [];
    let answer: unknown;
    for (const makeEvent of events) {
      const event = await makeEvent();
      standIn.takeCalls();
      answer = await invoke(event);
      const calls = standIn.takeCalls();
      sent.push(...calls.filter(({ operation }) => operation === 'SendMessageBatch'));
      consumed.push(consumedBy(calls));
    }
    if (!isExpected(answer as Answer))
      throw new Error(`${name} does not answer as expected: ${JSON.stringify(answer)}`);
    return consumed;
  };
  const invoke: MessageTools['invoke'] = async (name, event) => {
    await measure(name, succeeds, [() => event]);
  };
  const receiverUrl = `${standIn.url}/receiver`;
  const requests = await measuredRequests(measure, receiverUrl);
  return {
    messages: await measuredMessages(measure, { ...messageTools(filled, sent), invoke }),
    requests: { ...requests, ...(await measuredVariants(measure, receiverUrl)) },
    functions: stack.functions.map(({ name }) => name),
  };
}

/** A request of each operation of the contract. The first one of a function has a name of its own if it costs otherwise. */
async function measuredRequests(measure: Measure, receiverUrl: string): Promise<Measured> {
  const measured: Record<string, Consumed> = {};
  const requests: Readonly<Record<string, NumberedRequest>> = {
    ...requestsOf(receiverUrl),
    ...Object.fromEntries(publicEndpointList.map(({ operationId }) => [operationId, () => httpEvent()])),
  };
  const all = [...endpointList, ...selfAuthenticatedEndpointList, ...publicEndpointList];
  for (const { operationId, successStatus } of all) {
    const request = requests[operationId];
    if (!request) throw new Error(`test/support/requests/requests.ts has no request for ${operationId}.`);
    const succeeds = (answer: Answer) => answer?.statusCode === successStatus;
    const [first, second] = await measure(operationId, succeeds, [() => request(0), () => request(1)]);
    add(measured, operationId, second);
    if (!isDeepStrictEqual(first, second)) add(measured, `${operationId}, first`, first);
  }
  return measured;
}

async function measuredVariants(measure: Measure, receiverUrl: string): Promise<Measured> {
  const measured: Record<string, Consumed> = {};
  for (const [name, { before = [], event, status }] of Object.entries(variantsOf(receiverUrl))) {
    for (const [operation, earlier] of before) await measure(operation, () => true, [() => earlier]);
    const isExpected = (answer: Answer) => answer?.statusCode === status;
    const [consumed] = await measure(name.replace(/,.*/, ''), isExpected, [() => event]);
    add(measured, name, consumed);
  }
  return measured;
}

const succeeds = (answer: Answer) =>
  !answer?.batchItemFailures?.length && answer?.isAuthorized !== false && (answer?.statusCode ?? 200) < 300;

async function measuredMessages(measure: Measure, tools: MessageTools): Promise<Measured> {
  const measured: Record<string, Consumed> = {};
  for (const [name, message] of Object.entries(messages)) {
    const [, second] = await measure(name, succeeds, [() => message(0, tools), () => message(1, tools)]);
    add(measured, name, second);
  }
  return measured;
}

function add(measured: Record<string, Consumed>, name: string, consumed: Consumed | undefined): void {
  if (consumed) measured[name] = consumed;
}

function messageTools(
  { stack, urls, standIn, issuer }: FilledStack,
  sent: readonly Call[],
): Omit<MessageTools, 'invoke'> {
  const s3 = new S3Client({ ...clientSettings(standIn.url), forcePathStyle: true });
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient(clientSettings(urls.dynamodb)));
  const { buckets, tables } = describeOutputs(stack.outputs);
  const bodiesFor = (worker: string) => {
    const source = stack.eventSources.find(
      ({ properties }) => findFunction(stack.functions, properties.FunctionName).name === worker,
    );
    const queue = source?.properties.EventSourceArn.split(':').at(-1);
    const batches = sent.map(({ body }) => JSON.parse(body.toString('utf8')) as SentBatch);
    return batches
      .filter(({ QueueUrl }) => QueueUrl.endsWith(`/${queue}`))
      .flatMap(({ Entries }) => Entries.map(({ MessageBody }): unknown => JSON.parse(MessageBody)));
  };
  return {
    sent: (worker, index) => bodiesFor(worker).at(index - 2),
    put: async (bucket, key, Body) => {
      const location = { bucket: String(buckets[bucket]), key };
      await s3.send(new PutObjectCommand({ Bucket: location.bucket, Key: key, Body }));
      return location;
    },
    store: async (writeOf) => {
      const write = writeOf(tables as Readonly<Record<TableName, string>>);
      await documents.send(new TransactWriteCommand({ TransactItems: [write] }));
      return write;
    },
    token: () => requestToken(issuer, organizationId),
    stackName: stack.deployment.stackName,
  };
}
type SentBatch = { readonly QueueUrl: string; readonly Entries: readonly { readonly MessageBody: string }[] };
