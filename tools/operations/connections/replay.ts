import { paginateListObjectsV2 } from '@aws-sdk/client-s3';
import type { HookMessage } from '../../../shared/contracts/messages.ts';
import { hooksFolder } from '../../../shared/domain/transcript-location.ts';
import { messageSender } from '../../../shared/queue/send.ts';
import type { Dependencies, Scope } from '../organization/scope.ts';
import type { CommandOf } from './command.ts';
import { findConnection } from './manage.ts';

/**
 * Sends the pointers of a connection's stored webhooks to the translator again, in the order of their arrival. It can run twice: the same
 * webhook makes the same events.
 */
export async function replay(command: CommandOf<'replay'>, scope: Scope, { terminal }: Dependencies): Promise<string> {
  const { connectionId, organizationId } = await findConnection(command, scope);
  const { s3, sqs, buckets, queues } = scope.deployment;
  const prefix = hooksFolder({ organizationId, connectionId });
  const messages = messageSender<HookMessage>(sqs, queues.platformHooks);
  let [sent, seen] = [0, 0];
  for await (const { Contents = [] } of paginateListObjectsV2(
    { client: s3 },
    { Bucket: buckets.transcripts, Prefix: prefix },
  )) {
    const keys = Contents.flatMap(({ Key }) => Key ?? []);
    const chosen = keys.filter((key) => isBetween(key.slice(prefix.length), command));
    const pointers = chosen.map((key) => ({ organizationId, connectionId, key }));
    await messages.send(organizationId, pointers, { group: connectionId });
    sent += chosen.length;
    seen += keys.length;
    terminal.show('Sending webhooks', sent, seen);
  }
  terminal.end();
  if (sent > 0) return `Sent ${sent} of ${seen} stored webhooks of ${connectionId} to be translated again.`;
  const kept = 'Bodies of webhooks are kept for some days (setting hookRetentionDays).';
  return `No stored webhook of ${connectionId} arrived in this time, of ${seen} that are stored. ${kept}`;
}

/** The name of a body begins with the time of its arrival, in the form of `toISOString`. Both ends are included. */
function isBetween(name: string, { from, to }: CommandOf<'replay'>): boolean {
  const arrivedAt = name.slice(0, new Date(0).toISOString().length);
  return (from === undefined || arrivedAt >= from.toISOString()) && (to === undefined || arrivedAt <= to.toISOString());
}
