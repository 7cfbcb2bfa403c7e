import { expect, test } from 'vitest';
import type { Presence } from '#shared/domain/insights/presence.ts';
import { nameSpeakers } from '#shared/domain/speakers/name-speakers.ts';
import type { SpokenItem } from '#shared/domain/transcript/transcript.ts';
import type { ParticipantSpan } from '#shared/domain/transcript/voices.ts';
import { says, span } from '../../../support/meetings/spoken.ts';

const observed = (...connections: ParticipantSpan[]): Presence => ({
  ...{ connections, isObserved: true, toleranceSeconds: 15 },
});
/** Ada and Bo take turns of many lengths from a second on. */
const lengths = [11, 7, 3, 17, 6, 2, 21, 9, 4, 20, 5, 12, 17, 3];
function talk(from: number): { items: SpokenItem[]; feed: ParticipantSpan[] } {
  let time = from;
  const turns = lengths.map((length, index) => {
    const start = time;
    time += length + 1;
    return { isAda: index % 2 === 0, from: start, to: start + length };
  });
  return {
    items: turns.flatMap((turn) => says(turn.isAda ? 's1' : 's2', turn.from, turn.to)),
    feed: turns.map((turn) => span(turn.isAda ? 'ada' : 'bo', turn.from + 4, turn.to + 4)),
  };
}
const { items, feed } = talk(100);
const sources = (names: ReturnType<typeof nameSpeakers>) =>
  Object.fromEntries([...names].map(([speaker, name]) => [speaker, name && [name.participantId, name.source]]));

test('a speaker has a name by the feed, or by presence, and says which', () => {
  const presence = observed(span('ada', 0, 400), span('bo', 0, 400), span('cy', 600, 800));
  const withCy = [...items, ...says('s3', 650, 700)];
  expect(sources(nameSpeakers(withCy, { feed, presence }))).toEqual({
    s1: ['ada', 'matched'],
    s2: ['bo', 'matched'],
    s3: ['cy', 'presence'],
  });
});

test('without evidence, every speaker is there without a name', () => {
  expect(sources(nameSpeakers(items, {}))).toEqual({ s1: null, s2: null });
});

test('presence comes first, and no two speakers have the same name', () => {
  const presence = observed(span('ada', 0, 600), span('bo', 0, 300));
  const later = [...items, ...says('s3', 400, 500)];
  expect(sources(nameSpeakers(later, { feed, presence }))).toEqual({
    s1: null,
    s2: ['bo', 'matched'],
    s3: ['ada', 'presence'],
  });
});
