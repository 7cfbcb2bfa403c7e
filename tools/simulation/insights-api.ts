import { setTimeout as delay } from 'node:timers/promises';
import type * as z from 'zod/mini';
import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import type {
  ParticipantSessionDetail,
  RoomInsight,
  RoomSessionInsight,
  SessionParticipant,
} from '#shared/contracts/insights/insights.ts';
import type { SessionMinute } from '#shared/contracts/insights/session-network.ts';

/** The five insights endpoints. Each function reads every page. */
export type InsightsApi = {
  readonly rooms: () => Promise<RoomInsight[]>;
  readonly sessionsOf: (roomName: string) => Promise<RoomSessionInsight[]>;
  readonly participantsOf: (roomSessionId: string) => Promise<SessionParticipant[]>;
  readonly detailsOf: (roomSessionId: string, participantId: string) => Promise<ParticipantSessionDetail[]>;
  readonly networkOf: (roomSessionId: string) => Promise<SessionMinute[]>;
};

type Query = Readonly<Record<string, string>>;
type Page<Element> = { readonly results: Element[]; readonly cursor: string | null };

const limited = { limit: '100' };
const { listRoomInsights, listRoomSessionInsights, listParticipants, getParticipant, getSessionNetwork } =
  insightEndpoints;

/**
 * Reads the insights of the organization of the tokens. Waits at the rate limit, and requests a new token when the old
 * one has expired: a token is valid for one hour.
 */
export function insightsApi(apiUrl: string, getToken: () => Promise<string>, signal?: AbortSignal): InsightsApi {
  let asked: Promise<string> | undefined;
  const get = async <Schema extends z.ZodMiniType>(path: string, query: Query, schema: Schema) => {
    const url = `${apiUrl}${path}?${new URLSearchParams(query)}`;
    for (let isRenewed = false; ; ) {
      asked ??= getToken();
      const token = asked;
      const headers = { authorization: `Bearer ${await token}` };
      const response = await fetch(url, { headers, signal: signal ?? null });
      if (response.status === 200) return schema.parse(await response.json());
      const text = await response.text();
      if (response.status === 401 && !isRenewed) {
        isRenewed = true;
        if (asked === token) asked = undefined; // another call may have requested a new token
        continue;
      }
      if (response.status !== 429) throw new Error(`${path} returned ${response.status} ${text}`);
      await delay(Number(response.headers.get('retry-after') ?? 1) * 1000, undefined, signal && { signal });
    }
  };
  return {
    rooms: () => allPages((page) => get(listRoomInsights.path, page, listRoomInsights.response), limited),
    sessionsOf: (roomName) =>
      allPages(
        (page) => get(listRoomSessionInsights.path, { roomName, ...page }, listRoomSessionInsights.response),
        limited,
      ),
    participantsOf: (roomSessionId) =>
      allPages((page) => get(listParticipants.path, { roomSessionId, ...page }, listParticipants.response), limited),
    detailsOf: (roomSessionId, participantId) =>
      get(getParticipant.path, { roomSessionId, participantId }, getParticipant.response),
    networkOf: (roomSessionId) =>
      allPages((page) => get(getSessionNetwork.path, { roomSessionId, ...page }, getSessionNetwork.response)),
  };
}

async function allPages<Element>(
  read: (query: Query) => Promise<Page<Element>>,
  query: Query = {},
): Promise<Element[]> {
  const elements: Element[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await read({ ...query, ...(cursor && { cursor }) });
    elements.push(...page.results);
    cursor = page.cursor;
  } while (cursor !== null);
  return elements;
}
