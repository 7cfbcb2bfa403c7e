import { useEffect, useMemo } from 'react';
import type { SessionParticipant } from '../../client/types.ts';
import { type ListQuery, pageLimit, useApi, useListQuery } from '../app/api.tsx';
import { withDistinctNames } from './distinct-names.ts';

/** How soon to look again whether points have returned. */
const waitMs = 2000;

/** Everybody in a session, in the order of joining, by names that can be told apart. Fetches all pages by itself, as fast as the points allow. */
export function useSessionPeople(roomSessionId: string | undefined): ListQuery<SessionParticipant> {
  const { points } = useApi();
  const list = useListQuery(
    ['participants', roomSessionId],
    (client, cursor, signal) =>
      client.insights.listParticipants({ roomSessionId: roomSessionId ?? '', limit: pageLimit, cursor }, { signal }),
    { enabled: roomSessionId !== undefined },
  );
  const { isComplete, isFetchingMore, error, isLoading, fetchMore } = list;
  const canGoOn = !isComplete && !isFetchingMore && !isLoading && !error && roomSessionId !== undefined;
  useEffect(() => {
    if (!canGoOn) return;
    if (points.areMany) return fetchMore();
    const timer = setInterval(() => points.areMany && fetchMore(), waitMs);
    return () => clearInterval(timer);
  });
  const rows = useMemo(() => withDistinctNames(list.rows), [list.rows]);
  return { ...list, rows };
}
