import { beforeAll, describe, expect, it } from 'vitest';
import { ErrorBody } from '#shared/contracts/common/errors.ts';
import type { RoomInsight, RoomSessionInsight } from '#shared/contracts/insights/insights.ts';
import { clientOf, issuePaths } from '../../support/http/checked-api.ts';
import { sorted, tieBreaks } from '../../support/insights/insight-lists.ts';
import {
  at,
  type InsightName,
  insightsOf,
  pagesOf,
  pathOf,
  type Query,
  sessionOf,
  tellerOf,
} from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

const directions = ['asc', 'desc'] as const;
const limits = [1, 2, 5, 100];

const refusal = async (organizationId: string, name: InsightName, query: Query) => {
  const answer = await clientOf(organizationId)('GET', pathOf(name, query));
  const { issues = [] } = answer.status === 400 ? ErrorBody.parse(JSON.parse(answer.text)) : {};
  return [answer.status, ...issues.map(({ path, message }) => `${path}: ${message}`)];
};

type Bounds = readonly [from: string | undefined, to: string | undefined];
const bounds: readonly Bounds[] = [
  [undefined, undefined],
  [at('09:02'), undefined],
  [undefined, at('09:02')],
  [at('09:01'), at('09:03')],
  ['2026-03-02T10:01:00.001+01:00', '2026-03-02T01:03:00.001-08:00'],
  [at('23:00'), undefined],
];
const rangeOf = (field: string, [from, to]: Bounds): Query => ({ [`${field}From`]: from, [`${field}To`]: to });
const isIn = (time: string | null, [from, to]: Bounds) =>
  time !== null &&
  (from === undefined || Date.parse(time) >= Date.parse(from)) &&
  (to === undefined || Date.parse(time) < Date.parse(to));

/** Names, many with a common prefix, with characters of every length in UTF-8. */
const names = [
  ...['/', '/a', '/a/b', '/a b', '/ab', '/aé', '/a\ud7ff', '/a\ue000', '/a\uffff', '/a😀', '/a\u{10ffff}'],
  ...['/a\u{10ffff}\u{10ffff}b', '/b', '/é', '/\u{10ffff}', '/A'],
];

describe.concurrent('the list of rooms', () => {
  const [acme, other] = [organization(), organization()];
  const insights = insightsOf(acme);
  let all: RoomInsight[];

  beforeAll(async () => {
    const created = (owner: string) =>
      names.map((roomName, index) => sessionOf(owner, { roomName }).created(`09:0${index % 5}`));
    await Promise.all([tellerOf(acme)(...created(acme)), tellerOf(other)(...created(other))]);
    all = (await insights.rooms({ limit: 100 })).results;
    expect(all).toHaveLength(names.length);
  });

  it.each(['/', '/a', '/a/', '/a\u{10ffff}', '/\u{10ffff}', '/é', '/aé', '/a\ud7ff', '/a😀', '/B', '/nowhere'])(
    'returns the names with the prefix %j in their order',
    async (roomNamePrefix) => {
      const matching = all.filter(({ roomName }) => roomName.startsWith(roomNamePrefix));
      for (const direction of directions) {
        const expected = sorted(matching, ['roomName', direction], tieBreaks.rooms);
        for (const limit of limits) {
          const query = { roomNamePrefix, sortBy: `roomName:${direction}`, limit };
          const pages = await pagesOf(insights.rooms, query);
          expect(pages.flatMap(({ results }) => results)).toEqual(expected);
          expect(pages).toHaveLength(Math.max(1, Math.ceil(expected.length / limit)));
        }
      }
      const { results } = await insights.rooms({ roomNamePrefix, limit: 100 });
      expect(results).toEqual(sorted(matching, ['roomName', 'asc'], tieBreaks.rooms));
    },
  );

  it.each(bounds)('returns rooms created from %s to %s in the order of creation', async (...range) => {
    const matching = all.filter(({ createdAt }) => isIn(createdAt, range));
    for (const direction of directions) {
      const expected = sorted(matching, ['createdAt', direction], tieBreaks.rooms);
      for (const limit of limits) {
        const query = { ...rangeOf('createdAt', range), sortBy: `createdAt:${direction}`, limit };
        const pages = await pagesOf(insights.rooms, query);
        expect(pages.flatMap(({ results }) => results)).toEqual(expected);
        expect(pages).toHaveLength(Math.max(1, Math.ceil(expected.length / limit)));
      }
    }
  });

  it.each<[Query, (room: RoomInsight) => boolean]>([
    [{ 'roomName[contains]': 'b' }, ({ roomName }) => roomName.includes('b')],
    [{ 'roomName[contains]': '\u{10ffff}' }, ({ roomName }) => roomName.includes('\u{10ffff}')],
    [{ 'roomName[exact]': '/a b' }, ({ roomName }) => roomName === '/a b'],
    [
      { 'roomName[startsWith]': '/a', 'roomName[contains]': '/b', 'createdAt[to]': at('09:04') },
      ({ roomName, createdAt }) => /^\/a.*\/b/.test(roomName) && isIn(createdAt, [undefined, at('09:04')]),
    ],
    [
      { 'createdAt[from]': at('09:01'), createdAtTo: at('09:03') },
      (room) => isIn(room.createdAt, [at('09:01'), at('09:03')]),
    ],
  ])('applies the filters %j in every order, with brackets encoded or not', async (query, isMeant) => {
    const isExact = 'roomName[exact]' in query;
    for (const sortBy of ['createdAt:desc', 'roomName:asc', 'totalSessions:asc', 'rating:desc', 'endAt:desc']) {
      const [field = '', direction] = sortBy.split(':') as [keyof RoomInsight, 'asc' | 'desc'];
      const expected = sorted(all.filter(isMeant), [field, direction], tieBreaks.rooms);
      const pages = await pagesOf(insights.rooms, { ...query, sortBy, ...(!isExact && { limit: 2 }) });
      expect(pages.flatMap(({ results }) => results)).toEqual(expected);
    }
    const given = new URLSearchParams(query as Record<string, string>).toString();
    expect(given).toContain('%5B');
    const answers = [given, given.replaceAll('%5B', '[').replaceAll('%5D', ']')].map((text) =>
      clientOf(acme)('GET', `${pathOf('rooms')}?${text}`),
    );
    const [encoded, plain] = await Promise.all(answers);
    expect(encoded).toMatchObject({ status: 200, text: plain?.text });
    expect(JSON.parse(String(plain?.text)).results).toHaveLength(Math.min(10, all.filter(isMeant).length));
  });

  it('has the newest first by default in a range of creation', async () => {
    const { results } = await insights.rooms({ createdAtFrom: at('09:02'), limit: 100 });
    const matching = all.filter(({ createdAt }) => isIn(createdAt, [at('09:02'), undefined]));
    expect(results).toEqual(sorted(matching, ['createdAt', 'desc'], tieBreaks.rooms));
  });

  it.each<[Query, readonly string[]]>([
    [{ roomNamePrefix: '/a' }, ['/', '/0', '/b', '\u{10ffff}', '0']],
    [{ createdAtFrom: at('09:01'), createdAtTo: at('09:03') }, ['0', at('09:02'), `0${at('09:00')}`, '1', '2']],
  ])('never leaves the filter by a cursor: %j', async (query, positions) => {
    const cursor = String((await insights.rooms({ ...query, limit: 1 })).cursor);
    const [hash] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    for (const position of positions) {
      const forged = Buffer.from(JSON.stringify([hash, position])).toString('base64url');
      const answer = await clientOf(acme)('GET', pathOf('rooms', { ...query, cursor: forged }));
      expect([answer.status, issuePaths(answer)]).toEqual([400, ['cursor']]);
    }
    for (const another of [{}, { sortBy: 'roomName:asc' }, { roomNamePrefix: '/' }, { createdAtFrom: at('09:00') }]) {
      const answer = await clientOf(acme)('GET', pathOf('rooms', { ...another, cursor }));
      expect([answer.status, issuePaths(answer)]).toEqual([400, ['cursor']]);
    }
  });

  it.each<[Query, string]>([
    [{ roomNamePrefix: 'a' }, 'roomNamePrefix: must start with "/"'],
    [{ 'roomName[exact]': 'a' }, 'roomName[exact]: must start with "/"'],
    [
      { roomNamePrefix: '/', 'roomName[startsWith]': '/' },
      'roomName[startsWith]: cannot be combined with roomNamePrefix',
    ],
    [{ createdAtFrom: at('09:00'), createdAtTo: at('09:00') }, 'createdAtTo: must be later than createdAtFrom'],
    [{ createdAtFrom: '2026-03-02' }, 'createdAtFrom: must be an ISO 8601 date and time with a time zone'],
  ])('rejects %j', async (query, issue) => {
    expect(await refusal(acme, 'rooms', query)).toEqual([400, expect.stringContaining(issue)]);
  });
});

describe.concurrent('the list of the sessions of a room', () => {
  const acme = organization();
  const insights = insightsOf(acme);
  const roomName = '/daily';
  const sessions = Array.from({ length: 14 }, () => sessionOf(acme, { roomName }));
  let all: RoomSessionInsight[];

  beforeAll(async () => {
    const elsewhere = sessionOf(acme, { roomName: '/daily2' }).started('09:02');
    await tellerOf(acme)(...sessions.map((session, index) => session.started(`09:0${index % 5}`)), elsewhere);
    all = (await insights.roomSessions({ roomName, limit: 100 })).results;
    expect(all).toHaveLength(14);
  });

  it.each(bounds)('returns sessions started from %s to %s in the order of start', async (...range) => {
    const matching = all.filter(({ startedAt }) => isIn(startedAt, range));
    for (const direction of directions) {
      const expected = sorted(matching, ['startedAt', direction], tieBreaks.roomSessions);
      for (const limit of limits) {
        const query = { roomName, ...rangeOf('startedAt', range), sortBy: `startedAt:${direction}`, limit };
        const pages = await pagesOf(insights.roomSessions, query);
        expect(pages.flatMap(({ results }) => results)).toEqual(expected);
        expect(pages).toHaveLength(Math.max(1, Math.ceil(expected.length / limit)));
      }
    }
  });

  it('takes roomName[exact] for roomName on every page', async () => {
    const pages = await pagesOf(insights.roomSessions, { 'roomName[exact]': roomName, limit: 5 });
    expect(pages.flatMap(({ results }) => results)).toEqual(all);
    expect(pages).toHaveLength(3);
  });

  it.each<[Query, string]>([
    [
      { roomSessionId: sessions[0]?.roomSessionId, startedAtTo: at('10:00') },
      'roomSessionId: cannot be combined with ',
    ],
    [{ startedAtFrom: at('09:00'), sortBy: 'endedAt:asc' }, 'sortBy: must be startedAt:asc or startedAt:desc with '],
    [{ startedAtFrom: at('09:01'), startedAtTo: at('09:00') }, 'startedAtTo: must be later than startedAtFrom'],
    [{ 'startedAt[to]': at('09:00'), startedAtTo: at('09:00') }, 'startedAt[to]: cannot be combined with startedAtTo'],
    [{ startedAtTo: 'now' }, 'startedAtTo: must be an ISO 8601 date and time with a time zone'],
  ])('rejects %j', async (query, issue) => {
    expect(await refusal(acme, 'roomSessions', { roomName, ...query })).toEqual([400, expect.stringContaining(issue)]);
  });
});

describe.concurrent('filtered pages read while figures change', () => {
  it.each(directions)('contain each unchanged room once: %s', async (direction) => {
    const acme = organization();
    const tell = tellerOf(acme);
    const { rooms } = insightsOf(acme);
    const roomNames = Array.from({ length: 12 }, (_, index) => `/team-${String(index).padStart(2, '0')}`);
    const of = (name: string) => sessionOf(acme, { roomName: name });
    await tell(...roomNames.map((name) => of(name).created('09:00')), of('/other').created('09:00'));
    const query = { roomNamePrefix: '/team-', sortBy: `roomName:${direction}`, limit: 4 };

    const first = await rooms(query);
    await tell(of('/team-00b').created('09:00'), of('/team-10b').created('09:00'), of('/team').created('09:00'));
    const others = await pagesOf(rooms, { ...query, cursor: String(first.cursor) });

    const seen = [first, ...others].flatMap(({ results }) => results.map((room) => room.roomName));
    const expected =
      direction === 'asc'
        ? roomNames.toSpliced(11, 0, '/team-10b')
        : roomNames.toSpliced(1, 0, '/team-00b').toReversed();
    expect(seen).toEqual(expected);
  });
});
