import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import type { SelfAuthenticatedEndpoint } from '#shared/contracts/common/endpoint.ts';
import type { KeyAdmission, UnverifiedRequest } from '#shared/http/self-authenticated-endpoint.ts';
import { Unauthorized } from '#shared/runtime/errors.ts';
import type { AnySelfAuthenticatedTexts } from '#tools/description/texts.ts';

/** A self-authenticated endpoint of the tests: a connection sends signed JSON. The API has no such endpoint. */
export const receiveHook = {
  operationId: 'receive-sample-hook',
  tag: 'transcriptions',
  method: 'POST',
  path: '/v1/hooks/{connectionId}',
  requestsPerMinutePerKey: 3,
  routeThrottle: { requestsPerSecond: 50, burst: 100 },
  params: z.strictObject({ connectionId: z.string() }),
  body: z.object({ count: z.int() }),
  successStatus: 202,
} as const satisfies SelfAuthenticatedEndpoint;

const secrets: Readonly<Record<string, string>> = { 'connection-1': 'secret-1', 'connection-2': 'secret-2' };

/** Signs a body with the secret of a connection. */
export function signatureOf(connectionId: string, body: string | Uint8Array): string {
  return createHmac('sha256', secrets[connectionId] ?? '')
    .update(body)
    .digest('hex');
}

/** Accepts requests that are signed with the secret of the connection in their path. */
export const authenticateHook: KeyAdmission<{ readonly organizationId: string }>['authenticate'] = async ({
  params: { connectionId = '' },
  headers,
  rawBody,
}: UnverifiedRequest) => {
  const expected = Buffer.from(signatureOf(connectionId, rawBody));
  const given = Buffer.from(headers['x-signature'] ?? '');
  const isValid = secrets[connectionId] !== undefined && given.length === expected.length;
  if (!isValid || !timingSafeEqual(given, expected)) throw new Unauthorized('The signature is wrong.', 'Signature');
  return { key: connectionId, subject: { organizationId: 'acme' }, facts: { organizationId: 'acme', connectionId } };
};

/** The texts of the sample in the description. */
export const receiveHookTexts: AnySelfAuthenticatedTexts = {
  summary: 'Receive a hook',
  description: 'Accepts a signed message of a platform.',
  params: { connectionId: { description: 'The connection.', example: 'connection-1' } },
  success: { description: 'The message is accepted.' },
  security: {
    name: 'platformSignature',
    scheme: { type: 'apiKey', in: 'header', name: 'x-signature', description: 'HMAC-SHA256 of the body, in hex.' },
  },
  errors: {
    unauthorized: {
      cause: 'the signature is missing or wrong',
      remedy: 'sign the body with the secret of the connection',
      message: 'The signature is wrong.',
    },
  },
};
