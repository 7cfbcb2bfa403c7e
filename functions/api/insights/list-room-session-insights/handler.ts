import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { RoomSessionLister } from '#shared/storage/insights/lists.ts';

type Deps = { readonly admission: Admission; readonly listRoomSessions: RoomSessionLister };

/** GET /v1/insights/room-sessions: one page of a room's sessions, by default newest first, or a single session. */
export const createHandler = ({ admission, listRoomSessions }: Deps) =>
  endpoint(insightEndpoints.listRoomSessionInsights, admission, async ({ organizationId, query }) => {
    const { results, cursor } = await listRoomSessions(organizationId, query);
    return { body: { results: [...results], cursor } };
  });
