import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anonymousBlocks, visitsOf } from '#operations/erasure/anonymous-facts.ts';
import type { SessionFact } from '#shared/contracts/insights/session-events.ts';
import { asNonParticipant } from '#shared/domain/insights/connection-kind.ts';
import { sessionLog } from '#shared/domain/insights/session/session-log.ts';
import { compare } from '#shared/domain/insights/session/session-projection.ts';
import { sessionTimeline } from '#shared/domain/insights/session/session-view.ts';
import {
  at,
  daily,
  ended,
  joined,
  left,
  rated,
  retracted,
  started,
  withId,
} from '../../support/insights/session-facts.ts';

type Blocks = Parameters<typeof anonymousBlocks>[0];

const blocksOf = (...blocks: SessionFact[][]): Blocks =>
  blocks.map((facts, index) => ({ number: index + 1, facts, bytes: 1 }));

/** The blocks after an erasure. */
function erased(blocks: Blocks, ...participantIds: string[]): Blocks {
  const changed = new Map(anonymousBlocks(blocks, new Set(participantIds)).map((block) => [block.number, block]));
  return blocks.map((block) => changed.get(block.number) ?? block);
}

/** What the sessions of all rooms count after each block. */
function totalsOf(blocks: Blocks) {
  const log = sessionLog();
  for (const block of blocks) log.append(block);
  const timeline = sessionTimeline(daily, log);
  return blocks.map(({ number }) =>
    [...timeline.at(number).rooms]
      .toSorted(([one], [other]) => compare(one, other))
      .map(([roomName, { startedAt, endedAt, usage, visitors }]) => {
        const kinds = [...visitors.values()].map(({ kind }) => kind).toSorted();
        return { roomName, startedAt, endedAt, usage, kinds };
      }),
  );
}

function listedIn(blocks: Blocks) {
  const log = sessionLog();
  for (const block of blocks) log.append(block);
  const { participants } = sessionTimeline(daily, log).at(blocks.length);
  return participants.map(({ listed }) => listed).filter((listed) => listed !== null);
}

const [ada, bob] = ['p-ada', 'p-bob'];
const roomName = fc.constantFrom('/daily', '/weekly');
const time = fc.integer({ min: 0, max: 5 }).map((minute) => at(`09:0${minute}`));
const eventId = fc.constantFrom(...'abcdefgh');
const person = fc.record(
  {
    deviceId: fc.constantFrom('phone', 'tablet'),
    userId: fc.constantFrom('user-1', 'phone'),
    connectionId: fc.constantFrom('one', 'two'),
    exclusive: fc.constant(true),
    roleName: fc.constantFrom('guest', 'recorder', 'bot'),
    roomName,
  },
  { requiredKeys: ['deviceId', 'roleName', 'roomName'] },
);
const clientEvent = fc
  .tuple(fc.constantFrom(ada, 'p-ada-2', bob), time, person, eventId, fc.constantFrom('join', 'leave', 'rate'))
  .map(([participantId, createdAt, who, id, kind]): SessionFact => {
    const more = { roomName: who.roomName };
    const { connectionId } = who;
    if (kind === 'leave') return withId(id, left(participantId, createdAt, { ...more, connectionId }));
    if (kind === 'rate') return withId(id, rated(participantId, createdAt, 4, more));
    const join = withId(id, joined(participantId, createdAt, who));
    return who.roleName === 'bot' ? asNonParticipant(join) : join;
  });
const sessionFact = fc.oneof(
  { arbitrary: clientEvent, weight: 6 },
  { arbitrary: eventId.map((id): SessionFact => retracted({ id })), weight: 1 },
  { arbitrary: roomName.map((name): SessionFact => ended('09:10', { roomName: name })), weight: 1 },
);
const blocks = fc.array(fc.array(sessionFact, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 });

describe('anonymous facts', () => {
  test('count the same after every block, whoever is erased, in whatever order', () => {
    fc.assert(
      fc.property(
        blocks,
        fc.shuffledSubarray([ada, 'p-ada-2', bob], { minLength: 1 }),
        fc.boolean(),
        (facts, ids, one) => {
          const before = blocksOf(...facts);
          const after = one
            ? erased(before, ...ids)
            : ids.reduce((done: Blocks, participantId) => erased(done, participantId), before);
          expect(totalsOf(after)).toEqual(totalsOf(before));
          for (const id of ids) expect(JSON.stringify(after)).not.toContain(`"${id}"`);
          const others = listedIn(before).filter(({ participantId }) => !ids.includes(participantId));
          expect(listedIn(after)).toEqual(others);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('have nothing of the person, and keep number and size of their block', () => {
    const ids = { userId: 'her-user', connectionId: 'her-connection' };
    const secrets = { ...ids, deviceId: 'her-phone', externalId: 'her-crm', userAgent: 'her-agent' };
    const before = blocksOf([
      started('09:00'),
      withId('her-join', joined(ada, '09:01', { ...secrets, displayName: 'her-name', roleName: 'her-role' })),
      withId('her-leave', left(ada, '09:02', { connectionId: 'her-connection' })),
      withId('her-rating', rated(ada, '09:03', 4, { comment: 'her-comment', tags: ['her-tag'] })),
      retracted({ id: 'her-rating' }),
    ]);
    const [block] = anonymousBlocks(before, new Set([ada]));
    expect(JSON.stringify(block)).not.toMatch(/her-|p-ada/);
    expect(block).toMatchObject({ number: 1, bytes: 1 });
    expect(block?.facts[0]).toBe(before[0]?.facts[0]);
  });

  test('keep the order of events with the same time', () => {
    const roles = [...'grgrgrgrgr'].map((letter) => (letter === 'g' ? 'guest' : 'recorder'));
    const joins = roles.map((roleName, index) => withId(`${index}`, joined(ada, '09:00', { roleName })));
    const leaves = roles.map((_, index) => left(ada, at(`09:0${index}`), {}));
    const before = blocksOf(joins, leaves);
    expect(totalsOf(erased(before, ada))).toEqual(totalsOf(before));
  });

  test('leave blocks without the person out, and put those with an external id last', () => {
    const withExternalId = joined(ada, '09:01', { externalId: 'crm' });
    const before = blocksOf([withExternalId], [joined(bob, '09:02')], [left(ada, '09:03')]);
    expect(anonymousBlocks(before, new Set([ada])).map(({ number }) => number)).toEqual([3, 1]);
  });

  test('share a visitor with whoever stays, until that person is erased, too', () => {
    const before = blocksOf([
      joined(ada, '09:01', { deviceId: 'shared' }),
      joined(bob, '09:01', { deviceId: 'shared' }),
    ]);
    expect(visitsOf(before, new Set([ada]))).toEqual([]);
    const withoutAda = erased(before, ada);
    expect(JSON.stringify(withoutAda).match(/"shared"/g)).toHaveLength(2);
    expect(visitsOf(withoutAda, new Set([bob]))).toHaveLength(1);
    expect(JSON.stringify(erased(withoutAda, bob))).not.toContain('"shared"');
  });

  test('share nothing with a non-participant who stays, and is no visitor', () => {
    const before = blocksOf([
      joined(ada, '09:01', { deviceId: 'shared' }),
      asNonParticipant(joined(bob, '09:01', { deviceId: 'shared', roleName: 'her-bot' })),
    ]);
    expect(visitsOf(before, new Set([ada]))).toMatchObject([{ visitor: { visitorId: 'shared' } }]);
    expect(visitsOf(before, new Set([bob]))).toEqual([]);
    expect(JSON.stringify(erased(before, ada)).match(/"shared"/g)).toHaveLength(1);
    expect(JSON.stringify(erased(before, ada, bob))).not.toMatch(/shared|her-bot/);
  });
});
