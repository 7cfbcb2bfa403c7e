import { type UseQueryResult, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { SessionMinute } from '../../../../../client/types.ts';
import { useApi } from '../../../../app/api.tsx';
import { withDistinctNames } from '../../../../parts/distinct-names.ts';
import { useSameList } from '../../../../parts/tables/use-same-list.ts';
import { type Line, linesOfPerson, linesOfSession } from './lines.ts';
import { type Minute, minutesOf } from './minutes.ts';
import { networkQuery } from './network-query.ts';
import type { Connection } from './samples.ts';
import { type PersonSamples, samplesQuery } from './samples-query.ts';

/** The network of one person as far as it is fetched. */
export type PersonNetwork = {
  readonly id: string;
  readonly name: string | undefined;
  readonly samples: PersonSamples | undefined;
  readonly lines: readonly Line[];
  readonly minutes: readonly Minute[];
  readonly error: Error | null;
  readonly retry: () => void;
};

/** Fetches the network of people. The first one is the participant of the view. The list stays the same until something changes. */
export function usePeopleNetwork(session: string, ids: readonly string[], endsAt: number): readonly PersonNetwork[] {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const results = useQueries({
    queries: ids.map((participantId) =>
      samplesQuery({ client, queryClient }, { roomSessionId: session, participantId }, endsAt),
    ),
  });
  const people = useSameList(ids);
  const fetched = useSameList(results.flatMap(({ data, error, refetch }) => [data, error, refetch]));
  // biome-ignore lint/correctness/useExhaustiveDependencies: `fetched` has all that is read of the results, which are new in each render
  return useMemo(() => {
    const named = people.map((participantId, place) => {
      const displayName = results[place]?.data?.connections.at(-1)?.displayName ?? participantId;
      return { participantId, displayName };
    });
    return withDistinctNames(named).map((person, place) => networkOf(person, place, results[place]));
  }, [people, fetched]);
}

function networkOf(
  { participantId: id, displayName }: ReturnType<typeof withDistinctNames>[number],
  place: number,
  result: UseQueryResult<PersonSamples> | undefined,
): PersonNetwork {
  const samples = result?.data;
  const derived = samples && derive(id, place, displayName, samples.connections);
  return {
    ...{
      id,
      name: samples?.connections.length ? displayName : undefined,
      samples,
      lines: derived?.lines ?? [],
      minutes: derived?.minutes ?? [],
    },
    ...{ error: result?.error ?? null, retry: () => void result?.refetch() },
  };
}

type Derived = {
  readonly place: number;
  readonly name: string;
  readonly lines: readonly Line[];
  readonly minutes: readonly Minute[];
};
/** What follows from the connections of a person, computed once for each state of them. */
const known = new WeakMap<readonly Connection[], Derived>();

function derive(id: string, place: number, name: string, connections: readonly Connection[]): Derived {
  const before = known.get(connections);
  if (before?.place === place && before.name === name) return before;
  const minutes = before?.minutes ?? minutesOf(connections);
  const derived = { place, name, minutes, lines: linesOfPerson(id, place, name, connections) };
  known.set(connections, derived);
  return derived;
}

/** The network of the session by the minute, as far as it is fetched. */
export type SessionNetwork = {
  readonly minutes: readonly SessionMinute[];
  readonly lines: readonly Line[];
  readonly isComplete: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
};

const nothing: readonly SessionMinute[] = [];

/** Fetches the network of the session. */
export function useSessionNetwork(session: string): SessionNetwork {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(networkQuery({ client, queryClient }, session));
  const minutes = data?.minutes ?? nothing;
  const lines = useMemo(() => linesOfSession(minutes), [minutes]);
  return { minutes, lines, isComplete: data?.isComplete ?? false, error, retry: () => void refetch() };
}
