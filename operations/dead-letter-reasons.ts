import type { Message } from '@aws-sdk/client-sqs';
import type * as z from 'zod/mini';
import { parse } from '../shared/contracts/common/parse.ts';
import { RoomEvent } from '../shared/contracts/events.ts';
import { MeasuredEvent } from '../shared/contracts/insights/network-samples.ts';
import { idsOf } from '../shared/contracts/message-ids.ts';
import type { Issue } from '../shared/runtime/errors.ts';
import type { DeploymentQueues } from './dead-letters.ts';

/** The schemas of the queues that platforms send to. */
const schemas: Readonly<Record<string, z.ZodMiniType>> = { roomEvents: RoomEvent, networkSamples: MeasuredEvent };

/**
 * Why an event became a dead letter: the fields that its schema refuses, or else what the list of refused events says. Undefined
 * for a queue that has no events.
 */
export async function reasonOf(
  { refusedReasons }: DeploymentQueues,
  queue: string,
  { Body = '', MessageId: messageId = '', Attributes = {} }: Message,
): Promise<string | undefined> {
  const schema = schemas[queue];
  if (!schema) return undefined;
  const { organizationId } = idsOf(Body);
  const sentAt = new Date(Number(Attributes.SentTimestamp));
  const issues =
    issuesOf(schema, Body) ?? (organizationId && (await refusedReasons?.(organizationId, { sentAt, messageId })));
  return issues
    ? issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ')
    : 'its processing failed five times, or the reason is only in the log';
}

function issuesOf(schema: z.ZodMiniType, body: string): readonly Issue[] | undefined {
  try {
    const parsed = parse(schema, JSON.parse(body));
    return parsed.ok ? undefined : parsed.issues;
  } catch {
    return [{ path: '', message: 'must be JSON' }];
  }
}
