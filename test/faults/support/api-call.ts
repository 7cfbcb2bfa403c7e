import { randomUUID } from 'node:crypto';
import { organizationClaim } from './functions.ts';

/** A client's request and its organization. */
export type ApiCall = {
  readonly organizationId: string;
  readonly transcriptionId?: string;
  readonly webhookId?: string;
  /** The label of a speaker of the transcription. */
  readonly speaker?: string;
  /** The token of a link. */
  readonly token?: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** The encoded query string. */
  readonly query?: string;
};

/** The result of a call: an answer, or `killed` if its process died. */
export type Outcome =
  | {
      readonly status: number;
      readonly body: unknown;
      readonly location: string | undefined;
      readonly retryAfter: string | undefined;
    }
  | 'killed';

/** An answer of an endpoint to an organization, and whether the call had a fault plan. */
export type ReceivedAnswer = {
  readonly organizationId: string;
  readonly status: number;
  readonly body: string | undefined;
  readonly isFaulted: boolean;
};

/** The event that the gateway passes to the function. */
export function toHttpEvent(call: ApiCall): object {
  const { organizationId, transcriptionId, webhookId, speaker, token, body, idempotencyKey, query = '' } = call;
  return {
    headers: {
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    rawQueryString: query,
    pathParameters: pathParametersOf(token === undefined ? { transcriptionId, webhookId, speaker } : { token }),
    requestContext: {
      requestId: randomUUID(),
      http: { method: 'GET' }, // only the function of links reads it
      authorizer: { jwt: { claims: { [organizationClaim]: organizationId } } },
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    isBase64Encoded: false,
  };
}

function pathParametersOf(parameters: Readonly<Record<string, string | undefined>>): object | undefined {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** A webhook as a platform posts it. */
export type PostedHook = {
  readonly connectionId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The event that the gateway passes to the function that receives webhooks. */
export function toHookEvent({ connectionId, headers, body }: PostedHook): object {
  return {
    headers: { 'content-type': 'application/json', ...headers },
    rawQueryString: '',
    pathParameters: { connectionId, proxy: 'daily' },
    requestContext: { requestId: randomUUID(), http: { method: 'POST' } },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  };
}
