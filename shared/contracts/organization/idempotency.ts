import * as z from 'zod/mini';
import type { OrganizationId } from './organization.ts';

/** A key with which a client can repeat a write safely: 1-255 visible ASCII characters without a comma. The gateway joins several keys with commas. */
const IdempotencyKey = z
  .string()
  .check(
    z.regex(/^[\x21-\x2b\x2d-\x7e]{1,255}$/, 'must be given once, with 1 to 255 visible ASCII characters and no comma'),
  );

/** Headers of an endpoint that takes an idempotency key. https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */
export const IdempotencyHeaders = z.object({ 'idempotency-key': z.optional(IdempotencyKey) });

/** One write. The same organization, operation and key identify the same write. */
export type KeyedCall = {
  readonly organizationId: OrganizationId;
  readonly operationId: string;
  readonly key: string;
  readonly body: unknown;
  /** A call that has not ended when its function times out is dead. The next call with its key runs. */
  readonly context: { readonly getRemainingTimeInMillis: () => number };
};
