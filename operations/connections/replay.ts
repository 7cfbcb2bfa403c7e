import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { HookMessage } from '#shared/contracts/messages.ts';
import { hooksFolder } from '#shared/domain/transcriptions/transcript-location.ts';
import { messageSender } from '#shared/queue/send.ts';
import type { Dependencies, Scope } from '../organization/scope.ts';
import { findConnection, type OnConnection } from './manage.ts';

/** The time in which webhooks arrived. Both ends are included. */
type Period = { readonly from?: Date | undefined; readonly to?: Date | undefined };

/**
 * Sends the pointers of a connection's stored webhooks to the translator again, in the order of their arrival. It can run twice: the same
 * webhook makes the same events. It lists the webhooks page by page, once to count them and once to send them.
 */
export async function replay(
  command: OnConnection & Period,
  scope: Scope,
  { terminal }: Dependencies,
): Promise<string> {
  const { connectionId, organizationId } = await findConnection(command, scope);
  const { sqs, queues } = scope.deployment;
  const prefix = hooksFolder({ organizationId, connectionId });
  const chosenOf = (keys: readonly string[]) => keys.filter((key) => isBetween(key.slice(prefix.length), command));
  let [stored, chosen, sent] = [0, 0, 0];
  for await (const keys of pagesBelow(prefix, scope)) {
    stored += keys.length;
    chosen += chosenOf(keys).length;
  }
  if (chosen === 0) return nothingSent(connectionId, stored);
  const messages = messageSender<HookMessage>(sqs, queues.platformHooks);
  for await (const keys of pagesBelow(prefix, scope)) {
    const pointers = chosenOf(keys).map((key) => ({ organizationId, connectionId, key }));
    await messages.send(organizationId, pointers, { group: connectionId });
    sent += pointers.length;
    terminal.show('Sending webhooks', sent, Math.max(sent, chosen)); // more can arrive meanwhile
  }
  terminal.end();
  return `Sent ${sent} of ${Math.max(sent, stored)} stored webhooks of ${connectionId} to be translated again.`;
}

async function* pagesBelow(Prefix: string, { deployment: { s3, buckets } }: Scope): AsyncGenerator<readonly string[]> {
  const pages = paginateListObjectsV2({ client: s3 }, { Bucket: buckets.transcripts, Prefix });
  for await (const { Contents = [] } of pages) yield Contents.flatMap(({ Key }) => Key ?? []);
}

function nothingSent(connectionId: string, stored: number): string {
  const kept = 'Bodies of webhooks are kept for some days (setting hookRetentionDays).';
  if (stored === 0) return `No webhook of ${connectionId} is stored. ${kept}`;
  return `None of the ${stored} stored webhooks of ${connectionId} arrived in this time. ${kept}`;
}

/** The name of a body begins with the time of its arrival, in the form of `toISOString`. */
function isBetween(name: string, { from, to }: Period): boolean {
  const arrivedAt = name.slice(0, new Date(0).toISOString().length);
  return (from === undefined || arrivedAt >= from.toISOString()) && (to === undefined || arrivedAt <= to.toISOString());
}
