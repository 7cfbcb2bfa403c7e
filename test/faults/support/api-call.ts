import { randomUUID } from 'node:crypto';
import { organizationClaim } from './functions.ts';

/** What a client asks for, and on behalf of whom. */
export type ApiCall = {
  readonly organizationId: string;
  readonly transcriptionId?: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** Encoded, as it stands in the URL. */
  readonly query?: string;
};

/** What a call came to: an answer, or the death of its process. */
export type Outcome =
  | {
      readonly status: number;
      readonly body: unknown;
      readonly location: string | undefined;
      readonly retryAfter: string | undefined;
    }
  | 'killed';

/** The call as the gateway passes it on. */
export function toHttpEvent({ organizationId, transcriptionId, body, idempotencyKey, query = '' }: ApiCall): object {
  return {
    headers: {
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    rawQueryString: query,
    pathParameters: transcriptionId === undefined ? undefined : { transcriptionId },
    requestContext: {
      requestId: randomUUID(),
      authorizer: { jwt: { claims: { [organizationClaim]: organizationId } } },
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    isBase64Encoded: false,
  };
}
