import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { ErrorBody, errorStatuses, GatewayError } from '#shared/contracts/common/errors.ts';
import { assertDescribed, operationOf } from '../docs/described.ts';
import { endpoints, token } from '../machine.ts';

/** An answer of the API, not parsed. */
export type RawAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

export type RawRequest = {
  /** Text and bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  /** Overrides the default headers. An undefined header is omitted. A list is sent as separate headers. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
};

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const everyAnswer: RawAnswer[] = [];

/**
 * Sends a request without the normalization of `fetch`: dots in paths, repeated headers, bodies of any kind. Throws if the
 * answer breaks a rule for all answers: no 5xx, and errors in their documented shape.
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
  assertPublished(method, path, answer);
  assertDescribed(method, path, answer);
  return answer;
}

/** Calls the API as one organization: `await clientOf(acme)('GET', '/v1/transcriptions?limit=1')`. */
export function clientOf(organizationId: string) {
  return async (method: string, path: string, { body, headers }: RawRequest = {}): Promise<RawAnswer> => {
    const authorization = `Bearer ${await token(organizationId)}`;
    return send(method, path, { body, headers: { authorization, ...headers } });
  };
}

/** Parses a 200 answer with its schema in the contract. */
export function read<Schema extends z.ZodMiniType>(schema: Schema, answer: RawAnswer): z.output<Schema> {
  if (answer.status !== 200) throw new Error(`Expected 200, not ${answer.status} ${answer.text}`);
  return schema.parse(JSON.parse(answer.text));
}

/** The paths of the issues in an answer. Empty for an answer without issues. */
export function issuePaths({ text: body }: RawAnswer): string[] {
  return (ErrorBody.parse(JSON.parse(body)).issues ?? []).map(({ path }) => path);
}

/** The code of an error answer. */
export function codeOf({ text: body }: RawAnswer): string {
  return ErrorBody.parse(JSON.parse(body)).code;
}

/** The parts of an answer that a client sees, without those that differ in every answer. */
export function visible({ status, text, headers }: RawAnswer) {
  const ofEach = ['date', 'apigw-requestid', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
  return {
    status,
    text,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !ofEach.includes(name))),
  };
}

/** All answers to the tests of this file so far. */
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

function assertPublished(method: string, path: string, { status, headers, text: body }: RawAnswer): void {
  const what = `${method} ${path.slice(0, 200)}`;
  if (status >= 500) throw new Error(`${what} was answered with ${status} ${body}`);
  if (status < 400 || method === 'HEAD') return; // an answer to HEAD has no body
  const isJson = headers['content-type'] === 'application/json';
  const parsed: unknown = isJson ? JSON.parse(body) : undefined;
  const own = ServiceError.safeParse(parsed);
  const isOwn = own.success && errorStatuses[own.data.code] === status;
  const namesFields = own.success && (own.data.issues !== undefined) === (own.data.code === 'invalid_request');
  const challenges = status !== 401 || !own.success || isChallenge(method, path, headers['www-authenticate']);
  const isPublished = (isOwn && namesFields) || GatewayError.safeParse(parsed).success;
  if (!isPublished || !challenges) throw new Error(`${what} was answered in an undocumented shape: ${status} ${body}`);
}

/** What the description says about the access of an operation decides what its 401 asks for. */
function isChallenge(method: string, path: string, challenge = ''): boolean {
  const { security } = operationOf(method, path)?.operation ?? {};
  const isSigned = security?.some((each) => 'platformSignature' in each) ?? false;
  return isSigned ? challenge === 'Signature' : /^Bearer( |$)/.test(challenge);
}
