import { setTimeout as delay } from 'node:timers/promises';
import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import type { RoomSessionInsightPage, SessionParticipantPage } from '#shared/contracts/insights/insight-operations.ts';
import type { SessionParticipant } from '#shared/contracts/insights/insights.ts';
import type { EventOf, PlatformEvent } from '#tools/simulation/events.ts';

const firstPollMs = 200;
/** The pause between polls, as a part of the time waited so far. Longer pauses keep polling from causing lag. */
const pollGrowth = 0.2;
const limitMs = 60_000;

/** Waits until the effects of events are visible over HTTP. */
export type Effects = {
  /** Resolves to the `performance.now()` at which the effect was visible, or to infinity after a minute without it. */
  readonly seenAt: (event: PlatformEvent) => Promise<number>;
  /** The number of API calls so far. */
  readonly calls: () => number;
};

/** Polls the API for the effect of each event on one of the hundred latest participants. `tokens` has the access token of each organization. */
export function effectsOn(apiUrl: string, tokens: ReadonlyMap<string, string>): Effects {
  let calls = 0;
  const get = async (path: string, organizationId: string, query: Record<string, string>): Promise<object> => {
    calls += 1;
    const headers = { authorization: `Bearer ${tokens.get(organizationId)}` };
    const response = await fetch(`${apiUrl}${path}?${new URLSearchParams(query)}`, { headers });
    if (response.status >= 500) return { results: [] }; // the service is busy: nothing is visible
    if (response.status !== 200) throw new Error(`${path} responded with ${response.status} ${await response.text()}`);
    return (await response.json()) as object;
  };

  const isSeen = async (event: PlatformEvent): Promise<boolean> => {
    if (isOfClient(event)) {
      const { roomSessionId, participantId } = event.data;
      const query = { roomSessionId, sortBy: 'joinedAt:desc', limit: '100' };
      const page = await get(insightEndpoints.listParticipants.path, event.organizationId, query);
      const { results } = page as SessionParticipantPage;
      return results.some((participant) => participant.participantId === participantId && shows(participant, event));
    }
    if (event.type !== 'room.session.started' && event.type !== 'room.session.ended') return true;
    const page = await get(insightEndpoints.listRoomSessionInsights.path, event.organizationId, { ...event.data });
    const [session] = (page as RoomSessionInsightPage).results;
    return event.type === 'room.session.started' ? session !== undefined : session?.endedAt === event.createdAt;
  };

  return {
    seenAt: async (event) => {
      const startedAt = performance.now();
      for (let waitedMs = 0; waitedMs < limitMs; waitedMs = performance.now() - startedAt) {
        await delay(Math.max(firstPollMs, waitedMs * pollGrowth));
        if (await isSeen(event)) return performance.now();
      }
      return Number.POSITIVE_INFINITY;
    },
    calls: () => calls,
  };
}

type ClientEvent = EventOf<'room.client.joined' | 'room.client.left' | 'room.client.rated'>;

function isOfClient(event: PlatformEvent): event is ClientEvent {
  return event.type.startsWith('room.client.') && event.type !== 'room.client.sampled';
}

function shows({ leftAt, rating }: SessionParticipant, event: ClientEvent): boolean {
  if (event.type === 'room.client.joined') return true;
  return event.type === 'room.client.left' ? leftAt !== null : rating === event.data.rating;
}
