import { beforeAll, describe, expect, it } from 'vitest';
import type { PlatformEvent } from '#infra/local/simulation/events.ts';
import { clientOf, issuePaths, type RawAnswer } from '../../support/checked-api.ts';
import { insightsOf, type listNames, pathOf, type Query, sessionOf, tellerOf } from '../../support/insights.ts';
import { organization } from '../../support/machine.ts';

type ListName = (typeof listNames)[number];
const acme = organization();
const other = organization();
const roomName = '/daily';

/** Each list with an order in which some elements have a value and some have none. */
const queries: Readonly<Record<ListName, Query>> = {
  rooms: { sortBy: 'endAt:desc', limit: 2 },
  roomSessions: { roomName, sortBy: 'endedAt:desc', limit: 2 },
  participants: { externalId: 'crm-1', sortBy: 'leftAt:desc', limit: 2 },
};

/** Five of each list, three of them with a value; and what tells them from another organization's. */
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
  if (cursor === null) throw new Error('There is no next page.');
  return cursor;
};

beforeAll(() => Promise.all([tellerOf(acme)(...own.events), tellerOf(other)(...foreign.events)]));

const listWith = (name: ListName, cursor: string, more: Query = {}): Promise<RawAnswer> =>
  clientOf(acme)('GET', pathOf(name, { ...queries[name], ...more, cursor }));

/** A place in the caller's own list, and nothing else. */
function expectOwn(answer: RawAnswer): void {
  expect(answer.status).toBe(200);
  expect(foreign.marks.filter((mark) => answer.text.includes(mark))).toEqual([]);
}

/** That, or refused, naming the cursor. */
function expectOwnOr400(answer: RawAnswer): void {
  if (answer.status === 400) expectRefused(answer);
  else expectOwn(answer);
}

function expectRefused(answer: RawAnswer): void {
  expect([answer.status, issuePaths(answer)]).toEqual([400, ['cursor']]);
}

describe.concurrent.each(Object.keys(queries) as ListName[])('a cursor of %s', (name) => {
  it('of another organization is a place in the own list, and shows nothing of the other', async () => {
    expectOwn(await listWith(name, await cursorOf(other, name)));
  });

  it('names no organization', async () => {
    expect(Buffer.from(await cursorOf(acme, name), 'base64url').toString('latin1')).not.toContain(acme);
  });

  it('with the lowest, the fourth or the highest bit of any byte flipped is refused, or a place in the own list', async () => {
    const bytes = Buffer.from(await cursorOf(acme, name), 'base64url');
    const flips = [...bytes].flatMap((byte, index) =>
      [0, 3, 7].map((bit) => Buffer.from(bytes.with(index, byte ^ (1 << bit))).toString('base64url')),
    );

    const answers = await Promise.all(flips.map((flipped) => listWith(name, flipped)));

    for (const answer of answers) expectOwnOr400(answer);
    for (const answer of answers.slice(3 * 2, 3 * 13)) expectRefused(answer); // the hash, after `["`
  });

  it('with a character of its text replaced is refused, or a place in the own list', async () => {
    const cursor = await cursorOf(acme, name);
    const replaced = [...cursor].map((_, index) => `${cursor.slice(0, index)}%${cursor.slice(index + 1)}`);

    for (const answer of await Promise.all(replaced.map((text) => listWith(name, text)))) expectOwnOr400(answer);
  });

  it('cut off anywhere is refused', async () => {
    const cursor = await cursorOf(acme, name);
    const cuts = Array.from({ length: cursor.length }, (_, length) => cursor.slice(0, length));

    for (const answer of await Promise.all(cuts.map((cut) => listWith(name, cut)))) expectRefused(answer);
  });

  it.each([
    ['text', 'hello'],
    ['null', 'null'],
    ['an object', '{"organizationId":"x"}'],
    ['a list of lists', '[[],[]]'],
    ['one of a version that never was', '["v0","2026"]'],
    ['a key of DynamoDB', '{"organizationId":{"S":"x"},"roomName":{"S":"/"}}'],
    ['deeply nested', '['.repeat(2000)],
  ])('that is %s is refused', async (_, text) => {
    expectRefused(await listWith(name, Buffer.from(text).toString('base64url')));
  });

  it.each([
    ['empty', ''],
    ['a number', 5],
    ['a NUL', '\0'],
    ['before all values', '0'],
    ['where the missing values begin', '1'],
    ['behind them', '2'],
    ['the last of all characters', '\uffff'.repeat(300)],
    ['as long as a key may be', '9'.repeat(1024)],
    ['one byte longer', '9'.repeat(1025)],
    ['a lone surrogate', '\ud800'],
    ['a list', ['2026']],
    ['nothing', undefined],
  ])('that is right but for its position, %s, is refused or a place in the own list', async (_, position) => {
    const [hash] = JSON.parse(Buffer.from(await cursorOf(acme, name), 'base64url').toString('utf8'));

    expectOwnOr400(await listWith(name, Buffer.from(JSON.stringify([hash, position])).toString('base64url')));
  });
});

describe.concurrent('a cursor is refused', () => {
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
  it.each(otherOrders)('%s: by another order or filter: %o', async (name, query) => {
    expectRefused(await listWith(name, await cursorOf(acme, name), query));
  });

  it('by every other list, and by that of transcriptions', async () => {
    const names = Object.keys(queries) as ListName[];
    for (const from of names) {
      const cursor = await cursorOf(acme, from);
      for (const to of names) if (to !== from) expectRefused(await listWith(to, cursor));
      expectRefused(await clientOf(acme)('GET', `/v1/transcriptions?cursor=${cursor}`));
    }
  });

  it('by the participant, who has no pages', async () => {
    const query = { roomSessionId: '00000000-0000-4000-8000-000000000000', participantId: 'p', cursor: 'x' };

    expectRefused(await clientOf(acme)('GET', pathOf('participant', query)));
  });

  it('where it is larger than any that was given out: it never reaches a function', async () => {
    const answer = await listWith('rooms', 'A'.repeat(10_240));

    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain('issues');
  });
});
