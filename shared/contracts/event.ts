import * as z from 'zod/mini';
import { Timestamp, wellFormed } from './fields.ts';
import { OrganizationId } from './organization.ts';

/** Text of 1 to `maxLength` UTF-16 units. */
export const text = (maxLength: number) =>
  z.string().check(z.minLength(1, 'must not be empty'), maxCharacters(maxLength), wellFormed);

/** Refuses text of more than `maxLength` UTF-16 units. */
export const maxCharacters = (maxLength: number) => z.maxLength(maxLength, `must be at most ${maxLength} characters`);

/** The envelope of everything that a platform sends, around the data of one type of event. */
export const event = <Type extends string, Data extends z.ZodMiniType>(type: Type, data: Data) =>
  z.object({
    /** The producer's own; the same event delivered twice carries the same id. */
    id: text(128),
    /** Of the event's form. There is one so far, and an event need not name it. */
    version: z.optional(z.literal(1, 'is not a version of events that this service knows')),
    type: z.literal(type, `must be ${type}`),
    organizationId: OrganizationId,
    /** When the thing happened, not when it was sent. */
    createdAt: Timestamp,
    data,
  });
