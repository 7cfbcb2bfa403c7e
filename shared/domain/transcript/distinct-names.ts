import { comparableName, shownName } from '#shared/runtime/shown-name.ts';
import type { Voice } from './speakers.ts';

/** Names of which each has one owner. Two names are the same if nobody can tell them apart. */
export class DistinctNames {
  /** What is compared of the names that somebody has. */
  private readonly real: ReadonlyMap<string, string>;
  private readonly taken: ReadonlySet<string>;
  private readonly owners = new Map<string, string>();
  /** The number after a name, for each owner of it, and the last one that was given. */
  private readonly numbers = new Map<string, number>();
  private readonly lastNumbers = new Map<string, number>();

  /** `real` are names that somebody has. No number makes one of them of another name. */
  constructor(real: Iterable<string> = []) {
    this.real = new Map(Array.from(new Set(real), (name) => [name, comparableName(name)]));
    this.taken = new Set(this.real.values());
  }

  /** The name for its owner: with a number after it, if somebody else has the name. */
  of(owner: string, name: string): string {
    const key = this.real.get(name) ?? comparableName(name);
    const own = JSON.stringify([owner, key]);
    const number = this.numbers.get(own) ?? this.freeNumber(owner, key);
    this.numbers.set(own, number);
    this.owners.set(numbered(key, number), owner);
    return numbered(name, number);
  }

  private freeNumber(owner: string, key: string): number {
    if ((this.owners.get(key) ?? owner) === owner) return 1;
    let number = this.lastNumbers.get(key) ?? 1;
    do number += 1;
    while (this.owners.has(numbered(key, number)) || this.taken.has(numbered(key, number)));
    this.lastNumbers.set(key, number);
    return number;
  }
}

function numbered(name: string, number: number): string {
  return number === 1 ? name : `${name} (${number})`;
}

type Named = Pick<Voice, 'speaker' | 'participantId' | 'displayName' | 'source'>;

/**
 * The voices with the names that every format and the API show. No two people have one name, and nobody has the label
 * of another voice. Of people with one name, those whom the evidence names keep it, then participants whom a person
 * chose, then names that a person wrote. Voices of one participant can share a name, and so can voices to which persons
 * gave the same name. Who has no visible name has the label.
 */
export function withDistinctNames<One extends Named>(voices: readonly One[]): One[] {
  const shown = voices.map((voice) => ({ voice, owner: ownerOf(voice), name: shownName(voice.displayName) }));
  const names = new DistinctNames(shown.map(({ name }) => name));
  for (const { voice, owner } of shown) names.of(owner, voice.speaker);
  const given = new Map(
    shown
      .toSorted((one, other) => rankOf(one.voice) - rankOf(other.voice))
      .map(({ voice, owner, name }) => [voice, names.of(owner, name || voice.speaker)]),
  );
  return voices.map((voice) => ({ ...voice, displayName: given.get(voice) ?? voice.speaker }));
}

/** Who a voice is: a participant, whom a person named, or else the voice alone. */
export function ownerOf({ participantId, source, displayName, speaker }: Named): string {
  if (participantId !== null) return JSON.stringify({ participantId });
  return JSON.stringify(source === 'corrected' ? { name: shownName(displayName) } : { speaker });
}

function rankOf({ participantId, source }: Named): number {
  if (source !== 'corrected') return 0;
  return participantId === null ? 2 : 1;
}
