import { comparableName, shownName } from '../../shared/runtime/shown-name.ts';

type Named = { readonly participantId: string; readonly displayName: string };

/** The comparable names that only one of these people has. */
export function uniqueNames(people: readonly Named[]): ReadonlySet<string> {
  const owners = Map.groupBy(people, ({ displayName }) => comparableName(displayName));
  const unique = [...owners].filter(([, named]) => new Set(named.map((each) => each.participantId)).size === 1);
  return new Set(unique.map(([name]) => name));
}

/** The people, whose ids follow their names where several have a name that looks the same. */
export function withDistinctNames<Person extends Named>(people: readonly Person[]): readonly Person[] {
  const unique = uniqueNames(people);
  return people.map((person) => {
    const { displayName, participantId } = person;
    if (unique.has(comparableName(displayName))) return person;
    return { ...person, displayName: `${shownName(displayName)} (${participantId})`.trim() };
  });
}
