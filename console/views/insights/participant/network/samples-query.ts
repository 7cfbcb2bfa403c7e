import type { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../../../client/errors.ts';
import type { Roomscribe } from '../../../../../client/roomscribe.ts';
import { noSamples } from '../../../../parts/connections.ts';
import { type Connection, connectionsOf, nextWindow, rateOf, withWindow } from './samples.ts';
import { inPieces } from './slices.ts';

/** What is known of a person's network so far. It is complete when `loadedUntil` is `to`. */
export type PersonSamples = {
  readonly connections: readonly Connection[];
  readonly from: number;
  readonly to: number;
  readonly loadedUntil: number;
};

type Person = { readonly roomSessionId: string; readonly participantId: string };
type Deps = { readonly client: Roomscribe; readonly queryClient: QueryClient };

/** Below this, an answer that the service refuses is not refused for its size. It is also how long after a leave samples are fetched. */
export const shortestMs = 60_000;

/**
 * The query of a person's connections and samples. It fetches windows of some hours one after the other, and stores each as it comes: no answer is
 * long, and charts grow while the rest is fetched. `endsAt` is the end of the session, as far as it is known.
 */
export function samplesQuery({ client, queryClient }: Deps, person: Person, endsAt: number) {
  const queryKey = ['samples', person.roomSessionId, person.participantId, endsAt];
  return {
    queryKey,
    structuralSharing: false, // it would compare all samples
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<PersonSamples> => {
      const told = connectionsOf(await client.insights.getParticipant({ ...person, ...noSamples }, { signal }));
      let known = beginning(told, endsAt);
      let rateMs: number | undefined;
      while (known.loadedUntil < known.to) {
        queryClient.setQueryData(queryKey, known);
        const window = nextWindow(known.loadedUntil, known.to, rateMs);
        const { connections, until } = await fetchWindow(client, person, window, signal);
        await inPieces();
        rateMs = rateOf(connections) ?? rateMs;
        known = { ...known, connections: withWindow(known.connections, connections), loadedUntil: until };
      }
      return known;
    },
  };
}

function beginning(connections: readonly Connection[], endsAt: number): PersonSamples {
  const from = Math.min(...connections.slice(0, 1).map(({ joinedAt }) => joinedAt), endsAt);
  const lefts = connections.map(({ leftAt }) => leftAt ?? endsAt);
  const to = lefts.reduce((latest, left) => Math.max(latest, left), from) + shortestMs; // the last sample can begin with the leave
  return { connections, from, to: connections.length === 0 ? from : to, loadedUntil: from };
}

async function fetchWindow(
  client: Roomscribe,
  person: Person,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<{ readonly connections: readonly Connection[]; readonly until: number }> {
  const range = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
  try {
    const details = await client.insights.getParticipant({ ...person, ...range }, { signal });
    await inPieces();
    return { connections: connectionsOf(details), until: to };
  } catch (error) {
    const isTooLong = error instanceof ApiError && error.status === 400 && to - from > shortestMs;
    if (!isTooLong) throw error;
    return fetchWindow(client, person, { from, to: from + Math.ceil((to - from) / 2) }, signal);
  }
}
