import type { QueryClient } from '@tanstack/react-query';
import type { Roomscribe } from '../../../../../client/roomscribe.ts';
import type { SessionMinute } from '../../../../../client/types.ts';

/** The minutes of a session so far. */
export type SessionMinutes = { readonly minutes: readonly SessionMinute[]; readonly isComplete: boolean };

/** The query of a session's network by the minute. It stores each page as it comes. */
export function networkQuery(
  { client, queryClient }: { readonly client: Roomscribe; readonly queryClient: QueryClient },
  roomSessionId: string,
) {
  const queryKey = ['network', roomSessionId];
  return {
    queryKey,
    structuralSharing: false, // it would compare all minutes
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<SessionMinutes> => {
      let minutes: readonly SessionMinute[] = [];
      for await (const { results } of client.insights.getSessionNetwork({ roomSessionId }, { signal }).pages()) {
        minutes = [...minutes, ...results];
        queryClient.setQueryData(queryKey, { minutes, isComplete: false });
      }
      return { minutes, isComplete: true };
    },
  };
}
