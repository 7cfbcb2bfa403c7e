import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ServiceUrls } from '#tools/local/lambda/functions.ts';
import { serve } from '../http/test-server.ts';

/** A call that a function made, and its answer. */
export type Call = {
  /** The service that the signature names, or undefined for a call that is not of the SDK. */
  readonly service: string | undefined;
  /** The operation of a service that speaks JSON. */
  readonly operation: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly answer: Answer;
};

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };
type Asked = Omit<Call, 'answer'>;

/** A server between a function and the services of AWS. It passes calls on and records them. DynamoDB tells the units of each. */
export type StandIn = {
  readonly url: string;
  /** The calls that were passed on since the last time that this was asked. */
  readonly takeCalls: () => Call[];
  readonly stop: () => void;
};

/** Starts a stand-in for the services at these addresses. It answers a call without a signature with 204, and those to Transcribe and EventBridge as if all went well. */
export async function startStandIn(urls: ServiceUrls): Promise<StandIn> {
  let recorded: Call[] = [];
  const server = await serve(async (incoming, response) => {
    const asked = await read(incoming);
    const answer = await answerOf(urls, metered(asked));
    recorded.push({ ...asked, answer });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  return {
    url: server.url,
    takeCalls() {
      const taken = recorded;
      recorded = [];
      return taken;
    },
    stop: server.stop,
  };
}

async function read(incoming: IncomingMessage): Promise<Asked> {
  const { method = '', url: path = '', headers } = incoming;
  const target = headers['x-amz-target'];
  const operation = target === undefined ? undefined : String(target).split('.').at(-1);
  return { service: serviceOf(incoming), operation, method, path, headers, body: await buffer(incoming) };
}

/** Every signature, in a header or in the address, names its service. */
function serviceOf({ url = '', headers }: IncomingMessage): string | undefined {
  const scope = headers.authorization ?? decodeURIComponent(/X-Amz-Credential=([^&]+)/.exec(url)?.[1] ?? '');
  return /\/([a-z0-9]+)\/aws4_request/.exec(scope)?.[1];
}

/** The same call, which asks DynamoDB for its units, too. */
function metered(asked: Asked): Asked {
  if (asked.service !== 'dynamodb') return asked;
  const input = { ...JSON.parse(asked.body.toString('utf8')), ReturnConsumedCapacity: 'INDEXES' };
  const body = Buffer.from(JSON.stringify(input));
  return { ...asked, body, headers: { ...asked.headers, 'content-length': String(body.length) } };
}

/** The answers for services that are not started. */
const ownAnswers: Readonly<Record<string, string>> = {
  transcribe: '{}',
  events: JSON.stringify({ FailedEntryCount: 0, Entries: [{ EventId: 'event-1' }] }),
};

async function answerOf(urls: ServiceUrls, { service, method, path, headers, body }: Asked): Promise<Answer> {
  if (service === undefined) return { status: 204, headers: {}, body: Buffer.alloc(0) };
  const own = ownAnswers[service];
  if (own !== undefined) return { status: 200, headers: {}, body: Buffer.from(own) };
  const name = (service === 'secretsmanager' ? 'secretsManager' : service) as keyof ServiceUrls;
  const outgoing = request(`${urls[name]}${path}`, { method, headers });
  outgoing.end(body);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  const { 'transfer-encoding': _, connection: __, 'keep-alive': ___, ...others } = response.headers;
  const answer = await buffer(response);
  const length = method === 'HEAD' ? {} : { 'content-length': String(answer.length) };
  return { status: response.statusCode ?? 500, headers: { ...others, ...length }, body: answer };
}
