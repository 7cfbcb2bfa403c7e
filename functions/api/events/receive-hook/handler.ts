import { selfAuthenticatedEndpoints } from '#shared/contracts/self-authenticated-endpoints.ts';
import { Unauthorized } from '#shared/errors.ts';
import { type KeyAdmission, selfAuthenticatedEndpoint } from '#shared/http/self-authenticated-endpoint.ts';

/** POST /v1/hooks/{connectionId}/{proxy+}: takes a webhook of a platform. */
export const createHandler = ({ rateLimiter }: Pick<KeyAdmission<unknown>, 'rateLimiter'>) =>
  selfAuthenticatedEndpoint(
    selfAuthenticatedEndpoints.receiveHook,
    {
      rateLimiter,
      authenticate: async () => {
        throw new Unauthorized('This webhook is not signed by a known connection.', 'Signature');
      },
    },
    async () => ({}),
  );
