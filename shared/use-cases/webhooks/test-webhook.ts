import { randomBytes } from 'node:crypto';
import { noticeVersion } from '#shared/contracts/notices/notice-version.ts';
import type { Allowance } from '#shared/contracts/organization/rate-limit.ts';
import {
  type TestNotice,
  testIdPrefix,
  testsPerMinute,
  testType,
  type WebhookTest,
} from '#shared/contracts/webhooks/webhooks.ts';
import type { WebhookKey } from '#shared/domain/webhooks/webhook.ts';
import { webhookCallOf } from '#shared/domain/webhooks/webhook-signature.ts';
import { TooManyTests, WebhookIsDisabled, WebhookNotFound } from '#shared/runtime/errors.ts';
import type { StageSecretReader, WebhookCaller, WebhookStore } from './ports.ts';

/** What `testWebhook` needs. Tests replace the clock. */
export type TestDependencies = {
  readonly webhooks: Pick<WebhookStore, 'find'>;
  readonly stageSecret: StageSecretReader;
  readonly caller: Pick<WebhookCaller, 'call'>;
  /** Counts the tests of each organization in a minute. All its webhooks share the count, so that another webhook or address renews nothing. */
  readonly tests: { count(operationId: string, key: string, perMinute: number): Promise<Allowance> };
  readonly now?: () => Date;
};

/**
 * Calls a webhook once, as a delivery would, and tells what came of it. Nothing is stored: a test is no notice, and its failure does not
 * count. Throws `WebhookNotFound`, `WebhookIsDisabled`, and `TooManyTests` if the organization has made too many in
 * this minute, of whichever webhooks.
 */
export async function testWebhook(
  { webhooks, stageSecret, caller, tests, now = () => new Date() }: TestDependencies,
  key: WebhookKey,
  operationId: string,
): Promise<WebhookTest> {
  const webhook = await webhooks.find(key);
  if (!webhook) throw new WebhookNotFound();
  if (webhook.state === 'disabled') throw new WebhookIsDisabled();
  const allowance = await tests.count(operationId, key.organizationId, testsPerMinute);
  if (allowance.isExceeded) throw new TooManyTests(allowance);
  const at = now();
  const call = webhookCallOf(webhook, testNoticeOf(key.webhookId, at), await stageSecret.read(), at);
  const { retryAfterSeconds: _, ...attempt } = await caller.call(call);
  return { webhookId: key.webhookId, testedAt: at.toISOString(), ...attempt };
}

function testNoticeOf(webhookId: string, now: Date): TestNotice {
  return {
    id: `${testIdPrefix}${randomBytes(17).toString('base64url').slice(0, 22)}`,
    apiVersion: noticeVersion,
    createdAt: now.toISOString(),
    type: testType,
    data: { webhookId },
  };
}
