import { createHmac, randomUUID } from 'node:crypto';
import type { OperationId } from '#shared/contracts/endpoints.ts';
import type { SelfAuthenticatedOperationId } from '#shared/contracts/self-authenticated-endpoints.ts';
import type { HttpEvent } from '#shared/http/request.ts';
import { httpEvent, organizationClaim, type RequestFacts } from '../http/http-events.ts';
import { uuid } from '../operations/records.ts';
import * as world from './world.ts';

/** The n-th request to a function. Requests of different numbers change different objects. */
export type NumberedRequest = (index: number) => HttpEvent;

/** The operations of the API that call AWS. */
export type CallingOperation = OperationId | SelfAuthenticatedOperationId;

const { organizationId, session, participantId, transcriptionId, recordingId, webhookId, count } = world;
const headers = { 'user-agent': 'node', accept: '*/*', 'x-forwarded-for': '198.51.100.7' };
const context = { [organizationClaim]: organizationId };
const request = (facts: RequestFacts = {}): HttpEvent =>
  httpEvent({ context, ...facts, headers: { ...headers, ...facts.headers } });

const of = (query: Readonly<Record<string, string>>): NumberedRequest => {
  const text = String(new URLSearchParams(query));
  return () => request({ query: text });
};
/** Begins with another object, because these requests change or remove it. */
const from =
  (first: number, numbered: NumberedRequest): NumberedRequest =>
  (index) =>
    numbered(first + index);
const ofTranscription =
  (facts: RequestFacts = {}): NumberedRequest =>
  (index) =>
    request({ ...facts, params: { transcriptionId: transcriptionId(index), ...facts.params } });
const ofWebhook =
  (facts: RequestFacts = {}): NumberedRequest =>
  (index) =>
    request({ ...facts, params: { webhookId: webhookId(index) } });
const keyed = (body: (index: number) => unknown): NumberedRequest => {
  return (index) => request({ method: 'POST', body: body(index), headers: { 'idempotency-key': randomUUID() } });
};

/** A request for each operation of the API that calls AWS, as most clients send it. */
export function requestsOf(receiverUrl: string): Readonly<Record<CallingOperation, NumberedRequest>> {
  const newUrl = { url: receiverUrl, description: 'Minutes of the board' };
  const { id: noticeId, createdAt } = world.sessionNotice(0);
  return {
    'list-transcriptions': of({}),
    'get-transcription': ofTranscription(),
    'create-transcription': keyed((index) => ({ recordingId: recordingId(count + index) })),
    'delete-transcription': from(30, ofTranscription({ method: 'DELETE' })),
    'bulk-delete-transcriptions': keyed((index) => ({ transcriptionIds: [transcriptionId(index)] })),
    'create-access-link': ofTranscription({ query: 'validForSeconds=3000' }),
    'follow-access-link': () => request({ params: { token: world.linkToken } }),
    'revoke-access-links': from(20, ofTranscription({ method: 'DELETE' })),
    'create-recording-link': () => request({ params: { transcriptionId: transcriptionId(0) } }),
    'correct-speaker': ofTranscription({ method: 'PUT', params: { speaker: 'Speaker 1' }, body: { participantId } }),
    'undo-speaker-correction': from(
      world.firstCorrected,
      ofTranscription({ method: 'DELETE', params: { speaker: 'Speaker 2' } }),
    ),
    'list-room-insights': of({}),
    'list-room-session-insights': of({ roomName: '/team/lists' }),
    'list-participants': of({ roomSessionId: uuid(0) }),
    'get-participant': of({ roomSessionId: session.roomSessionId, participantId }),
    'get-session-network': of({ roomSessionId: session.roomSessionId }),
    'list-usage': of({ from: '2024-12-31', to: '2024-12-31' }),
    'list-refused-events': of({}),
    'receive-hook': receivedHook,
    'list-webhooks': of({}),
    'get-webhook': ofWebhook(),
    'create-webhook': keyed(() => newUrl),
    'update-webhook': from(4, ofWebhook({ method: 'PATCH', body: { description: 'Another' } })),
    'delete-webhook': from(6, ofWebhook({ method: 'DELETE' })),
    'rotate-webhook-secret': (index) =>
      request({
        ...{ method: 'POST', params: { webhookId: webhookId(index) }, body: {} },
        headers: { 'idempotency-key': randomUUID() },
      }),
    'test-webhook': ofWebhook({ method: 'POST', body: {} }),
    'list-webhook-deliveries': () => request({ params: { webhookId: webhookId(0) } }),
    'replay-webhook': from(2, ofWebhook({ method: 'POST', body: { noticeId, createdAt } })),
    'list-notices': of({}),
  };
}

/** The start of a meeting, as Daily signs it. */
function receivedHook(index: number): HttpEvent {
  const time = String(Math.floor(Date.now() / 1000));
  const payload = { meeting_id: uuid(800_000 + index), room: 'standup', start_ts: Number(time) };
  const body = JSON.stringify({ type: 'meeting.started', payload });
  const hash = createHmac('sha256', Buffer.from(world.hookSecret, 'base64')).update(`${time}.${body}`).digest('base64');
  return request({
    ...{ method: 'POST', params: { connectionId: world.connectionId, proxy: 'daily' }, body },
    headers: { 'x-webhook-timestamp': time, 'x-webhook-signature': hash },
  });
}

/** A request whose cost differs from the usual one. The requests before it are sent first. */
export type Variant = {
  readonly before?: readonly (readonly [operation: CallingOperation, event: HttpEvent])[];
  readonly event: HttpEvent;
  readonly status: number;
};

/** Requests whose cost differs, by the operation and what is different. */
export function variantsOf(receiverUrl: string): Readonly<Record<string, Variant>> {
  const requests = requestsOf(receiverUrl);
  const create = requests['create-transcription'](40);
  const params = { transcriptionId: transcriptionId(40) };
  const hook = receivedHook(10);
  return {
    'create-transcription, repeated': { before: [['create-transcription', create]], event: create, status: 201 },
    'get-transcription, deleted': {
      before: [['delete-transcription', request({ method: 'DELETE', params })]],
      event: request({ params }),
      status: 404,
    },
    'get-transcription, without points': {
      event: request({ params, context: { [organizationClaim]: world.exhaustedId } }),
      status: 429,
    },
    'follow-access-link, unknown': { event: request({ params: { token: 'E'.repeat(43) } }), status: 404 },
    'receive-hook, wrong signature': {
      event: { ...hook, headers: { ...hook.headers, 'x-webhook-signature': 'none' } },
      status: 401,
    },
  };
}
