import { setTimeout as delay } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { transcriptionEndpoints } from '#shared/contracts/transcriptions/transcription-endpoints.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { requestToken } from '#tools/shared/token.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { sendInBatches } from '../send-batches.ts';

const limitMs = 60_000;

type Event = { readonly organizationId: string };
type Page = { readonly results?: readonly unknown[] };

/** A runner, as the contests use it. */
export type Service = Awaited<ReturnType<typeof connect>>;

/** Connects to a runner, with tokens of the organizations. */
export async function connect(endpoints: Endpoints, organizations: readonly string[]) {
  const { apiUrl, sqsUrl, queues } = endpoints;
  const sqs = new SQSClient(clientSettings(sqsUrl));
  const requests = organizations.map(async (id) => [id, await requestToken(endpoints, id)] as const);
  const tokens = new Map(await Promise.all(requests));
  const call = (organizationId: string, method: string, path: string, body?: object) =>
    fetch(`${apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens.get(organizationId)}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const untilTrue = async (pollMs: number, isTrue: () => Promise<boolean>) => {
    const givesUpAt = performance.now() + limitMs;
    while (!(await isTrue())) {
      if (performance.now() > givesUpAt) throw new Error('There is no effect.');
      await delay(pollMs);
    }
  };
  const sendTo = (queue: string, messages: readonly Event[]) =>
    inParallel(chunk(messages, 100), 8, (some) => sendInBatches(sqs, queues[queue], some));
  return {
    ...{ endpoints, sqs, queues, call, untilTrue, sendTo },
    send: (...events: readonly Event[]) => sendTo('roomEvents', events),
    bulkDelete: async (organizationId: string, transcriptionIds: readonly string[]) => {
      const { path } = transcriptionEndpoints.bulkDeleteTranscriptions;
      const { status } = await call(organizationId, 'POST', path, { transcriptionIds });
      if (status !== 204) throw new Error(`The bulk delete got a ${status}.`);
    },
    /** Polls until the answer satisfies the condition. */
    until: (pollMs: number, organizationId: string, path: string, isSeen: (status: number, body: Page) => boolean) =>
      untilTrue(pollMs, async () => {
        const response = await call(organizationId, 'GET', path);
        return isSeen(response.status, (await response.json()) as Page);
      }),
  };
}
