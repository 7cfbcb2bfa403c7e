import { noticeDays } from '#shared/contracts/notices/notice-version.ts';
import type { webhookEndpoints } from '#shared/contracts/webhooks/webhook-endpoints.ts';
import { testsPerMinute } from '#shared/contracts/webhooks/webhooks.ts';
import { deliveryFailure } from '#shared/domain/webhooks/delivery-failures.ts';
import type { OperationsTexts } from '../texts.ts';
import { exampleNotice } from './notice-texts.ts';
import { delivery, replay, secret, test, webhook } from './webhook-schemas.ts';

const { webhookId } = webhook;
const params = { webhookId: { description: 'Identifier of the webhook.', example: webhookId } };
const cursor = { description: 'The `cursor` of the previous page.' };
const limit = { description: 'Maximum number of elements in a page.', example: 50 };
const headers = {
  'idempotency-key': {
    description:
      'Your own key for this request, such as a new UUID. If you repeat a successful request within 24 hours with the ' +
      'same key and body, it gets the same answer, also the same secret, and does not run again. With another body, the answer is a 422.',
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
};
const notice = exampleNotice('transcription.finished');

/** The texts of the endpoints of webhooks and notices. */
export const webhookOperations: OperationsTexts<typeof webhookEndpoints> = {
  createWebhook: {
    summary: 'Create a webhook',
    description:
      'Notices that are made from now on are sent to the address, each signed as Standard Webhooks say. Only this answer has the ' +
      'secret. An organization can have 20 webhooks, unless the deployment sets another number.',
    errors: ['too_many_webhooks'],
    headers,
    body: {
      description: 'The address, and what it gets.',
      examples: {
        some: {
          summary: 'Some types',
          value: { url: webhook.url, types: ['transcription.finished', 'transcription.failed'] },
        },
        all: { summary: 'All types', value: { url: webhook.url } },
      },
    },
    success: {
      description: 'The webhook, with its secret.',
      headers: { location: { description: 'Path of the webhook.', example: `/v1/webhooks/${webhookId}` } },
      examples: { created: { summary: 'Created', value: { ...webhook, secret } } },
    },
  },
  listWebhooks: {
    summary: 'List webhooks',
    description: "The organization's webhooks, the oldest first, without their secrets.",
    errors: [],
    query: { cursor, limit },
    success: {
      description: 'One page.',
      examples: { lastPage: { summary: 'The only page', value: { results: [webhook], cursor: null } } },
    },
  },
  getWebhook: {
    summary: 'Get a webhook',
    description: 'The webhook as it is now, without its secret: whether it fails, and how far a replay has come.',
    errors: ['webhook_not_found'],
    params,
    success: {
      description: 'The webhook.',
      examples: {
        healthy: { summary: 'Its last delivery succeeded', value: webhook },
        failing: {
          summary: 'Its deliveries wait, because the last ones failed',
          value: { ...webhook, failingSince: '2026-03-02T09:32:10.000Z', parkedUntil: '2026-03-02T09:37:00.000Z' },
        },
      },
    },
  },
  updateWebhook: {
    summary: 'Change a webhook',
    description:
      'Changes what the body names. With `state: enabled` or another `url`, earlier failures are forgotten, and deliveries that waited go ' +
      'on. Deliveries that failed do not: replay them.',
    errors: ['webhook_not_found'],
    params,
    body: {
      description: 'What to change.',
      examples: {
        enable: { summary: 'Enable it', value: { state: 'enabled' } },
        allTypes: { summary: 'Send all types', value: { types: null } },
      },
    },
    success: {
      description: 'The webhook after the change.',
      examples: { changed: { summary: 'Changed', value: { ...webhook, types: null } } },
    },
  },
  deleteWebhook: {
    summary: 'Delete a webhook',
    description:
      'Nothing is sent to it any more, except by a call that is under way. Its deliveries can no longer be listed. The answer is the same ' +
      'if there is no such webhook.',
    errors: [],
    params,
    success: { description: 'There is no such webhook any more.' },
  },
  rotateWebhookSecret: {
    summary: 'Rotate the secret of a webhook',
    description:
      'Gives the webhook a new secret, which only this answer has. For a time, notices are signed with both secrets, so that a receiver can ' +
      'change from one to the other. A rotation during that time ends the older of both at once.',
    errors: ['webhook_not_found'],
    params,
    headers,
    body: {
      description: 'How long the secret until now stays valid.',
      examples: {
        usual: { summary: 'A day', value: {} },
        exposed: { summary: 'The secret until now was exposed', value: { previousValidForSeconds: 0 } },
      },
    },
    success: {
      description: 'The new secret.',
      examples: {
        rotated: { summary: 'Rotated', value: { secret, previousSecretExpiresAt: '2026-03-03T08:00:00.000Z' } },
      },
    },
  },
  testWebhook: {
    summary: 'Test a webhook',
    description:
      'Calls the webhook once with a signed body of the type `webhook.test`, and returns what came of it. The test is not stored and not ' +
      `repeated, and its failure does not count. An organization can test its webhooks ${testsPerMinute} times a minute; after that, the answer is a 429 ` +
      '`rate_limited` whose `retry-after` is about that and not about points.',
    errors: ['webhook_not_found', 'webhook_is_disabled'],
    params,
    success: {
      description: 'What came of it: the call was made, and `succeeded` tells whether the receiver took it.',
      examples: {
        succeeded: { summary: 'The receiver took it', value: test },
        failed: {
          summary: 'The receiver did not take it',
          value: {
            ...{ ...test, succeeded: false, answerCode: 500 },
            failure: deliveryFailure('answer_not_2xx'),
          },
        },
      },
    },
  },
  listWebhookDeliveries: {
    summary: 'List the deliveries of a webhook',
    description: `The notices that were to be sent to the webhook in the last ${noticeDays} days, the latest first, each with its last attempt and the time of the next.`,
    errors: ['webhook_not_found'],
    params,
    query: { cursor, limit },
    success: {
      description: 'One page.',
      examples: {
        lastPage: { summary: 'The only page', value: { results: [delivery], cursor: null } },
        waiting: {
          summary: 'A delivery that is tried again',
          value: {
            results: [
              {
                ...{ ...delivery, state: 'waiting', attempts: 1, answerCode: 503, failureCode: 'answer_not_2xx' },
                nextAttemptAt: '2026-03-02T09:32:22.000Z',
              },
            ],
            cursor: null,
          },
        },
      },
    },
  },
  replayWebhook: {
    summary: 'Replay notices to a webhook',
    description:
      'Sends one notice again, or all notices of a period that the webhook would get today, whether they were delivered or not. The replay ' +
      'continues after the answer: `replay` of the webhook tells how far it has come. One replay of a webhook runs at a time, and an ' +
      'organization can start only some replays of periods in a day.',
    errors: ['webhook_not_found', 'notice_not_found', 'webhook_is_disabled', 'replay_in_progress', 'too_many_replays'],
    params,
    body: {
      description: 'Either `noticeId` and `createdAt`, or `from` and perhaps `to`.',
      examples: {
        notice: { summary: 'One notice', value: { noticeId: notice.id, createdAt: notice.createdAt } },
        period: { summary: 'A period', value: { from: replay.from, to: replay.to } },
      },
    },
    success: { description: 'Started.', examples: { started: { summary: 'A period', value: replay } } },
  },
  listNotices: {
    summary: 'List notices',
    description:
      `The organization's notices of the last ${noticeDays} days, the oldest first. They are listed whether or not there are webhooks. A notice can be ` +
      'listed some seconds after others with a later `createdAt`, so whoever follows the list asks from a minute before the last one that ' +
      'it knows, and leaves out the ids that it knows. In CSV, a column is empty for types that do not have it.',
    errors: [],
    query: {
      from: { description: 'Only notices that were made at this time or later.' },
      to: { description: 'Only notices that were made before this time.' },
      cursor: { description: 'The `cursor` of the previous page, with the same `from` and `to`.' },
      limit,
    },
    success: {
      description: 'One page.',
      examples: { lastPage: { summary: 'The only page', value: { results: [notice], cursor: null } } },
    },
  },
};
