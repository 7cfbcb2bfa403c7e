import type { Connection } from '#shared/contracts/platforms/connection.ts';
import type { NewEvent } from '#shared/platforms/platform.ts';
import { platforms } from '#shared/platforms/platforms.ts';
import { storedHook } from '#shared/use-cases/platforms/receive-hook.ts';
import { hookMachine } from '../support/webhooks/hook-machine.ts';
import type { Target, Webhook } from './dialect.ts';

// Translates webhooks without the machine: the real signatures, use case and translators, over stores in memory. It is fast enough for
// thousands of meetings.

/** More than a webhook waits for what could decide which session it belongs to. */
const patienceMs = 120_000;

/** The events that webhooks of a connection become, in this order of arrival. Throws for a wrong signature. */
export async function eventsOf(
  connection: Connection,
  { url, secret }: Target,
  webhooks: readonly Webhook[],
): Promise<readonly NewEvent[]> {
  const platform = platforms[connection.platform];
  const machine = hookMachine(connection, { now: Date.now() });
  for (const { headers, query = '', body } of webhooks) {
    const request = { headers, rawQueryString: query, rawBody: Buffer.from(body), url };
    const isAuthentic = platform.isAuthentic(request, { ...secret, createdAt: connection.createdAt }, new Date());
    if (!isAuthentic) throw new Error(`The signature of ${body} is wrong.`);
    const { payload, digest } = storedHook(platform, connection, request, new Date());
    await machine.receive(payload, digest);
  }
  await machine.pass(patienceMs);
  return machine.events();
}
