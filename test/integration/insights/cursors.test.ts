import { beforeAll, describe, expect, it } from 'vitest';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { clientOf, issuePaths, type RawAnswer } from '../../support/http/checked-api.ts';
import {
  bytesOf,
  cutOff,
  flipped,
  foreignCursors,
  oddPositions,
  replaced,
  withPosition,
} from '../../support/http/tampered-cursors.ts';
import {
  insightsOf,
  type listNames,
  pathOf,
  type Query,
  sessionOf,
  tellerOf,
} from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

type ListName = (typeof listNames)[number];
const acme = organization();
const other = organization();
const roomName = '/daily';

/** Each list with a sort field that some elements lack. */
const queries: Readonly<Record<ListName, Query>> = {
  rooms: { sortBy: 'endAt:desc', limit: 2 },
  roomSessions: { roomName, sortBy: 'endedAt:desc', limit: 2 },
  participants: { externalId: 'crm-1', sortBy: 'leftAt:desc', limit: 2 },
};

/** Five elements of each list, three of them with a value, and the texts that identify their organization. */
function historyOf(organizationId: string): { readonly events: PlatformEvent[]; readonly marks: readonly string[] } {
  const sessions = [0, 1, 2, 3, 4].map(() => sessionOf(organizationId, { roomName }));
  const events = sessions.flatMap(({ roomSessionId: mark, ...session }, number) => {
    const hasValue = number < 3;
    const room = sessionOf(organizationId, { roomName: `/${mark}` });
    return [
      room.created('08:00', hasValue ? `1${number}:00` : undefined),
      session.joined(mark, '09:00', { externalId: 'crm-1' }),
      ...(hasValue ? [session.ended(`1${number}:00`)] : []),
    ];
  });
  return { events, marks: sessions.map(({ roomSessionId }) => roomSessionId) };
}

const [own, foreign] = [historyOf(acme), historyOf(other)];

const cursorOf = async (organizationId: string, name: ListName) => {
  const { cursor } = await insightsOf(organizationId)[name](queries[name]);
  if (cursor === null) throw new Error('The list has no next page.');
  return cursor;
};

beforeAll(() => Promise.all([tellerOf(acme)(...own.events), tellerOf(other)(...foreign.events)]));

const listWith = (name: ListName, cursor: string, more: Query = {}): Promise<RawAnswer> =>
  clientOf(acme)('GET', pathOf(name, { ...queries[name], ...more, cursor }));

/** Expects a page of the caller's own list. */
function expectOwn(answer: RawAnswer): void {
  expect(answer.status).toBe(200);
  expect(foreign.marks.filter((mark) => answer.text.includes(mark))).toEqual([]);
}

/** Expects a page of the caller's own list, or a 400 that names the cursor. */
function expectOwnOr400(answer: RawAnswer): void {
  if (answer.status === 400) expectRefused(answer);
  else expectOwn(answer);
}

function expectRefused(answer: RawAnswer): void {
  expect([answer.status, issuePaths(answer)]).toEqual([400, ['cursor']]);
}

describe.concurrent.each(Object.keys(queries) as ListName[])('a cursor of %s', (name) => {
  it("of another organization shows only the caller's own list", async () => {
    expectOwn(await listWith(name, await cursorOf(other, name)));
  });

  it('does not contain the organization', async () => {
    expect(bytesOf(await cursorOf(acme, name)).toString('latin1')).not.toContain(acme);
  });

  const answersTo = (cursors: readonly string[]) => Promise.all(cursors.map((cursor) => listWith(name, cursor)));

  it("with a flipped bit in any byte is rejected or shows only the caller's own list", async () => {
    const { inHash, elsewhere } = flipped(await cursorOf(acme, name));

    for (const answer of await answersTo(inHash)) expectRefused(answer);
    for (const answer of await answersTo(elsewhere)) expectOwnOr400(answer);
  });

  it("with a replaced character is rejected or shows only the caller's own list", async () => {
    for (const answer of await answersTo(replaced(await cursorOf(acme, name)))) expectOwnOr400(answer);
  });

  it('is rejected if it is truncated anywhere', async () => {
    for (const answer of await answersTo(cutOff(await cursorOf(acme, name)))) expectRefused(answer);
  });

  it.each(foreignCursors)('is rejected if it is %s', async (_, text) => {
    expectRefused(await listWith(name, text));
  });

  it.each(oddPositions)("with the position %s is rejected or shows only the caller's own list", async (_, position) => {
    expectOwnOr400(await listWith(name, withPosition(await cursorOf(acme, name), position)));
  });
});

describe.concurrent('a cursor is rejected', () => {
  const otherOrders: readonly (readonly [ListName, Query])[] = [
    ['rooms', { sortBy: 'endAt:asc' }],
    ['rooms', { sortBy: 'createdAt:desc' }],
    ['rooms', { sortBy: undefined }],
    ['roomSessions', { sortBy: 'endedAt:asc' }],
    ['roomSessions', { sortBy: 'rating:desc' }],
    ['roomSessions', { sortBy: undefined }],
    ['roomSessions', { roomName: '/other' }],
    ['roomSessions', { roomSessionId: '00000000-0000-4000-8000-000000000000' }],
    ['participants', { sortBy: 'leftAt:asc' }],
    ['participants', { sortBy: undefined }],
    ['participants', { externalId: 'crm-2' }],
    ['participants', { roomSessionId: '00000000-0000-4000-8000-000000000000' }],
    ['participants', { externalId: undefined, roomSessionId: '00000000-0000-4000-8000-000000000000' }],
  ];
  it.each(otherOrders)('by %s with another order or filter: %o', async (name, query) => {
    expectRefused(await listWith(name, await cursorOf(acme, name), query));
  });

  it('by every other list of insights and by the list of transcriptions', async () => {
    const names = Object.keys(queries) as ListName[];
    for (const from of names) {
      const cursor = await cursorOf(acme, from);
      for (const to of names) if (to !== from) expectRefused(await listWith(to, cursor));
      expectRefused(await clientOf(acme)('GET', `/v1/transcriptions?cursor=${cursor}`));
    }
  });

  it('by the endpoint of one participant, which has no pages', async () => {
    const query = { roomSessionId: '00000000-0000-4000-8000-000000000000', participantId: 'p', cursor: 'x' };

    expectRefused(await clientOf(acme)('GET', pathOf('participant', query)));
  });

  it('before it reaches a function if it is larger than any issued one', async () => {
    const answer = await listWith('rooms', 'A'.repeat(10_240));

    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain('issues');
  });
});
