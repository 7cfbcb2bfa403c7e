import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceUrls } from '#tools/local/lambda/functions.ts';
import { serve } from '../test-server.ts';

/** A call that a function made, and its answer. Calls of one `group` were on their way at the same time. */
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
  readonly group: number;
};

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer };
type Asked = Omit<Call, 'answer' | 'group'>;

/** A server between a function and the services of AWS. It passes calls on and records them, or answers as it did before. */
export type StandIn = {
  readonly url: string;
  /** The calls that were passed on since the last time that this was asked. */
  readonly takeCalls: () => Call[];
  /** Answers from these calls from now on, and what none of them asked from the others. Returns a function that counts the calls since. */
  readonly replay: (calls: readonly Call[], others?: readonly Call[]) => () => number;
  /** Passes calls on again. */
  readonly passOn: () => void;
  readonly stop: () => void;
};

/** How a stand-in passes calls on. */
export type StandInOptions = {
  /** How long each call takes that is passed on. Calls of a function that does not wait for them overlap if it is long enough. */
  readonly roundTripMs: number;
  /** Lets DynamoDB tell the units of each call in its answer. */
  readonly isMetered?: boolean;
};

/** Starts a stand-in for the services at these addresses. It answers a call without a signature with 204, and those to Transcribe and EventBridge as if all went well. */
export async function startStandIn(
  urls: ServiceUrls,
  { roundTripMs, isMetered = false }: StandInOptions,
): Promise<StandIn> {
  let recorded: Call[] = [];
  let open = 0;
  let group = 0;
  let answerTo: ((asked: Asked) => Answer) | undefined;
  const pass = async (asked: Asked): Promise<Answer> => {
    if (open === 0) group += 1;
    open += 1;
    const own = group;
    const answer = await answerOf(urls, isMetered ? metered(asked) : asked);
    await delay(roundTripMs);
    open -= 1;
    recorded.push({ ...asked, answer, group: own });
    return answer;
  };
  const server = await serve(async (incoming, response) => {
    const asked = await read(incoming);
    const { status, headers, body } = answerTo ? answerTo(asked) : await pass(asked);
    response.writeHead(status, headers).end(body);
  });
  return {
    url: server.url,
    takeCalls() {
      const taken = recorded;
      recorded = [];
      return taken.toSorted((one, other) => one.group - other.group);
    },
    replay(calls, others = []) {
      const named = new Set(calls.map(nameOf));
      const known = answersFrom([...calls, ...others.filter((call) => !named.has(nameOf(call)))]);
      let count = 0;
      answerTo = (asked) => {
        count += 1;
        return known(asked);
      };
      return () => count;
    },
    passOn() {
      answerTo = undefined;
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

/** The answer to the same request, or the next one to its operation: ids and times differ between invocations. */
function answersFrom(calls: readonly Call[]): (asked: Asked) => Answer {
  const same = new Map(calls.map((call) => [`${nameOf(call)} ${call.body.toString('latin1')}`, call.answer]));
  const alike = Map.groupBy(calls, nameOf);
  const counts = new Map<string, number>();
  return (asked) => {
    const name = nameOf(asked);
    const known = same.get(`${name} ${asked.body.toString('latin1')}`);
    if (known) return known;
    const all = alike.get(name) ?? [];
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const next = all[count % all.length];
    if (!next) throw new Error(`The function has never called ${name} before.`);
    return asked.operation === 'SendMessageBatch' ? withHashes(next.answer, asked) : next.answer;
  };
}

/** The answer of SQS, with the hashes of these messages, which the client of the SDK compares with its own. */
function withHashes(answer: Answer, { body }: Asked): Answer {
  const { Entries }: { readonly Entries: readonly Message[] } = JSON.parse(body.toString('utf8'));
  const recorded: { readonly Successful: readonly Sent[] } = JSON.parse(answer.body.toString('utf8'));
  const texts = new Map(Entries.map(({ Id, MessageBody }) => [Id, MessageBody]));
  const Successful = recorded.Successful.map((sent) => {
    const hash = createHash('md5')
      .update(texts.get(sent.Id) ?? '')
      .digest('hex');
    return { ...sent, MD5OfMessageBody: hash };
  });
  const text = Buffer.from(JSON.stringify({ ...recorded, Successful }));
  return { ...answer, headers: { ...answer.headers, 'content-length': String(text.length) }, body: text };
}
type Message = { readonly Id: string; readonly MessageBody: string };
type Sent = { readonly Id: string; readonly MD5OfMessageBody: string };

/** The operation and the table of a call, or its method and path without the query, which is signed for a time. */
export function nameOf({ operation, method, path, body }: Pick<Asked, 'operation' | 'method' | 'path' | 'body'>) {
  if (operation === undefined) return `${method} ${path.split('?')[0]?.replaceAll(/\d{4}-[^/]*$/g, '')}`;
  const tables = body.toString('utf8').match(/(?<="TableName":")[^"]+/g) ?? [];
  return [operation, ...new Set(tables)].join(' ');
}
