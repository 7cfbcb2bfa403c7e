import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { type CreateLinkDependencies, createAccessLink } from '#shared/use-cases/links/create-access-link.ts';

type Deps = CreateLinkDependencies & { readonly admission: Admission };

/** GET /v1/transcriptions/{transcriptionId}/access-link: a link to one file, and the time at which it expires. */
export const createHandler = ({ admission, ...deps }: Deps) =>
  endpoint(
    transcriptionEndpoints.createAccessLink,
    admission,
    async ({ organizationId, params: { transcriptionId }, query }) => ({
      body: await createAccessLink(deps, organizationId, transcriptionId, query),
      facts: { transcriptionId },
    }),
  );
