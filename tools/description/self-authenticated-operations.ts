import type { SelfAuthenticatedEndpoint } from '#shared/contracts/common/endpoint.ts';
import { selfAuthenticatedEndpoints } from '#shared/contracts/self-authenticated-endpoints.ts';
import { KeyRateLimited } from '#shared/runtime/errors.ts';
import { errorTexts } from './error-texts.ts';
import type { AnySelfAuthenticatedTexts, SelfAuthenticatedTexts } from './texts.ts';

const texts: SelfAuthenticatedTexts<typeof selfAuthenticatedEndpoints> = {
  followAccessLink: {
    summary: 'Open an access link',
    description:
      'Redirects to the file of a link that `create-access-link` returned. The token in the path is all that a caller needs. ' +
      'The link of S3 that the answer names works for a minute, for the method of this request. Follow it with each request, ' +
      'also with one for a range of bytes, and do not store it.',
    errors: {
      link_not_found: errorTexts.link_not_found,
      invalid_request: { ...errorTexts.invalid_request, remedy: 'open the link without a query' },
    },
    params: {
      token: {
        description: 'The token of the link.',
        example: 'q0yZ7m1N5pV4dKx2Rj8bTf6sWc3uEh9gLaPoIiUyTrE',
      },
    },
    success: {
      description: 'The address of the file. The body is empty.',
      headers: {
        location: {
          description: 'A link of S3 that works for a minute.',
          example:
            'https://transcripts.s3.eu-central-1.amazonaws.com/generated/acme/9226ec25-8833-431d-82bc-05dbfd0728fb.md?X-Amz-Signature=7c0e4f',
        },
      },
    },
  },
  receiveHook: {
    summary: 'Receive a webhook of a platform',
    description:
      'Takes a webhook of a video platform, whose signature authenticates it. The operator creates the connection, and its command prints ' +
      'this address with the lines for the configuration of the platform. Any path below the connection is accepted, any query, and any ' +
      'content type that the platform sends.',
    security: { name: 'platformSignature', scheme: { type: 'apiKey', in: 'header', name: 'Authorization' } },
    errors: {
      unauthorized: {
        cause: 'the connection is not known, or the signature is not that of one of its secrets, or it is too old',
        message: 'This webhook is not signed by a known connection.',
        remedy: 'compare the address and the secret with those of the connection, and the clock of the sender',
      },
      payload_too_large: {
        cause: 'the body is over 1 MiB',
        message: 'The body must be at most 1048576 bytes.',
        remedy: 'nothing: the webhook is not taken',
      },
      rate_limited: {
        cause:
          'the connection has sent 6 000 webhooks in this minute, where a body counts as one for each started 4 KiB',
        message: new KeyRateLimited({ limit: 6000, resetsAt: 0 }).message,
        remedy: 'send the webhook again after `Retry-After`',
      },
      invalid_request: {
        cause: 'the body cannot be read: it is not JSON, or does not have the form that the platform sends',
        message: errorTexts.invalid_request.message,
        remedy: 'send what the platform documents',
      },
    },
    params: {
      connectionId: { description: 'Id of the connection.', example: 'q0yZ7m1N5pV4dKx2Rj8bTf6sWc3uEh9gLaPoIiUyTrE' },
      proxy: { description: 'Anything that the platform adds.', example: 'livekit' },
    },
    success: { description: 'The webhook is stored, and its events follow. The body is empty.' },
  },
};

/** A self-authenticated endpoint with its texts. */
export type SelfAuthenticatedOperation = {
  readonly endpoint: SelfAuthenticatedEndpoint;
  readonly texts: AnySelfAuthenticatedTexts;
};

/** Every self-authenticated endpoint with its texts. An endpoint without texts does not compile. */
export const selfAuthenticatedOperations: readonly SelfAuthenticatedOperation[] =
  Object.entries<SelfAuthenticatedEndpoint>(selfAuthenticatedEndpoints).map(([name, endpoint]) => ({
    endpoint,
    texts: texts[name as keyof typeof selfAuthenticatedEndpoints],
  }));
