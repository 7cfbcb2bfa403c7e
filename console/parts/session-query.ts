import type { Roomscribe } from '../../client/roomscribe.ts';
import type { RoomSessionInsight } from '../../client/types.ts';

/** The query of one session of a room. Its data is `null` if the room has no such session. */
export function sessionQuery(client: Roomscribe, roomName: string, roomSessionId: string) {
  return {
    queryKey: ['session', roomName, roomSessionId],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<RoomSessionInsight | null> => {
      const { results } = await client.insights.listRoomSessions({ roomName, roomSessionId }, { signal }).page();
      return results[0] ?? null;
    },
  };
}
