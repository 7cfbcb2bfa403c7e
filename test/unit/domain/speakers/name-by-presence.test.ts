import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Presence } from '#shared/domain/insights/presence.ts';
import { nameByPresence } from '#shared/domain/speakers/name-by-presence.ts';
import type { SpokenItem } from '#shared/domain/transcript/transcript.ts';
import type { ParticipantSpan } from '#shared/domain/transcript/voices.ts';
import { says, span } from '../../../support/meetings/spoken.ts';

const observed = (connections: readonly ParticipantSpan[], toleranceSeconds = 15): Presence => ({
  connections,
  isObserved: true,
  toleranceSeconds,
});
/** The named speakers and their participants. */
function named(items: readonly SpokenItem[], presence: Presence): Record<string, string> {
  const names = [...nameByPresence(items, presence)];
  return Object.fromEntries(names.flatMap(([speaker, name]) => (name ? [[speaker, name.participantId]] : [])));
}

describe('a speaker is named', () => {
  test('as the only one who was there', () => {
    const names = nameByPresence(says('s1', 20, 80), observed([span('ada', 0, 100)]));
    expect(names).toEqual(new Map([['s1', { participantId: 'ada', confidence: 1 }]]));
  });

  test('as the one who stayed when the other had left', () => {
    const items = [...says('s1', 20, 60), ...says('s2', 20, 60), ...says('s3', 130, 190)];
    expect(named(items, observed([span('ada', 0, 100), span('bo', 0, 200)]))).toEqual({ s3: 'bo' });
  });

  test('who came back alone, by several connections', () => {
    const items = [...says('s1', 30, 40), ...says('s2', 150, 160), ...says('s1', 260, 280)];
    const connections = [span('ada', 0, 100), span('ada', 240, 300), span('bo', 130, 200)];
    expect(named(items, observed(connections))).toEqual({ s1: 'ada', s2: 'bo' });
  });

  test('although the recognizer has confused one word in a hundred', () => {
    const items = [...says('s1', 20, 120), ...says('s1', 200, 201)];
    expect(named(items, observed([span('ada', 0, 300), span('bo', 180, 300)]))).toEqual({ s1: 'ada' });
  });
});

describe('nobody is named', () => {
  const alone = [span('ada', 0, 100)];

  test('if the session is not observed: somebody else may have been there', () => {
    expect(named(says('s1', 20, 80), { ...observed(alone), isObserved: false })).toEqual({});
  });

  test('if nobody was there, or nobody spoke', () => {
    expect(named(says('s1', 20, 80), observed([]))).toEqual({});
    expect(named([], observed(alone))).toEqual({});
  });

  test('if two people were there, also when only one of them stayed later', () => {
    const items = [...says('s1', 20, 90), ...says('s1', 130, 190)]; // the recognizer may have taken both for one
    expect(named(items, observed([span('ada', 0, 100), span('bo', 0, 200)]))).toEqual({});
  });

  test('by elimination: the other speaker may be the same person, whom the recognizer has split', () => {
    const items = [...says('s1', 20, 90), ...says('s2', 130, 190)];
    expect(named(items, observed([span('ada', 0, 100), span('bo', 0, 200)]))).toEqual({ s2: 'bo' });
  });

  test('if the other one had left for less than the tolerance of the clocks', () => {
    const connections = [span('ada', 0, 100), span('bo', 0, 200)];
    expect(named(says('s1', 110, 140), observed(connections))).toEqual({});
    expect(named(says('s1', 110, 140), observed(connections, 5))).toEqual({ s1: 'bo' });
  });

  test('if two people were at the only microphone', () => {
    expect(named([...says('s1', 20, 60), ...says('s2', 60, 80)], observed(alone))).toEqual({});
  });

  test('except the voice that said nearly everything at the only microphone', () => {
    expect(named([...says('s1', 20, 80), ...says('s2', 80, 82)], observed(alone))).toEqual({ s1: 'ada' });
  });
});

/** Words that people say while they are connected, which a recognizer labels at random, with clocks that differ. */
const history = fc
  .array(
    fc.record({
      person: fc.constantFrom('ada', 'bo', 'cy'),
      from: fc.nat(200),
      length: fc.integer({ min: 1, max: 200 }),
      words: fc.array(fc.record({ speaker: fc.constantFrom('s1', 's2', 's3'), at: fc.nat(100) }), { maxLength: 12 }),
    }),
    { maxLength: 6 },
  )
  .chain((stays) => fc.integer({ min: -15, max: 15 }).map((error) => ({ stays, error })));

test('any recognizer: at least 95 % of the words of a named speaker are those of the person', () => {
  fc.assert(
    fc.property(history, ({ stays, error }) => {
      const connections = stays.map(({ person, from, length }) => span(person, from + error, from + length + error));
      const said = stays.flatMap(({ person, from, length, words }) =>
        words.map(({ speaker, at }) => {
          const startSeconds = from + (at / 100) * (length - 0.5);
          return {
            person,
            item: { ...{ kind: 'word' as const, text: 'word', speaker }, startSeconds, endSeconds: startSeconds + 0.4 },
          };
        }),
      );
      const names = nameByPresence(
        said.map(({ item }) => item),
        observed(connections),
      );
      for (const [speaker, name] of names) {
        const own = said.filter(({ item }) => item.speaker === speaker);
        if (name)
          expect(own.filter(({ person }) => person === name.participantId).length).toBeGreaterThanOrEqual(
            0.95 * own.length,
          );
      }
    }),
    { numRuns: 1_000 },
  );
});
