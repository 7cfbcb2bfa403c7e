import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { ErrorBody, errorStatuses, GatewayError } from '#shared/contracts/errors.ts';
import { assertDescribed } from './described.ts';
import { endpoints, token } from './machine.ts';

/** An answer as it came. */
export type RawAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

export type RawRequest = {
  /** Sent byte for byte if it is text or bytes, else as JSON. */
  readonly body?: unknown;
  /** Over those that are sent anyway; one that is undefined is not sent at all, a list is sent as that many headers. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
};

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const everyAnswer: RawAnswer[] = [];

/**
 * Sends a request exactly as it is written, which `fetch` would not: dots in paths, repeated headers, bodies of any kind.
 * Throws where the answer breaks what holds for every answer: never a 5xx, and an error always in its published shape.
 */
export async function send(
  method: string,
  path: string,
  { body, headers: asked = {} }: RawRequest = {},
): Promise<RawAnswer> {
  const bytes = bytesOf(body);
  const implied = bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  const headers = Object.fromEntries(
    Object.entries({ ...implied, ...asked }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const answer = await exchange(method, path, headers, bytes);
  everyAnswer.push(answer);
  assertPublished(`${method} ${path.slice(0, 200)}`, answer);
  assertDescribed(method, path, answer);
  return answer;
}

/** A client of one organization: `await clientOf(acme)('GET', '/v1/transcriptions?limit=1')`. */
export function clientOf(organizationId: string) {
  return async (method: string, path: string, { body, headers }: RawRequest = {}): Promise<RawAnswer> => {
    const authorization = `Bearer ${await token(organizationId)}`;
    return send(method, path, { body, headers: { authorization, ...headers } });
  };
}

/** The JSON of an answer, through the schema that the contract gives it. */
export function read<Schema extends z.ZodMiniType>(schema: Schema, answer: RawAnswer): z.output<Schema> {
  if (answer.status !== 200) throw new Error(`Expected 200, not ${answer.status} ${answer.text}`);
  return schema.parse(JSON.parse(answer.text));
}

/** Where an answer says that the request is wrong; nothing for an answer without issues. */
export function issuePaths({ text: body }: RawAnswer): string[] {
  return (ErrorBody.parse(JSON.parse(body)).issues ?? []).map(({ path }) => path);
}

/** The code of an error of this service. */
export function codeOf({ text: body }: RawAnswer): string {
  return ErrorBody.parse(JSON.parse(body)).code;
}

/** What a client can see of an answer, without what is new in every answer: it tells nothing of what was asked for. */
export function visible({ status, text, headers }: RawAnswer) {
  const ofEach = ['date', 'apigw-requestid', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
  return {
    status,
    text,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ofEach.includes(name))),
  };
}

/** Everything that this file's tests were answered so far. */
export function answersSoFar(): readonly RawAnswer[] {
  return everyAnswer;
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function exchange(
  method: string,
  path: string,
  headers: Record<string, string | string[]>,
  body: Buffer | undefined,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(endpoints.apiUrl, { method, path, headers, agent }, (response) => {
      text(response).then((answer) => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: answer });
      }, reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const ServiceError = z.strictObject(ErrorBody.shape);

function assertPublished(what: string, { status, headers, text: body }: RawAnswer): void {
  if (status >= 500) throw new Error(`${what} was answered with ${status} ${body}`);
  if (status < 400 || what.startsWith('HEAD ')) return; // an answer to HEAD has no body
  const isJson = headers['content-type'] === 'application/json';
  const parsed: unknown = isJson ? JSON.parse(body) : undefined;
  const own = ServiceError.safeParse(parsed);
  const isOwn = own.success && errorStatuses[own.data.code] === status;
  const namesFields = own.success && (own.data.issues !== undefined) === (own.data.code === 'invalid_request');
  const challenges = status !== 401 || headers['www-authenticate']?.startsWith('Bearer');
  const isPublished = (isOwn && namesFields) || GatewayError.safeParse(parsed).success;
  if (!isPublished || !challenges) throw new Error(`${what} was answered in another shape: ${status} ${body}`);
}
