import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { NoticeType } from '#shared/contracts/notices/notice-types.ts';
import type { CreatedWebhook, Webhook } from '#shared/contracts/webhooks/webhooks.ts';
import { asciiJson } from '#shared/runtime/ascii-json.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import type { Endpoints } from '#tools/shared/endpoints.ts';
import { requestToken } from '#tools/shared/token.ts';
import { newSession, platformOf } from '../../support/insights/session-events.ts';
import type { Receipt, Receivers } from './webhook-receivers.ts';

type Event = { readonly organizationId: string };

/** A webhook of the benchmark: its receiver's name is also its path. */
export type FleetWebhook = { readonly organizationId: string; readonly webhookId: string; readonly receiver: string };

/** Organizations whose webhooks lead to receivers on this machine. */
export type Fleet = {
  readonly addWebhook: (organizationId: string, types: readonly NoticeType[]) => Promise<FleetWebhook>;
  /** Starts sessions, of which all webhooks of their organizations are told. Resolves to the ids of the sessions. */
  readonly startSessions: (organizationIds: readonly string[]) => Promise<readonly string[]>;
  /** Lets live transcriptions end, of which only some webhooks are told. */
  readonly endTranscriptions: (organizationIds: readonly string[]) => Promise<void>;
  /** The same in one call each: the body of an answer, which must be a success. */
  readonly call: <Body>(organizationId: string, method: string, path: string, body?: object) => Promise<Body>;
  /** Ends what is known of the failures of webhooks, and waits until nothing of them is left to be delivered. */
  readonly forgetFailures: (webhooks: readonly FleetWebhook[]) => Promise<void>;
};

const restMs = 4_000;
/** The limits that the benchmarks need. */
export const fleetContext = { rateLimitPointsPerMinute: '1000000', webhooksPerOrganization: '100' };

/** Connects to a runner. */
export async function fleetOn(endpoints: Endpoints, receivers: Receivers): Promise<Fleet> {
  const { apiUrl, queues, sqsUrl } = endpoints;
  const sqs = new SQSClient(clientSettings(sqsUrl));
  const tokens = new Map<string, Promise<string>>();
  const tokenOf = (organizationId: string) => {
    const token = tokens.get(organizationId) ?? requestToken(endpoints, organizationId);
    tokens.set(organizationId, token);
    return token;
  };
  const call = async <Body>(organizationId: string, method: string, path: string, body?: object) => {
    const headers = {
      authorization: `Bearer ${await tokenOf(organizationId)}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const response = await fetch(`${apiUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} got ${response.status} ${text}`);
    return JSON.parse(text) as Body;
  };
  const send = async (events: readonly Event[]) => {
    for (const some of chunk(events, 10)) {
      const Entries = some.map((event, index) => ({
        ...{ Id: String(index), MessageBody: asciiJson(event), MessageGroupId: event.organizationId },
      }));
      await sqs.send(new SendMessageBatchCommand({ QueueUrl: queues.roomEvents, Entries }));
    }
  };
  return {
    call,
    addWebhook: async (organizationId, types) => {
      const receiver = randomUUID();
      const body = { url: receivers.urlOf(receiver), types };
      const { webhookId, secret } = await call<CreatedWebhook>(organizationId, 'POST', '/v1/webhooks', body);
      receivers.expectSecret(receiver, secret);
      return { organizationId, webhookId, receiver };
    },
    startSessions: async (organizationIds) => {
      const started = organizationIds.map((organizationId) =>
        platformOf(organizationId, Date.now).started(newSession(`/room-${randomUUID().slice(0, 8)}`)),
      );
      await send(started);
      return started.map(({ data }) => data.roomSessionId);
    },
    endTranscriptions: (organizationIds) => send(organizationIds.map(endedTranscription)),
    forgetFailures: async (webhooks) => {
      const pathOf = ({ webhookId }: FleetWebhook) => `/v1/webhooks/${webhookId}`;
      const setState = (state: Webhook['state']) =>
        Promise.all(webhooks.map((each) => call(each.organizationId, 'PATCH', pathOf(each), { state })));
      await setState('disabled');
      await setState('enabled');
      for (let calls = -1; calls !== receivers.counts.calls; await delay(restMs)) calls = receivers.counts.calls;
    },
  };
}

/** The end of a live transcription of which nothing came before. */
function endedTranscription(organizationId: string) {
  const createdAt = new Date().toISOString();
  const startDate = new Date(Date.parse(createdAt) - 600_000).toISOString();
  return {
    ...{ id: randomUUID(), type: 'transcription.finished', organizationId, createdAt },
    data: {
      ...newSession('/daily'),
      ...{ transcriptionId: randomUUID(), startDate, endDate: createdAt },
      ...{ durationInSeconds: 600, storageType: 'SELF_HOSTED' },
    },
  };
}

/** The session that a notice is about. */
export function sessionOf({ notice }: Receipt): string {
  return String((notice.data as { readonly roomSessionId?: string | null }).roomSessionId);
}
