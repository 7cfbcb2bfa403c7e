import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ParticipantSessionDetail } from '../../../../client/types.ts';
import { useApi } from '../../../app/api.tsx';
import { connectionsQuery } from '../../../parts/connections.ts';

/** The connections of a person, as far as they are known. */
export type Known = {
  readonly connections: readonly ParticipantSessionDetail[] | undefined;
  readonly hasFailed: boolean;
};

/** Rows that only pass by while the reader scrolls are not fetched. */
const settledMs = 200;
const freshMs = 5 * 60_000;

/** Fetches the connections of a person whose row has been in sight for a moment. */
export function useConnections(roomSessionId: string, participantId: string): Known {
  const api = useApi();
  const isSettled = useSettled();
  const { data, isError } = useQuery({
    ...connectionsQuery(api, { roomSessionId, participantId }),
    staleTime: freshMs,
    enabled: isSettled,
  });
  return { connections: data, hasFailed: isError };
}

function useSettled(): boolean {
  const [isSettled, setIsSettled] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSettled(true), settledMs);
    return () => clearTimeout(timer);
  }, []);
  return isSettled;
}
