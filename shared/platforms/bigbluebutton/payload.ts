import * as z from 'zod/mini';
import { InvalidRequest } from '#shared/runtime/errors.ts';
import { EpochMilliseconds, MaybeText, RequiredText } from '../payload-fields.ts';
import type { SignedRequest } from '../platform.ts';
import { fieldsOf } from './form.ts';

/** The events of a request. A form has them as JSON in one of its fields. Throws `InvalidRequest` if it has none, is no form, or repeats a field. */
export function readForm({ rawBody }: SignedRequest): unknown {
  const fields = fieldsOf(rawBody);
  if (!fields) throw new InvalidRequest([{ path: 'body', message: 'must be a form with no field twice' }]);
  try {
    return { events: JSON.parse(fields.get('event') ?? '') };
  } catch (cause) {
    throw new InvalidRequest([{ path: 'body.event', message: 'must be JSON' }], { cause });
  }
}

/** The stored form of a request. */
export const Payload = z.object({ events: z.array(z.unknown()) });

/** The type of an event. */
export const Named = z.object({ data: z.object({ id: z.string() }) });

const Meeting = z.object({ 'internal-meeting-id': RequiredText, 'external-meeting-id': RequiredText });
const User = z.object({
  'internal-user-id': RequiredText,
  ...{ 'external-user-id': MaybeText, name: MaybeText, role: MaybeText, 'user-agent': MaybeText },
});

/** An event of a meeting. */
export const MeetingEvent = z.object({
  data: z.object({ attributes: z.object({ meeting: Meeting }), event: z.object({ ts: EpochMilliseconds }) }),
});
export type Meeting = z.infer<typeof Meeting>;

/** An event of a user in a meeting. */
export const UserEvent = z.object({
  data: z.object({
    attributes: z.object({ meeting: Meeting, user: User }),
    event: z.object({ ts: EpochMilliseconds }),
  }),
});
