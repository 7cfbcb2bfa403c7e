import type { Connection } from '../contracts/platforms/connection.ts';
import { eventIdOf } from './ids.ts';
import type { NewEvent } from './platform.ts';

/** An event whose id follows from its platform, its type and what tells it from others, so that a repeated webhook makes the same event. */
export function newEvent(
  { organizationId, platform }: Connection,
  type: NewEvent['type'],
  createdAt: string,
  data: object,
  ...parts: readonly string[]
): NewEvent {
  return { id: eventIdOf(platform, type, ...parts), type, organizationId, createdAt, data } as NewEvent;
}
