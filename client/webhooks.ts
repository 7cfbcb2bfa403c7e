import type { Api, CallOptions } from './api.ts';
import { type List, listOf } from './list.ts';
import type { WriteOptions } from './transcriptions.ts';
import type {
  CreatedWebhook,
  CreateWebhook,
  Delivery,
  ListDeliveries,
  ListWebhooks,
  Replay,
  ReplayWebhook,
  RotatedSecret,
  UpdateWebhook,
  Webhook,
  WebhookTest,
} from './types.ts';

/** The options of a rotation. */
export type RotateOptions = WriteOptions & {
  /** For how long the service also signs with the previous secret. 0 ends it at once. Default: a day. */
  readonly previousValidForSeconds?: number | undefined;
};

/** The operations on webhooks, which are addresses that get notices. */
export class Webhooks {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** Creates a webhook. The answer has its secret, which is never shown again. */
  create(webhook: CreateWebhook, { idempotencyKey, ...options }: WriteOptions = {}): Promise<CreatedWebhook> {
    return this.#api.json('createWebhook', { body: webhook, idempotencyKey }, options);
  }

  /** Lists the webhooks of the organization, the oldest first. */
  list(query: ListWebhooks = {}, options: CallOptions = {}): List<Webhook> {
    return listOf(query, this.#api.pages('listWebhooks', options));
  }

  /** Returns a webhook: its address, and how its deliveries go. */
  get(webhookId: string, options: CallOptions = {}): Promise<Webhook> {
    return this.#api.json('getWebhook', { params: { webhookId } }, options);
  }

  /** Changes a webhook, or enables or disables it. What is left out stays. */
  update(webhookId: string, changes: UpdateWebhook, options: CallOptions = {}): Promise<Webhook> {
    return this.#api.json('updateWebhook', { params: { webhookId }, body: changes }, options);
  }

  /** Deletes a webhook. Its waiting deliveries end. Succeeds if it no longer exists. */
  async delete(webhookId: string, options: CallOptions = {}): Promise<void> {
    await this.#api.headers('deleteWebhook', { params: { webhookId } }, options);
  }

  /** Makes a new secret, which is never shown again. The service also signs with the previous one for a time. */
  rotateSecret(
    webhookId: string,
    { previousValidForSeconds, idempotencyKey, ...options }: RotateOptions = {},
  ): Promise<RotatedSecret> {
    const parts = { params: { webhookId }, body: { previousValidForSeconds }, idempotencyKey };
    return this.#api.json('rotateWebhookSecret', parts, options);
  }

  /** Calls the webhook once, now, and returns what came of it. A receiver that fails is an answer, not an error. */
  test(webhookId: string, options: CallOptions = {}): Promise<WebhookTest> {
    return this.#api.json('testWebhook', { params: { webhookId } }, options);
  }

  /** Lists the deliveries of a webhook, the latest notice first. */
  listDeliveries(webhookId: string, query: ListDeliveries = {}, options: CallOptions = {}): List<Delivery> {
    return listOf(query, this.#api.pages('listWebhookDeliveries', options, { webhookId }));
  }

  /**
   * Delivers one notice, or those of a period, to the webhook again. It happens in the background: `get` shows how far it has come. A webhook
   * has one replay at a time. A replay in progress can also be the one that this call has started, if its connection broke.
   */
  replay(webhookId: string, what: ReplayWebhook, options: CallOptions = {}): Promise<Replay> {
    return this.#api.json('replayWebhook', { params: { webhookId }, body: what }, options);
  }
}
