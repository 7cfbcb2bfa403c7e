import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { ErrorBody } from '#shared/contracts/common/errors.ts';
import type { UsageDay } from '#shared/contracts/insights/usage-days.ts';
import { clientOf } from '../../support/http/checked-api.ts';
import { addUsage, insightsOf, pagesOf, pathOf, type Query } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

const [acme, other] = [organization(), organization()];
const rooms = ['/', '/a', '/a\u{1}b', '/a b', '/é', '/\uffee', '/😀'];
const days = ['2025-12-31', '2026-01-01', '2026-01-31', '2026-02-28', '2026-03-01'];
const facts = { recorderMinutes: 0, streamerMinutes: 0, transcriptions: 1, transcribedSeconds: 90 };

const bytes = (text: string) => Buffer.from(text).toString('hex');
const all: UsageDay[] = days.flatMap((day, index) =>
  rooms
    .toSorted((one, another) => (bytes(one) < bytes(another) ? -1 : 1))
    .map((roomName) => ({ day, roomName, sessions: 1, participantMinutes: index, ...facts })),
);
const between = (from: string, to: string, roomName?: string) =>
  all.filter((each) => each.day >= from && each.day <= to && (roomName === undefined || each.roomName === roomName));

beforeAll(async () => {
  for (const each of all) await addUsage(acme, each);
  await addUsage(other, { day: '2026-01-01', roomName: '/a', sessions: 9, participantMinutes: 9, ...facts });
});

const refusal = async (query: Query) => {
  const { status, text } = await clientOf(acme)('GET', pathOf('usage', query));
  const { issues = [] } = status === 400 ? ErrorBody.parse(JSON.parse(text)) : {};
  return [status, ...issues.map(({ path, message }) => `${path}: ${message}`)];
};

describe('usage', () => {
  const { usage } = insightsOf(acme);

  test.each([
    ['2025-12-31', '2026-03-01', 100],
    ['2026-01-01', '2026-02-28', 3],
    ['2026-01-01', '2026-01-01', 7],
    ['2026-01-02', '2026-01-30', 1],
  ])('from %s to %s is listed by day and room, in pages of %i', async (from, to, limit) => {
    const pages = await pagesOf(usage, { from, to, limit });
    expect(pages.flatMap(({ results }) => results)).toEqual(between(from, to));
  });

  test.each([1, 2, 100])('of one room is listed by day, in pages of %i', async (limit) => {
    for (const roomName of [...rooms, '/nowhere']) {
      const period = { from: '2025-12-31', to: '2026-03-01' };
      const pages = await pagesOf(usage, { ...period, roomName, limit });
      expect(pages.flatMap(({ results }) => results)).toEqual(between(period.from, period.to, roomName));
    }
  });

  test('of a whole leap year is listed, of one room and of all', async () => {
    const leap = organization();
    const period = { from: '2024-01-01', to: '2024-12-31' };
    const ends = [period.from, period.to].map((day) => ({
      day,
      roomName: '/a',
      sessions: 1,
      participantMinutes: 0,
      ...facts,
    }));
    for (const each of ends) await addUsage(leap, each);
    for (const query of [period, { ...period, roomName: '/a' }])
      for (const limit of [1, 10]) {
        const pages = await pagesOf(insightsOf(leap).usage, { ...query, limit });
        expect(pages.flatMap(({ results }) => results)).toEqual(ends);
      }
  });

  test('of the current month is listed by default', async () => {
    const now = organization();
    const day = new Date().toISOString().slice(0, 10);
    const today = { day, roomName: '/a', sessions: 1, participantMinutes: 0, ...facts };
    await addUsage(now, today);
    const before = new Date(Date.parse(`${day.slice(0, 8)}01`) - 1).toISOString().slice(0, 10);
    await addUsage(now, { ...today, day: before });
    expect((await insightsOf(now).usage()).results).toEqual([today]);
  });

  test('refuses days that do not exist, and periods that are backwards or too long', async () => {
    expect(await refusal({ from: '2026-02-30' })).toEqual([400, 'from: must be a day that exists']);
    expect(await refusal({ to: '2026-03-01T00:00Z' })).toEqual([400, 'to: must be a day, such as 2026-01-31']);
    expect(await refusal({ from: '2026-03-02', to: '2026-03-01' })).toEqual([
      400,
      'from: must not be after to, which is 2026-03-01',
    ]);
    expect(await refusal({ from: '2025-01-01', to: '2026-01-02' })).toEqual([
      400,
      'from: must be at most 365 days before to, which is 2026-01-02',
    ]);
    expect(await refusal({ from: '2025-01-01', to: '2026-01-01' })).toEqual([200]);
    expect(await refusal({ roomName: 'a' })).toEqual([400, 'roomName: must start with "/"']);
  });

  test('refuses a cursor of another list, and a made-up position', async () => {
    const query = { from: '2026-01-01', to: '2026-02-28', limit: 1 };
    const { cursor } = await usage(query);
    for (const more of [{ to: '2026-02-27' }, { from: '2025-12-31' }, { roomName: '/a' }])
      expect((await refusal({ ...query, ...more, cursor: String(cursor) }))[0]).toBe(400);
    const [hash] = JSON.parse(Buffer.from(String(cursor), 'base64url').toString());
    for (const position of ['2026-01-99', '2026-01-99\0/a', '2026-01-01', '2026-02-28\0'])
      expect(await refusal({ ...query, cursor: encoded([hash, position]) }), position).toEqual([200]);
    for (const position of ['2025-12-31\0/a', '2026-03-01', 'x'])
      expect((await refusal({ ...query, cursor: encoded([hash, position]) }))[0], position).toBe(400);
    const ofRoom = { ...query, roomName: '/a' };
    const [hashOfRoom] = JSON.parse(Buffer.from(String((await usage(ofRoom)).cursor), 'base64url').toString());
    expect(await refusal({ ...ofRoom, cursor: encoded([hashOfRoom, '2026-01-99']) })).toEqual([200]);
  });

  test('has rows in CSV with a column for each field', async () => {
    const address = pathOf('usage', { from: '2026-01-01', to: '2026-01-01', limit: 1 });
    const { text } = await clientOf(acme)('GET', address, { headers: { accept: 'text/csv' } });
    const columns =
      'day,roomName,sessions,participantMinutes,recorderMinutes,streamerMinutes,transcriptions,transcribedSeconds';
    expect(text).toBe(`${columns}\r\n2026-01-01,/,1,1,0,0,1,90\r\n`);
  });

  test('of an organization that has none is empty', async () => {
    expect(await insightsOf(`${organization()}-${randomUUID()}`.slice(0, 40)).usage()).toEqual({
      results: [],
      cursor: null,
    });
  });
});

function encoded(cursor: unknown): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}
