import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { v7 as newId } from 'uuid';
import { createHandler as createCreateWebhook } from '#functions/api/webhooks/create-webhook/handler.ts';
import { createHandler as createDeleteWebhook } from '#functions/api/webhooks/delete-webhook/handler.ts';
import { createHandler as createListWebhooks } from '#functions/api/webhooks/list-webhooks/handler.ts';
import { createHandler as createReplayWebhook } from '#functions/api/webhooks/replay-webhook/handler.ts';
import { createHandler as createRotate } from '#functions/api/webhooks/rotate-webhook-secret/handler.ts';
import { createHandler as createUpdateWebhook } from '#functions/api/webhooks/update-webhook/handler.ts';
import type { NoticeReplayMessage } from '#shared/contracts/messages.ts';
import type { Admission } from '#shared/http/admission.ts';
import type { RunOnce } from '#shared/http/idempotent.ts';
import { noticeFinder } from '#shared/storage/notices/notice-list.ts';
import { replayCeiling } from '#shared/storage/organization/ceilings.ts';
import { webhookCreation } from '#shared/storage/webhooks/creation.ts';
import { webhookLister } from '#shared/storage/webhooks/list.ts';
import { webhookRegistry } from '#shared/storage/webhooks/registry.ts';
import type { SendReplays, SendRuns } from '#shared/use-cases/webhooks/delivery-ports.ts';
import type { WebhookCaller } from '#shared/use-cases/webhooks/ports.ts';
import type { WorldResources } from '../resources.ts';

/** The secret of a world's stage, from which those of webhooks are derived. */
export const webhookStageSecret = 'secret of the stage';
/** The address of a world's API, which no webhook may have. */
const apiUrl = 'https://api.example';
/** The most webhooks of an organization of a world. */
export const webhooksPerOrganization = 3;

/** What the endpoints of webhooks share with other functions of their process. */
type Shared = {
  readonly documents: DynamoDBDocumentClient;
  readonly tables: WorldResources['tables'];
  readonly admission: Admission;
  readonly runOnce: RunOnce;
  readonly caller: WebhookCaller;
  readonly sendRuns: SendRuns;
  readonly sendReplays: SendReplays;
  readonly now: () => Date;
};

/** The endpoints of webhooks of one process, wired as in their index.ts. */
export function webhookFunctions(shared: Shared) {
  const { documents, tables, admission, runOnce, caller, sendRuns, sendReplays, now } = shared;
  const webhooks = webhookRegistry(documents, tables.webhooks);
  const stageSecret = { read: async () => webhookStageSecret };
  return {
    createWebhook: createCreateWebhook({
      creation: webhookCreation(documents, tables),
      ...{ caller, apiUrl, webhooksPerOrganization, newId, stageSecret, runOnce, admission, now },
    }),
    updateWebhook: createUpdateWebhook({
      ...{ webhooks, caller, apiUrl, admission, now },
      wake: (key) => sendRuns(key.organizationId, [key]),
    }),
    deleteWebhook: createDeleteWebhook({ webhooks, admission }),
    rotateWebhookSecret: createRotate({ webhooks, stageSecret, runOnce, admission, now }),
    replayWebhook: createReplayWebhook({
      webhooks,
      notices: noticeFinder(documents, tables.notices, () => now().getTime()),
      ceiling: replayCeiling(documents, tables.rateLimits, { replaysPerDay: 1_000, now: () => now().getTime() }),
      sendReplay: (message: NoticeReplayMessage) => sendReplays(message.organizationId, [message]),
      ...{ admission, now },
    }),
    listWebhooks: createListWebhooks({ listWebhooks: webhookLister(documents, tables.webhooks), admission, now }),
  };
}
