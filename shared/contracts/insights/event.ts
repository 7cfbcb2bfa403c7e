import * as z from 'zod/mini';
import { Timestamp, wellFormed } from '../common/fields.ts';
import { OrganizationId } from '../organization/organization.ts';

/** A text of 1 to `maxLength` UTF-16 units. */
export const text = (maxLength: number) =>
  z.string().check(z.minLength(1, 'must not be empty'), maxCharacters(maxLength), wellFormed);

/** Refuses text of more than `maxLength` UTF-16 units. */
export const maxCharacters = (maxLength: number) => z.maxLength(maxLength, `must be at most ${maxLength} characters`);

/** The envelope of an event that a platform sends, with the data of one event type. */
export const event = <Type extends string, Data extends z.ZodMiniType>(type: Type, data: Data) =>
  z.object({
    /** Chosen by the producer. A repeated delivery of the same event has the same id. */
    id: text(128),
    /** Version of the event format. Only version 1 exists, and it is the default. */
    version: z.optional(z.literal(1, 'must be 1: the event format has no other version')),
    type: z.literal(type, `must be ${type}`),
    organizationId: OrganizationId,
    /** When the event happened, not when it was sent. */
    createdAt: Timestamp,
    /** True for a guess of an adapter or an operator. It is never the platform's word. */
    inferred: z.optional(z.literal(true, 'must be true, or absent')),
    /** Why the event was inferred. */
    reason: z.optional(text(100)),
    data,
  });
