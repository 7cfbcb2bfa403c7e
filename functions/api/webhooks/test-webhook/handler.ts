import { webhookEndpoints } from '#shared/contracts/webhooks/webhook-endpoints.ts';
import type { Admission } from '#shared/http/admission.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { type TestDependencies, testWebhook } from '#shared/use-cases/webhooks/test-webhook.ts';

type Deps = TestDependencies & { readonly admission: Admission };

const definition = webhookEndpoints.testWebhook;

/** POST /v1/webhooks/{webhookId}/test: calls the webhook once, and returns what came of it. */
export const createHandler = ({ admission, ...deps }: Deps) =>
  endpoint(definition, admission, async ({ organizationId, params: { webhookId } }) => {
    const body = await testWebhook(deps, { organizationId, webhookId }, definition.operationId);
    const { succeeded, answerCode, latencyMs, failure } = body;
    const call = { succeeded, answerCode: answerCode ?? undefined, latencyMs: latencyMs ?? undefined };
    return { body, facts: { webhookId, ...call, failureCode: failure?.code } };
  });
