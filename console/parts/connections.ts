import type { Roomscribe } from '../../client/roomscribe.ts';
import type { ParticipantSessionDetail } from '../../client/types.ts';
import type { PointsStore } from '../app/api.tsx';

/** A range in which nobody has samples: the answer then has the events alone, and is small. */
export const noSamples = { from: '1970-01-01T00:00:00.000Z', to: '1970-01-01T00:00:00.001Z' };
const waitMs = 1000;

type Person = { readonly roomSessionId: string; readonly participantId: string };

/** The query of a participant's connections with their events, without samples. */
export function connectionsQuery({ client, points }: { client: Roomscribe; points: PointsStore }, person: Person) {
  return {
    queryKey: ['connections', person.roomSessionId, person.participantId],
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<ParticipantSessionDetail[]> => {
      await manyPoints(points, signal);
      return client.insights.getParticipant({ ...person, ...noSamples }, { signal });
    },
  };
}

/** Waits while few points are left, so that what the reader asks for comes first. Throws the reason of the signal. */
export async function manyPoints(points: PointsStore, signal: AbortSignal): Promise<void> {
  while (!points.areMany) {
    signal.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  signal.throwIfAborted();
}
