import type { SessionParticipant } from '../../../../client/types.ts';
import { shownName } from '../../../../shared/runtime/shown-name.ts';

type Field = 'joined' | 'left' | 'talk' | 'rating' | 'name';

/** The people whose name or id has the text, in an order `field:asc` or `field:desc`. Those without a value come last. */
export function peopleRows(
  people: readonly SessionParticipant[],
  { find, sort = 'joined:asc' }: { readonly find?: string | undefined; readonly sort?: string | undefined },
): readonly SessionParticipant[] {
  const wanted = find?.trim().toLocaleLowerCase() ?? '';
  const found =
    wanted === '' ? people : people.filter((person) => searched(person).some((text) => text.includes(wanted)));
  const [field, direction] = sort.split(':');
  const sortValue = Object.hasOwn(values, field ?? '') ? values[field as Field] : values.joined;
  return found.toSorted((one, other) => compare(sortValue(one), sortValue(other), direction === 'desc' ? -1 : 1));
}

function searched({ displayName, participantId, userId, externalId }: SessionParticipant): string[] {
  return [displayName, participantId, userId ?? '', externalId ?? ''].map((text) => text.toLocaleLowerCase());
}

type Value = string | number | null;

const values: Readonly<Record<Field, (person: SessionParticipant) => Value>> = {
  joined: ({ joinedAt }) => joinedAt,
  left: ({ leftAt }) => leftAt,
  talk: ({ spokenSeconds }) => spokenSeconds,
  rating: ({ rating }) => rating,
  name: ({ displayName }) => shownName(displayName).toLocaleLowerCase() || null,
};

function compare(one: Value, other: Value, sign: 1 | -1): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'string' && typeof other === 'string') return sign * one.localeCompare(other);
  return sign * (Number(one) - Number(other));
}

/** What somebody has said of the session. */
export function hasRated({ rating, comment, tags }: SessionParticipant): boolean {
  return rating !== null || comment !== null || tags.length > 0;
}
