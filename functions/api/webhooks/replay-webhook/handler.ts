import { webhookEndpoints } from '#shared/contracts/webhooks/webhook-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { type ReplayDependencies, replayWebhook } from '#shared/use-cases/webhooks/replay-webhook.ts';

type Deps = ReplayDependencies & { readonly admission: Admission };

/** POST /v1/webhooks/{webhookId}/replay: begins to deliver notices again. */
export const createHandler = ({ admission, ...deps }: Deps) =>
  endpoint(webhookEndpoints.replayWebhook, admission, async ({ organizationId, params: { webhookId }, body }) => {
    const replay = await replayWebhook(deps, { organizationId, webhookId }, body);
    return { body: replay, facts: { webhookId, replayId: replay.replayId } };
  });
