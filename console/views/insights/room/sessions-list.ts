import type { List } from '../../../../client/list.ts';
import type { Roomscribe } from '../../../../client/roomscribe.ts';
import type { ListRoomSessionInsights, RoomSessionInsight } from '../../../../client/types.ts';
import { pageLimit } from '../../../app/api.tsx';

type ListOf = (client: Roomscribe, cursor: string | undefined, signal: AbortSignal) => List<RoomSessionInsight>;

/** The key and the call of a list of sessions. Chart and table share the answers if they ask for the same. */
export function sessionsList(query: ListRoomSessionInsights): [key: readonly unknown[], list: ListOf] {
  return [
    ['sessions', query],
    (client, cursor, signal) =>
      client.insights.listRoomSessions(
        { ...query, limit: pageLimit, ...(cursor !== undefined && { cursor }) },
        { signal },
      ),
  ];
}
