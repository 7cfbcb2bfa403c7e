import { InvalidRequest } from '../runtime/errors.ts';
import type { NewEvent, Translation } from './platform.ts';

/** What the parts of a webhook mean, and how many of them cannot be read, if any. */
export type Parts = Pick<Translation, 'events' | 'unreadable'>;

/** Translates the parts of a webhook one by one, so that a part that cannot be read loses nothing but itself. */
export function translateParts<Part>(parts: readonly Part[], translateOne: (part: Part) => readonly NewEvent[]): Parts {
  let unreadable = 0;
  const events = parts.flatMap((part) => {
    try {
      return translateOne(part);
    } catch (error) {
      if (!(error instanceof InvalidRequest)) throw error;
      unreadable++;
      return [];
    }
  });
  return { events, unreadable: unreadable || undefined };
}
