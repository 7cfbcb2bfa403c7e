import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { ParticipantLister } from '#shared/storage/insights/lists.ts';

type Deps = { readonly admission: Admission; readonly listParticipants: ParticipantLister };

/** GET /v1/insights/participants: one page of the participants of a session, of an external id, or of both. */
export const createHandler = ({ admission, listParticipants }: Deps) =>
  endpoint(insightEndpoints.listParticipants, admission, async ({ organizationId, query }) => {
    const { results, cursor } = await listParticipants(organizationId, query);
    return { body: { results: [...results], cursor } };
  });
