import type { SelfAuthenticatedEndpoint } from '../../shared/contracts/endpoint.ts';
import { selfAuthenticatedEndpoints } from '../../shared/contracts/self-authenticated-endpoints.ts';
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
