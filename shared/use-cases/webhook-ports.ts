import type { Attempt } from '../contracts/webhooks.ts';

/** One call of a webhook. */
export type WebhookCall = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What came of a call, and how long the receiver asked to wait before the next one. */
export type WebhookAnswer = Attempt & { readonly retryAfterSeconds?: number | undefined };

/** Calls the addresses of webhooks. */
export type WebhookCaller = {
  /** Why an address may not be called; undefined if it may. It continues the sentence `url …`. An address may still turn out to be refused when it is called. */
  refusalOf(url: string): string | undefined;
  /** Calls an address once, for ten seconds at most. Never throws for what the receiver does. */
  call(call: WebhookCall): Promise<WebhookAnswer>;
};

/** The secret of the stage, from which those of webhooks are derived. */
export type StageSecretReader = { read(): Promise<string> };
