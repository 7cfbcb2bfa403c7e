import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { SQSClient } from '@aws-sdk/client-sqs';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { queueDepth } from '#tools/shared/queue-depth.ts';
import { requestToken } from '#tools/shared/token.ts';
import { type Agreement, untilApiAgrees } from '#tools/simulation/agreement.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { insightsApi } from '#tools/simulation/insights-api.ts';
import { recount } from '#tools/simulation/recount.ts';
import { effectsOn } from '../effects.ts';
import { sendInBatches } from '../send-batches.ts';

/** The organization of the hot room and of the other rooms, as long as a client ID of Cognito. */
export const organizationId = 'bench-hot-room-of-one-orga';

const pollMs = 250;
const giveUpMs = 300_000;

/** How long the totals of a room took until they were exact, or what was wrong with them in the end. */
export type Exactness = { readonly seconds: number; readonly isExact: boolean };

/** Sends the organization's events, and compares its insights with a recount of all that were sent. */
export type HotOrganization = {
  readonly send: (...events: readonly PlatformEvent[]) => Promise<void>;
  /** Sends an event, and resolves to the milliseconds until it is visible over HTTP. */
  readonly lagOf: (event: PlatformEvent) => Promise<number>;
  /** Waits until the totals of the room and of its sessions are exact. */
  readonly untilExact: (roomName: string) => Promise<Exactness>;
  /** Compares all insights with the recount. */
  readonly untilAllAgree: () => Promise<Agreement>;
  readonly deadLetters: () => Promise<number>;
};

/** Connects to a runner as the organization. */
export async function hotOrganization(endpoints: Endpoints): Promise<HotOrganization> {
  const { apiUrl, queues, sqsUrl } = endpoints;
  const token = await requestToken(endpoints, organizationId);
  const sqs = new SQSClient(clientSettings(sqsUrl));
  const api = insightsApi(apiUrl, async () => token);
  const effects = effectsOn(apiUrl, new Map([[organizationId, token]]));
  const sent: PlatformEvent[] = [];

  const send = async (...events: readonly PlatformEvent[]) => {
    sent.push(...events);
    await sendInBatches(sqs, queues.roomEvents, events);
  };
  return {
    send,
    lagOf: async (event) => {
      const sentAt = performance.now();
      await send(event);
      return (await effects.seenAt(event)) - sentAt;
    },
    untilExact: async (roomName) => {
      const startedAt = performance.now();
      const expected = recount(organizationId, sent);
      const room = expected.rooms.find((each) => each.roomName === roomName);
      const agrees = async () =>
        isDeepStrictEqual(
          (await api.rooms()).find((each) => each.roomName === roomName),
          room,
        ) && isDeepStrictEqual(await api.sessionsOf(roomName), expected.sessionsOf(roomName));
      for (;;) {
        const isExact = await agrees().catch(() => false); // a busy service answers with an error
        const seconds = (performance.now() - startedAt) / 1000;
        if (isExact || seconds * 1000 > giveUpMs) return { seconds, isExact };
        await delay(pollMs);
      }
    },
    untilAllAgree: () => untilApiAgrees(recount(organizationId, sent), api),
    deadLetters: async () => (await queueDepth(sqs, queues.roomEventsDlq ?? '')).total,
  };
}

/** Calls `work` at even intervals for some seconds, without waiting for earlier calls. Resolves to the results of all calls. */
export async function steadily<Result>(
  count: number,
  seconds: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const startedAt = performance.now();
  const underWay: Promise<Result>[] = [];
  for (let index = 0; index < count; index++) {
    await delay(Math.max(0, startedAt + (index * seconds * 1000) / count - performance.now()));
    underWay.push(work(index));
  }
  return Promise.all(underWay);
}
