import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withDistinctNames } from '#shared/domain/transcript/distinct-names.ts';
import type { Voice } from '#shared/domain/transcript/speakers.ts';
import { comparableName, shownName } from '#shared/runtime/shown-name.ts';

/** Names that look alike, names with numbers, labels, and names that show nothing. */
const pieces = ['Ada', 'ada', 'A\u200bda', 'Ada\u00a0', 'Zoë', 'Zoe\u0308', ' (2)', ' (3)', ' (screen)', 'Speaker 1'];
const names = fc.array(fc.constantFrom(...pieces, 'SPEAKER 2', '\u3164', '👩', '\u200d', ' '), { maxLength: 3 });

const voices = fc
  .array(
    fc.record({
      displayName: names.map((parts) => parts.join('')),
      participantId: fc.constantFrom(null, 'p-1', 'p-2', 'p-3', 'p-4'),
      source: fc.constantFrom('track', 'presence', 'recognizer', 'corrected'),
    }),
    { maxLength: 8 },
  )
  .map((list) => list.map((facts, index): Voice => ({ speaker: `Speaker ${index + 1}`, confidence: 1, ...facts })));

/** Whoever has the voice: a participant, or everybody to whom persons gave one name, or nobody but the voice. */
const whose = ({ participantId, source, displayName, speaker }: Voice) =>
  participantId ?? (source === 'corrected' ? `named ${shownName(displayName)}` : `voice ${speaker}`);

describe('the names of any voices', () => {
  const everyPair = (check: (one: Voice, other: Voice, shown: readonly [string, string]) => void) =>
    fc.assert(
      fc.property(voices, (all) => {
        const shown = withDistinctNames(all).map(({ displayName }) => displayName);
        for (const [i, one] of all.entries())
          for (const [j, other] of all.entries()) if (i !== j) check(one, other, [shown[i] ?? '', shown[j] ?? '']);
      }),
      { numRuns: 1_000 },
    );

  test('are the same for nobody but one person', () => {
    everyPair((one, other, [name, otherName]) => {
      if (whose(one) !== whose(other)) expect(comparableName(name)).not.toBe(comparableName(otherName));
    });
  });

  test('are never the label of another voice, unless both are of one person', () => {
    everyPair((one, other, [name]) => {
      if (whose(one) !== whose(other)) expect(comparableName(name)).not.toBe(comparableName(other.speaker));
    });
  });

  test('are the shown names, with a number only where it tells somebody apart', () => {
    fc.assert(
      fc.property(voices, (all) => {
        for (const [index, { displayName }] of withDistinctNames(all).entries()) {
          const voice = all[index];
          const plain = (voice && shownName(voice.displayName)) || voice?.speaker;
          if (displayName === plain) continue;
          expect(displayName.replace(/ \(\d+\)$/, '')).toBe(plain);
          const taken = all.flatMap((each) => (each === voice ? [] : [each.displayName, each.speaker]));
          expect(taken.map(comparableName)).toContain(comparableName(plain ?? ''));
        }
      }),
    );
  });

  test('stay as they are when they are made distinct again, as in a file of corrected speakers', () => {
    fc.assert(
      fc.property(voices, (all) => {
        const once = withDistinctNames(all);
        expect(withDistinctNames(once)).toEqual(once);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('the name that a person wrote gets the number, and not the participant whom the evidence names', () => {
  const ofEvidence = { participantId: 'p-1', source: 'track', confidence: 1 } as const;
  const written = { participantId: null, source: 'corrected', confidence: 1 } as const;
  const all: Voice[] = [
    { speaker: 'Speaker 1', displayName: 'Ada', ...written },
    { speaker: 'Speaker 2', displayName: 'Ada', ...ofEvidence },
    { speaker: 'Speaker 3', displayName: 'Ada', ...written },
  ];
  expect(withDistinctNames(all).map(({ displayName }) => displayName)).toEqual(['Ada (2)', 'Ada', 'Ada (2)']);
});

test('a number makes no name that somebody else has, whoever comes first', () => {
  const all = ['Ada', 'ada', 'ADA (2)'].map((displayName, index): Voice => {
    const speaker = `Speaker ${index + 1}`;
    return { speaker, participantId: `p-${index}`, displayName, source: 'matched', confidence: 1 };
  });
  expect(withDistinctNames(all).map(({ displayName }) => displayName)).toEqual(['Ada', 'ada (3)', 'ADA (2)']);
});
