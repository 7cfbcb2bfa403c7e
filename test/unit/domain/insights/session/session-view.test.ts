import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import type { ParticipantRecord } from '#shared/domain/insights/participant-record.ts';
import type { SessionBlock } from '#shared/domain/insights/session/session-log.ts';
import { connectionsThatCount } from '#shared/domain/insights/session/session-stays.ts';
import {
  emptyView,
  type SessionView,
  sessionTimeline,
  withBlocks,
} from '#shared/domain/insights/session/session-view.ts';
import { anyFacts, inAnyOrder, inAnyParts } from '../../../../support/insights/any-facts.ts';
import {
  at,
  daily,
  ended,
  eventsOf,
  joined,
  joinsOf,
  later,
  left,
  permutations,
  rated,
  retracted,
  retractedEverywhere,
  started,
  updated,
} from '../../../../support/insights/session-facts.ts';
import { logOf, viewOf } from '../../../../support/insights/session-views.ts';

/** What a view says, without the order in which the facts have arrived. */
function meaningOf({ participants, rooms }: SessionView) {
  const nameOf = ({ participantId, roomName }: ParticipantRecord) => JSON.stringify([participantId, roomName]);
  return { participants: new Map(participants.map((record) => [nameOf(record), record])), rooms };
}

/** The view of the default session that is extended block by block. */
function viewAfter(...blocks: readonly (readonly SessionFact[])[]): SessionView {
  return logOf(...blocks).blocks.reduce((view, block) => withBlocks(view, [block]), emptyView(daily));
}

const facts = anyFacts();
const inParts = facts.chain(inAnyParts);

describe('the view of any facts', () => {
  test('is the same in any order and in any blocks', () => {
    const orders = facts.chain((all) =>
      inAnyOrder(all)
        .chain(inAnyParts)
        .map((blocks) => ({ all, blocks })),
    );
    fc.assert(
      fc.property(orders, ({ all, blocks }) => {
        expect(meaningOf(viewAfter(...blocks))).toEqual(meaningOf(viewOf(all)));
      }),
      { numRuns: 300 },
    );
  });

  test('is the same if facts are repeated', () => {
    fc.assert(
      fc.property(inParts, facts.chain(inAnyOrder), (blocks, others) => {
        const all = [...blocks.flat(), ...others];
        expect(meaningOf(viewAfter(...blocks, others, all))).toEqual(meaningOf(viewOf(all)));
      }),
    );
  });

  test('that is extended block by block is the view that is built at once', () => {
    fc.assert(
      fc.property(inParts, (parts) => {
        const { blocks } = logOf(...parts);
        let view = emptyView(daily);
        for (const [index, block] of blocks.entries()) {
          view = withBlocks(view, [block]);
          expect(view).toEqual({ ...withBlocks(emptyView(daily), blocks.slice(0, index + 1)), exceeded: [] });
        }
      }),
      { numRuns: 150 },
    );
  });

  test('keeps the records that do not change as the same objects', () => {
    fc.assert(
      fc.property(inParts, (parts) => {
        const { blocks } = logOf(...parts);
        let view = emptyView(daily);
        for (const block of blocks) {
          const after = withBlocks(view, [block]);
          const before = meaningOf(view).participants;
          for (const [name, record] of meaningOf(after).participants) {
            const old = before.get(name);
            if (JSON.stringify(old) === JSON.stringify(record)) expect(record).toBe(old);
          }
          view = after;
        }
      }),
    );
  });
});

describe('of two facts with one identity, the first one counts:', () => {
  const [first, second] = [joined('ann', '09:00', { displayName: 'Ann' }), joined('ann', '09:00')];

  test('in one block, and in several', () => {
    const listedIn = ({ participants }: SessionView) => participants.map(({ listed }) => listed?.displayName);
    expect(listedIn(viewAfter([first, second]))).toEqual(['Ann']);
    expect(listedIn(viewAfter([first], [second], [second]))).toEqual(['Ann']);
    expect(listedIn(viewAfter([second], [first]))).toEqual(['ann']);
  });
});

describe('a timeline', () => {
  const log = logOf([started('08:50'), joined('ann', '09:00')], [left('ann', '09:10')], [joined('bob', '09:20')]);
  const minutesAt = (view: SessionView) => view.rooms.get(daily.roomName)?.usage.participantMinutes;

  test('returns the view after any number of blocks, in any order of the calls', () => {
    for (const versions of permutations([0, 1, 2, 3])) {
      const timeline = sessionTimeline(daily, log);
      for (const version of versions) {
        const view = timeline.at(version);
        expect([view.version, minutesAt(view)]).toEqual([version, [undefined, 0, 10, 10][version]]);
      }
    }
  });

  test('returns the same view for the same version, and reads only further blocks', () => {
    const timeline = sessionTimeline(daily, log);
    const second = timeline.at(2);
    expect(timeline.at(2)).toBe(second);
    expect(timeline.at(3).participants[0]).toBe(second.participants[0]);
  });

  test('follows a log that grows', () => {
    const blocks: SessionBlock[] = [...log.blocks.slice(0, 1)];
    const timeline = sessionTimeline(daily, { blocks });
    expect(minutesAt(timeline.at(1))).toBe(0);
    blocks.push(...log.blocks.slice(1));
    expect(minutesAt(timeline.at(2))).toBe(10);
  });
});

describe('the rooms of a session id', () => {
  const other = { roomName: '/other' };

  test('each have a session of their own', () => {
    const view = viewOf([
      joined('ann', '09:00'),
      started('08:50', other),
      joined('bob', '09:10', other),
      ended('10:00'),
    ]);
    expect(Object.fromEntries(view.rooms)).toMatchObject({
      '/daily': { startedAt: at('09:00'), endedAt: at('10:00'), usage: { participantMinutes: 60 } },
      '/other': { startedAt: at('08:50'), endedAt: null, usage: { participantMinutes: 0 } },
    });
    const visitorsOf = (roomName: string) => [...(view.rooms.get(roomName)?.visitors.keys() ?? [])];
    expect([visitorsOf('/daily'), visitorsOf('/other')]).toEqual([
      ['participant device of ann'],
      ['participant device of bob'],
    ]);
  });

  test('lose an event to a retraction with their name, and all of them to one without a name', () => {
    const join = joined('ann', '09:00');
    const facts = [join, { ...joined('bob', '09:00', other), id: join.id }];
    const startsOf = ({ rooms }: SessionView) => [...rooms.values()].map(({ startedAt }) => startedAt);
    expect(startsOf(viewOf([...facts, retracted(join)]))).toEqual([null, at('09:00')]);
    expect(startsOf(viewOf([...facts, retractedEverywhere(join)]))).toEqual([null, null]);
  });
});

test('a view names those participants of the last blocks who have more events than count', () => {
  const most = { connections: 2, ratings: 1, updates: 1 };
  const { blocks } = logOf(
    [...joinsOf('ann', 3), rated('bob', '09:00', 4), rated('bob', '09:01', 4)],
    [left('ann', '09:30')],
    [joined('eve', '09:30'), ended('10:00')],
  );
  const exceededAfter = (count: number) =>
    withBlocks(withBlocks(emptyView(daily), blocks.slice(0, count - 1), most), blocks.slice(count - 1, count), most)
      .exceeded;
  const ann = { participantId: 'ann', limit: 'connections', lastAt: at('09:00:01') };
  expect(exceededAfter(1)).toEqual([ann, { participantId: 'bob', limit: 'ratings', lastAt: at('09:00') }]);
  expect(exceededAfter(2)).toEqual([ann]);
  expect(exceededAfter(3)).toEqual([]);
});

describe('an observed end', () => {
  const missing = (...all: readonly SessionFact[]) => viewOf(all).rooms.get(daily.roomName)?.missing;
  const day = [started('09:00'), joined('ada', '09:00'), left('ada', '09:10'), ended('09:10')];

  test.each([
    ['join', [joined('bob', '09:20'), left('bob', '09:21')]],
    ['leave', [joined('bob', '09:05'), left('bob', '09:10:06')]],
    ['start', [started('09:30')]],
  ])('before a %s was not the end', (_, more) => {
    expect(missing(...day.slice(1), ...more)).toContain('end');
  });

  test('misses nothing if clocks differ by seconds, or somebody rates and speaks after it', () => {
    expect(missing(...day)).toEqual([]);
    const later = [left('bob', '09:10:05'), rated('ada', '09:30', 5), updated('ada', '09:30', { spokenSeconds: 3 })];
    expect(missing(...day, joined('bob', '09:05'), ...later)).toEqual([]);
  });
});

describe('connectionsThatCount', () => {
  const [first, second] = [joined('ann', '09:00'), joined('ann', '09:10', { roomName: '/other' })];
  const ofAnn = (...blocks: readonly (readonly SessionFact[])[]) =>
    connectionsThatCount({ participantId: 'ann' }, logOf(...blocks));
  const joinsIn = (...blocks: readonly (readonly SessionFact[])[]) => ofAnn(...blocks).map((each) => each.joined);

  test('are those of the participant in any room, in the order of time, each with the events of its room', () => {
    const [leave, rating] = [left('ann', '09:15'), rated('ann', '09:16', 4)];
    expect(ofAnn([second, joined('bob', '09:00')], [first, leave, rating, rated('bob', '09:16', 4)])).toEqual([
      { joined: first, events: eventsOf({ joined: '09:00', left: '09:15', rated: '09:16' }) },
      { joined: second, events: eventsOf({ joined: '09:10' }) },
    ]);
    expect(connectionsThatCount({ participantId: 'eve' }, logOf([second], [first]))).toEqual([]);
  });

  test('are without those that were taken back in their room', () => {
    expect(joinsIn([retracted(first), first, second])).toEqual([second]);
    expect(joinsIn([first, second], [retracted(second)])).toEqual([first, second]);
  });

  test('are without the leaves and ratings that were taken back, before or after they arrived', () => {
    const [leave, rating] = [left('ann', '09:05'), rated('ann', '09:06', 4)];
    const wrong = [retracted(leave), retracted(rating)];
    for (const blocks of permutations([[first, leave, rating], wrong]))
      expect(ofAnn(...blocks)).toEqual([{ joined: first, events: eventsOf({ joined: '09:00' }) }]);
  });

  test('are those of the first 5 000 joins and leaves, with the first 100 ratings', () => {
    const joins = joinsOf('ann', 5_002);
    expect(joinsIn(joins.toReversed())).toEqual(joins.slice(0, 5_000));
    const late = [...joinsOf('ann', 4_999), left('ann', '23:00'), left('ann', '23:01')];
    const ratings = Array.from({ length: 101 }, (_, index) => rated('ann', later('22:00', index), 4));
    const events = ofAnn([...ratings, ...late].toReversed()).flatMap((connection) => connection.events);
    const countOf = (type: string) => events.filter((event) => event.type === type).length;
    expect([countOf('joined'), countOf('left'), countOf('rated')]).toEqual([4_999, 1, 100]);
    expect(events.filter(({ type }) => type === 'rated').at(-1)?.timeStamp).toBe(later('22:00', 99));
  });

  test('have the same events in any order of any facts', () => {
    const orders = facts.chain((all) =>
      inAnyOrder(all)
        .chain(inAnyParts)
        .map((blocks) => ({ all, blocks })),
    );
    fc.assert(
      fc.property(orders, ({ all, blocks }) => {
        expect(ofAnn(...blocks)).toEqual(ofAnn(all));
      }),
    );
  });
});
