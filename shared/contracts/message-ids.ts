import type * as z from 'zod/mini';
import type { Issue } from '../runtime/errors.ts';
import { Uuid } from './common/fields.ts';
import { OrganizationId } from './organization/organization.ts';

/** The ids of a message that may not fit any schema, as far as they can be read. Nothing else of it may be logged or stored. */
export type MessageIds = {
  readonly eventId?: string;
  readonly type?: string;
  readonly organizationId?: OrganizationId;
  readonly roomSessionId?: string;
  readonly recordingId?: string;
  readonly webhookId?: string;
};

/** A message of an organization that was refused, and why. A repeated receive has the same `messageId`, and a redrive another. */
export type Refusal = MessageIds & {
  readonly organizationId: OrganizationId;
  readonly messageId: string;
  /** When the message came into its queue. A worker that sends it back to the queue does not change that. */
  readonly sentAt: Date;
  /** How often SQS delivered the message, as far as SQS knows. A message that came before may be listed already. */
  readonly receives: number;
  readonly issues: readonly Issue[];
};

const maxIdLength = 128;
/** A type is words with dots, so a name or a sentence in its place is neither logged nor stored. */
const eventType = /^[a-z_]{1,32}(\.[a-z_]{1,32}){1,3}$/i;

/** Reads the ids of a message with any content. It cuts texts, and replaces characters that could forge or hide text. */
export function idsOf(body: string): MessageIds {
  const message = objectOf(parseJson(body));
  const data = objectOf(message.data);
  return {
    ...textOf('eventId', message.id, maxIdLength),
    ...(typeof message.type === 'string' && eventType.test(message.type) && { type: message.type }),
    ...validOf('organizationId', OrganizationId, message.organizationId),
    ...validOf('roomSessionId', Uuid, data.roomSessionId),
    ...validOf('recordingId', Uuid, data.recordingId),
    ...validOf('webhookId', Uuid, message.webhookId),
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function textOf<Name extends string>(name: Name, value: unknown, maxLength: number) {
  if (typeof value !== 'string' || value === '') return {};
  const text = value
    .slice(0, maxLength)
    .toWellFormed()
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');
  return { [name]: text } as { readonly [name in Name]: string };
}

function validOf<Name extends string, Schema extends z.ZodMiniType>(name: Name, schema: Schema, value: unknown) {
  const { success, data } = schema.safeParse(value);
  return success ? ({ [name]: data } as { readonly [name in Name]: z.output<Schema> }) : {};
}
