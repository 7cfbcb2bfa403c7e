import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { SessionNetworkReader } from '#shared/storage/insights/session-network.ts';

type Deps = { readonly admission: Admission; readonly networkOf: SessionNetworkReader };

/** GET /v1/insights/session-network: one page of the minutes of a session, each with figures of the network of all participants. */
export const createHandler = ({ admission, networkOf }: Deps) =>
  endpoint(insightEndpoints.getSessionNetwork, admission, async ({ organizationId, query }) => {
    const { results, cursor } = await networkOf(organizationId, query);
    return { body: { results: [...results], cursor } };
  });
