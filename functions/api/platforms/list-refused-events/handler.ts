import { eventEndpoints } from '#shared/contracts/platforms/event-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { RefusedEventLister } from '#shared/storage/platforms/refused-events.ts';

type Deps = { readonly admission: Admission; readonly listRefused: RefusedEventLister };

/** GET /v1/events/refused: one page of the caller's refused events, the latest first. */
export const createHandler = ({ admission, listRefused }: Deps) =>
  endpoint(eventEndpoints.listRefusedEvents, admission, async ({ organizationId, query }) => {
    const { results, cursor } = await listRefused(organizationId, query);
    return { body: { results: [...results], cursor } };
  });
