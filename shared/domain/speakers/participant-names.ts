import type { Turn } from '#shared/contracts/transcriptions/transcript-document.ts';
import { comparableName, shownName } from '#shared/runtime/shown-name.ts';
import type { PersonStay } from '../insights/session/session-people.ts';
import { DistinctNames } from '../transcript/distinct-names.ts';
import type { Voice } from '../transcript/speakers.ts';

/**
 * Returns the function that names the participant who is a speaker, as the participant was called during the turns of the speaker. A name
 * that two participants have gets a number, and a telephone number is masked. Undefined if nobody has told a name.
 */
export function namesOf(
  stays: readonly PersonStay[],
  turns: readonly Turn[],
): (participantId: string, speaker: string) => string | undefined {
  const staysOf = Map.groupBy(stays, ({ participantId }) => participantId);
  const turnsOf = Map.groupBy(turns, ({ speaker }) => speaker);
  const names = new DistinctNames(stays.map(({ displayName }) => displayName));
  return (participantId, speaker) => {
    const known = nameDuring(staysOf.get(participantId) ?? [], turnsOf.get(speaker) ?? []);
    return known === '' ? undefined : names.of(participantId, maskedNumber(known));
  };
}

/** The name that a participant had during most of these turns, or else at the last join. Empty if nobody has told a name. */
function nameDuring(stays: readonly PersonStay[], turns: readonly Turn[]): string {
  const seconds = new Map<string, number>();
  for (const { displayName, from, to } of stays) {
    const name = shownName(displayName);
    if (name === '') continue;
    const shared = turns.reduce(
      (sum, turn) => sum + Math.max(0, Math.min(to, turn.endSeconds) - Math.max(from, turn.startSeconds)),
      0,
    );
    seconds.set(name, (seconds.get(name) ?? 0) + shared);
  }
  const longest = Math.max(...seconds.values());
  return [...seconds].findLast(([, shared]) => shared === longest)?.[0] ?? '';
}

/** The name of somebody at the last join that told one, masked if it is a telephone number. Empty if none did. */
export function latestNameOf(stays: readonly PersonStay[]): string {
  return maskedNumber(nameDuring(stays, []));
}

/**
 * The name of a participant in a transcript of these voices: `name`, or the name with a number if another participant has it. A
 * number that the participant has there stays.
 */
export function nameAmong(
  voices: readonly Pick<Voice, 'participantId' | 'displayName' | 'source'>[],
  participantId: string,
  name: string,
): string {
  const named = voices.map((voice) => ({ ...voice, key: comparableName(bareName(voice)) }));
  const others = named.filter((voice) => voice.participantId !== null && voice.participantId !== participantId);
  const taken = new Set(others.map(({ key }) => key));
  const own = named.find((voice) => voice.participantId === participantId && !taken.has(voice.key));
  if (own && taken.has(comparableName(name))) return bareName(own);
  const names = new DistinctNames();
  for (const voice of others) names.of(voice.participantId ?? '', bareName(voice));
  return names.of(participantId, name);
}

/** The name of the participant whose microphone, screen or channel a voice is. */
function bareName({ displayName, source }: Pick<Voice, 'displayName' | 'source'>): string {
  const isTrack = source === 'track' || source === 'channel';
  return isTrack ? displayName.replace(/, speaker \d+$/, '').replace(/ \(screen\)$/, '') : displayName;
}

/** At least this many digits are a telephone number, if there are no letters. ITU-T E.164 has at most 15. */
const fewestDigits = 7;
const shownDigits = 2;

/** Masks a name that is a telephone number, as dial-in gateways send it: all digits but the last two. Others stay as they are. */
export function maskedNumber(name: string): string {
  const plain = name.normalize('NFKC'); // its digits and signs have one width
  let left = plain.match(/\p{Nd}/gu)?.length ?? 0;
  if (left < fewestDigits || !/^(?:tel:)?[+\p{Nd}\s().\p{Pd}/]+$/iu.test(plain)) return name;
  return plain.replace(/\p{Nd}/gu, (digit) => (left-- > shownDigits ? '•' : digit));
}
