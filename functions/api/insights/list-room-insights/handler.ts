import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import { toRoomInsight } from '#shared/domain/insights/insight-records.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import type { RoomLister } from '#shared/storage/insights/room-lists.ts';

type Deps = { readonly admission: Admission; readonly listRooms: RoomLister };

/** GET /v1/insights/rooms: one page of the caller's rooms with their totals, by default last used first. */
export const createHandler = ({ admission, listRooms }: Deps) =>
  endpoint(insightEndpoints.listRoomInsights, admission, async ({ organizationId, query }) => {
    const { results, cursor } = await listRooms(organizationId, query);
    return { body: { results: results.map(toRoomInsight), cursor } };
  });
