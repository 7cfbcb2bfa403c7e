import { useQueries } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ParticipantSessionDetail } from '../../../types.ts';
import { useApi } from '../../app/api.tsx';
import { connectionsQuery } from '../../parts/connections.ts';

/** The connections of a person, as far as they are known. */
export type Known = {
  readonly connections?: readonly ParticipantSessionDetail[] | undefined;
  readonly hasFailed: boolean;
};

/** Rows that pass by while the reader scrolls are not fetched. */
const settledMs = 200;

/** Fetches the connections of the people in sight, once the reader has stopped scrolling. */
export function useConnections(roomSessionId: string, inSight: readonly string[]): ReadonlyMap<string, Known> {
  const api = useApi();
  const ids = useSettled(inSight);
  return useQueries({
    queries: ids.map((participantId) => ({
      ...connectionsQuery(api, { roomSessionId, participantId }),
      staleTime: 5 * 60_000,
    })),
    combine: (results) =>
      new Map<string, Known>(
        results.map(({ data, isError }, index) => [ids[index] ?? '', { connections: data, hasFailed: isError }]),
      ),
  });
}

function useSettled(ids: readonly string[]): readonly string[] {
  const [settled, setSettled] = useState<readonly string[]>([]);
  const key = JSON.stringify(ids);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(key)), settledMs);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}
