import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { type RevokeLinksDependencies, revokeAccessLinks } from '#shared/use-cases/links/revoke-access-links.ts';

type Deps = RevokeLinksDependencies & { readonly admission: Admission };

/**
 * DELETE /v1/transcriptions/{transcriptionId}/access-links: ends the links of this API to a transcription. A repeated request
 * gets the same response.
 */
export const createHandler = ({ admission, ...deps }: Deps) =>
  endpoint(
    transcriptionEndpoints.revokeAccessLinks,
    admission,
    async ({ organizationId, params: { transcriptionId } }) => {
      await revokeAccessLinks(deps, organizationId, transcriptionId);
      return { facts: { transcriptionId } };
    },
  );
