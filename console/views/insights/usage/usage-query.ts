import { useEffect, useMemo, useState } from 'react';
import type { UsageDay } from '../../../../client/types.ts';
import { type ListQuery, pageLimit, useApi, useListQuery } from '../../../app/api.tsx';
import type { Days } from './usage-period.ts';

/** So many rows are fetched without being asked for. */
const usualRows = 50 * pageLimit;

/** The usage of a period, and a function that fetches what is not fetched by itself. */
export type UsageQuery = ListQuery<UsageDay> & { readonly loadRest: (() => void) | undefined };

/** Fetches the usage of a period: by itself while many points are left, and all of it if the reader asks for that. */
export function useUsage({ from, to }: Days, roomName: string | undefined): UsageQuery {
  const { points } = useApi();
  const query = useMemo(() => ({ from, to, ...(roomName !== undefined && { roomName }) }), [from, to, roomName]);
  const [wanted, setWanted] = useState<typeof query>();
  const isWanted = wanted === query;
  const list = useListQuery(['usage', query], (client, cursor, signal) =>
    client.insights.listUsage({ ...query, limit: pageLimit, ...(cursor !== undefined && { cursor }) }, { signal }),
  );
  const { rows, isLoading, isComplete, isFetchingMore, error, fetchMore } = list;
  const goesOn = isWanted || (points.areMany && rows.length < usualRows);
  useEffect(() => {
    if (goesOn && !isLoading && !isComplete && !error) fetchMore();
  });
  const isWaiting = !isLoading && !isComplete && !error && !isFetchingMore && !goesOn;
  return { ...list, loadRest: isWaiting ? () => setWanted(query) : undefined };
}
