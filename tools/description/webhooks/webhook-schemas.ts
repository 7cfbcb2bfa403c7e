import { noticeDays, noticeVersion } from '#shared/contracts/notices/notice-version.ts';
import { NoticePage } from '#shared/contracts/notices.ts';
import {
  Attempt,
  CreatedWebhook,
  CreateWebhook,
  Delivery,
  DeliveryPage,
  Replay,
  ReplayWebhook,
  RotatedSecret,
  RotateWebhookSecret,
  TestNotice,
  UpdateWebhook,
  Webhook,
  WebhookPage,
  WebhookTest,
} from '#shared/contracts/webhooks/webhooks.ts';
import { deliveryFailure } from '#shared/domain/webhooks/delivery-failures.ts';
import { described } from '../texts.ts';
import { exampleNotice, noticeFields, noticeResponses } from './notice-texts.ts';

/** The webhook of the examples. */
export const webhook: Webhook = {
  webhookId: '01936f2e-7c1a-7b3e-9d52-3f0a6b8c4d5e',
  url: 'https://hooks.example.com/roomscribe',
  types: ['transcription.finished', 'transcription.failed'],
  description: 'Minutes of the board',
  signature: 'standard',
  state: 'enabled',
  disabledBy: null,
  createdAt: '2026-03-02T08:00:00.000Z',
  failingSince: null,
  parkedUntil: null,
  previousSecretExpiresAt: null,
  replay: null,
};
/** The secret of the examples: the bytes 0 to 31. */
export const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const notice = exampleNotice('transcription.finished');

/** The replay of the examples. */
export const replay: Replay = {
  replayId: '0b8d7c1e-5f2a-4d36-8e19-7a4c3b2d1f60',
  state: 'running',
  from: '2026-03-01T00:00:00.000Z',
  to: '2026-03-02T00:00:00.000Z',
  noticeId: null,
  startedAt: '2026-03-02T10:00:00.000Z',
  updatedAt: '2026-03-02T10:00:00.000Z',
  planned: 0,
};

/** The delivery of the examples. */
export const delivery: Delivery = {
  noticeId: notice.id,
  type: notice.type,
  createdAt: notice.createdAt,
  state: 'delivered',
  attempts: 2,
  lastAttemptAt: '2026-03-02T09:32:16.020Z',
  answerCode: 204,
  latencyMs: 118,
  failureCode: null,
  nextAttemptAt: null,
  replayed: false,
};

/** The test of the examples. */
export const test: WebhookTest = {
  webhookId: webhook.webhookId,
  testedAt: '2026-03-02T08:00:05.000Z',
  succeeded: true,
  answerCode: 204,
  latencyMs: 131,
  failure: null,
};

const url =
  'Address that notices are sent to, with `https` and a public host. It has no user name, no password and no fragment, and redirects are not followed.';
const signature =
  '`standard`: the headers of Standard Webhooks. `whereby`: also `whereby-signature`, for a receiver that was written for Whereby.';
const description = 'Your own words, at most 256 bytes of UTF-8. Do not put secrets here.';
const previousSecretExpiresAt =
  'Until when notices are also signed with the secret before the last rotation. `null` if they are not.';
const attemptFields = {
  succeeded: 'Whether the receiver answered with a 2xx.',
  answerCode: 'Status of the answer; `null` without an answer.',
  latencyMs: 'Milliseconds until the end of the answer; `null` if no connection was made.',
  failure: 'Why the attempt failed; `null` if it succeeded.',
};
const pageCursor = 'Position of the next page: send it as `cursor`. `null` on the last page.';

const webhookFields = {
  webhookId: 'Identifier of the webhook.',
  url: 'Address that notices are sent to.',
  types: 'The types of notices that it gets. `null`: all, also those that later versions add.',
  description: 'Your own words.',
  signature,
  state: 'A disabled webhook gets nothing.',
  disabledBy:
    'Who disabled it: its `owner` by this API, or the `service` after days without a successful delivery. `null` while it is enabled.',
  createdAt: 'When it was created. It gets notices that are made from then on.',
  failingSince: 'Since when no delivery has succeeded, although some were tried. `null` if the last one did.',
  parkedUntil: 'Until when deliveries wait, because the last ones failed. `null` if they do not.',
  previousSecretExpiresAt,
  replay: 'The last replay. `null` if there was none.',
};

/** The request schemas of the endpoints of webhooks. */
export const webhookRequests = {
  CreateWebhook: described(CreateWebhook, {
    description: 'Where to send notices, and which.',
    fields: {
      url,
      types: 'The types of notices to send. Without it: all, also those that later versions add.',
      description,
      signature,
    },
    example: { url: webhook.url, types: webhook.types ?? [], description: webhook.description, signature: 'standard' },
  }),
  UpdateWebhook: described(UpdateWebhook, {
    description: 'What to change: at least one field. What is left out stays as it is.',
    fields: {
      url,
      types: 'The types of notices to send from now on. `null`: all.',
      description,
      signature,
      state:
        '`enabled` forgets earlier failures, and lets deliveries that waited go on. `disabled` stops all deliveries.',
    },
    example: {
      url: webhook.url,
      types: null,
      description: webhook.description,
      signature: 'whereby',
      state: 'enabled',
    },
  }),
  RotateWebhookSecret: described(RotateWebhookSecret, {
    description: 'How long the secret until now stays valid.',
    fields: {
      previousValidForSeconds:
        'Seconds for which notices are also signed with the secret until now. 0: it ends at once, for example because it was exposed.',
    },
    example: { previousValidForSeconds: 86_400 },
  }),
  ReplayWebhook: described(ReplayWebhook, {
    description:
      'What to deliver again: the notice of `noticeId` and `createdAt`, or those of the period of `from` and `to`.',
    fields: {
      noticeId: 'Identifier of the notice.',
      createdAt: 'Its `createdAt`, which notices, deliveries and webhooks have beside its id.',
      from: `Start of the period, at most ${noticeDays} days ago.`,
      to: 'End of the period, which is not included. Default: now.',
    },
    example: {
      noticeId: notice.id,
      createdAt: notice.createdAt,
      from: replay.from,
      to: replay.to,
    },
  }),
};

/** The response schemas of the endpoints of webhooks and notices. */
export const webhookResponses = {
  Webhook: described(Webhook, {
    description: 'An address that notices are sent to.',
    fields: webhookFields,
    example: { ...webhook, replay },
  }),
  CreatedWebhook: described(CreatedWebhook, {
    description: 'A webhook that was just created, with its secret.',
    fields: {
      ...webhookFields,
      secret: 'The secret by which a receiver verifies signatures. Store it now: no other answer has it.',
    },
    example: { ...webhook, secret },
  }),
  WebhookPage: described(WebhookPage, {
    description: 'One page of the webhooks.',
    fields: { results: 'The webhooks of this page, the oldest first.', cursor: pageCursor },
    example: { results: [webhook], cursor: null },
  }),
  RotatedSecret: described(RotatedSecret, {
    description: 'The new secret of a webhook.',
    fields: {
      secret: 'The new secret. Store it now: no other answer has it.',
      previousSecretExpiresAt: 'Until when notices are also signed with the secret before. `null`: no longer.',
    },
    example: { secret, previousSecretExpiresAt: '2026-03-03T08:00:00.000Z' },
  }),
  // openapi-generator for Java writes a class `WebhookTest` itself: the test of `Webhook`.
  WebhookTestResult: described(WebhookTest, {
    description: 'What came of a test.',
    fields: { webhookId: webhookFields.webhookId, testedAt: 'When the test was made.', ...attemptFields },
    example: test,
  }),
  AttemptFailure: described(Attempt.shape.failure.def.innerType, {
    description: 'Why a call of a webhook failed.',
    fields: {
      code:
        'Stable code to branch on. `answer_not_2xx`: the receiver answered with another status. `redirect`: it answered with a 3xx, which is ' +
        'not followed. `timeout`: it did not answer within 10 seconds. `answer_too_large`: its answer is over 64 KB. `connection_failed`, ' +
        '`tls_failed`, `host_not_found`: no connection was made, or it broke. `address_not_public`: the host has an address that is not called. ' +
        '`webhook_disabled`: the webhook was disabled before. `notice_gone`: the notice has expired.',
      message: 'A sentence that says what to do next.',
    },
    example: deliveryFailure('answer_not_2xx'),
  }),
  Delivery: described(Delivery, {
    description: 'One notice for one webhook, and what came of the last attempt.',
    fields: {
      noticeId: 'Identifier of the notice, and the `webhook-id` of each attempt.',
      type: 'Type of the notice.',
      createdAt: 'When the notice was made.',
      state:
        '`waiting`: not delivered yet. `delivered`: the receiver answered with a 2xx. `failed`: given up. It can be replayed.',
      attempts: 'Number of calls so far, or since the last replay.',
      lastAttemptAt: 'When the last call was made; `null` before the first.',
      answerCode: 'Status of the last answer; `null` without an answer.',
      latencyMs: 'Milliseconds until the end of the last answer; `null` if no connection was made.',
      failureCode: 'Why the last call failed: a code of an `AttemptFailure`. `null` if it did not.',
      nextAttemptAt: 'When the next call is due; `null` unless the delivery waits.',
      replayed: 'Whether a replay has sent it again.',
    },
    example: delivery,
  }),
  DeliveryPage: described(DeliveryPage, {
    description: 'One page of the deliveries of a webhook.',
    fields: { results: 'The deliveries of this page, the latest notice first.', cursor: pageCursor },
    example: { results: [delivery], cursor: null },
  }),
  Replay: described(Replay, {
    description: 'A replay of notices to one webhook, and how far it has come.',
    fields: {
      replayId: 'Identifier of the replay.',
      state: '`running`; `finished`: all its deliveries are planned; `failed`: it could not go on. Start it again.',
      from: 'Start of the period. For one notice: its `createdAt`.',
      to: 'End of the period, which is not included. For one notice: a millisecond later.',
      noticeId: 'Identifier of the one notice; `null` for a period.',
      startedAt: 'When it was started.',
      updatedAt: 'When it has last made progress. After an hour without any, another replay can take its place.',
      planned: 'Number of deliveries that it has planned so far.',
    },
    example: replay,
  }),
  ...noticeResponses,
  NoticePage: described(NoticePage, {
    description: 'One page of the notices.',
    fields: { results: 'The notices of this page, the oldest first.', cursor: pageCursor },
    example: { results: [notice], cursor: null },
  }),
  TestNotice: described(TestNotice, {
    description: 'The body of a test. It is signed as a notice is, and it is in no list.',
    fields: { ...noticeFields, data: 'The webhook.' },
    example: {
      id: 'ntc_test_Qm3kX8vN2pLr5tYw7zBcDe',
      apiVersion: noticeVersion,
      createdAt: test.testedAt,
      type: 'webhook.test',
      data: { webhookId: webhook.webhookId },
    },
  }),
};
