import { selfAuthenticatedEndpoints } from '#shared/contracts/self-authenticated-endpoints.ts';
import { secondsLeft } from '#shared/domain/links/link-to-transcript.ts';
import { type KeyAdmission, selfAuthenticatedEndpoint } from '#shared/http/self-authenticated-endpoint.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { type FollowLinkDependencies, linkedFile } from '#shared/use-cases/links/follow-access-link.ts';
import type { LinkSigner } from '#shared/use-cases/links/ports.ts';

type Deps = FollowLinkDependencies & {
  readonly signer: LinkSigner;
  readonly rateLimiter: KeyAdmission<unknown>['rateLimiter'];
  /** The name under which the requests of a token are counted. The token itself is never stored. */
  readonly nameOf: (token: string) => string;
};

/** Long enough for a redirect, and too short to share. */
const maxSeconds = 60;

/** GET and HEAD /v1/links/{token}: redirects to a link of S3 for the same method. Everything else about the link is a 404. */
export const createHandler = ({ signer, rateLimiter, nameOf, now = () => new Date(), ...deps }: Deps) =>
  selfAuthenticatedEndpoint(
    selfAuthenticatedEndpoints.followAccessLink,
    {
      rateLimiter,
      authenticate: async ({ params: { token } }) => {
        const { link, file } = await linkedFile({ ...deps, now }, token);
        const { organizationId, transcriptionId } = link;
        return { key: nameOf(String(token)), subject: { link, file }, facts: { organizationId, transcriptionId } };
      },
    },
    async ({ subject: { link, file }, method }) => {
      const validForSeconds = Math.min(maxSeconds, secondsLeft(link, now()));
      const signed = await signer.sign({ ...file, method: method === 'HEAD' ? 'HEAD' : 'GET', validForSeconds });
      if (!signed) throw new ServiceUnavailable('STS granted no session that lasts for a minute.');
      return { headers: { location: signed.accessLink } };
    },
  );
