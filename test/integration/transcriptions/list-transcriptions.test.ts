import { beforeAll, describe, expect, it } from 'vitest';
import { type Transcription, transcriptionSortFields } from '#shared/contracts/transcriptions/transcription.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, issuePaths } from '../../support/http/checked-api.ts';
import { listedSessions, listPath, pageOf, pagesOf, sorted } from '../../support/http/listing.ts';
import { liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { organization } from '../../support/machine.ts';

const idsOf = (transcriptions: readonly Transcription[]) =>
  transcriptions.map(({ transcriptionId }) => transcriptionId);
const rooms = ['/daily', '/daily standup', '/daily\u0001', '/dailyé', '/Daily', '/z'];
const orders = transcriptionSortFields.flatMap((field) =>
  (['asc', 'desc'] as const).map((order) => [field, order] as const),
);

describe('a list of 120 transcriptions with many ties', () => {
  const acme = organization();
  let all: Transcription[];

  beforeAll(async () => {
    const facts = Array.from({ length: 120 }, (_, index) => ({
      roomName: rooms[index % rooms.length] ?? '/',
      startDate: `2026-03-${String(1 + ((index * 7) % 10)).padStart(2, '0')}T09:00:00.000Z`,
      durationInSeconds: [0, 5, 10, 60, 100, 3600, 100_000][index % 7] ?? 0,
    }));
    all = await listedSessions(acme, facts);
  });

  it.each(orders)('is sorted by %s:%s for every page size', async (field, direction) => {
    const expected = idsOf(sorted(all, field, direction));
    for (const limit of [17, 60, 100]) {
      const pages = await pagesOf(acme, { sortBy: `${field}:${direction}`, limit });

      expect(pages.flatMap(({ results }) => idsOf(results))).toEqual(expected);
      expect(pages.map(({ results }) => results.length)).toEqual(sizes(120, limit));
      expect(pages.map(({ cursor }) => cursor === null)).toEqual(pages.map((_, index) => index === pages.length - 1));
    }
  });

  it.each(orders)('is sorted by %s:%s within each room', async (field, direction) => {
    for (const [index, roomName] of rooms.entries()) {
      const limit = [1, 3, 7, 19, 20, 21][index] ?? 100;
      const pages = await pagesOf(acme, { roomName, sortBy: `${field}:${direction}`, limit });

      const ofRoom = all.filter((transcription) => transcription.roomName === roomName);
      expect(pages.flatMap(({ results }) => idsOf(results))).toEqual(idsOf(sorted(ofRoom, field, direction)));
      expect(pages.map(({ results }) => results.length)).toEqual(sizes(20, limit));
    }
  });

  it('has the newest start first and 50 per page by default', async () => {
    const { results } = await pageOf(acme);

    expect(idsOf(results)).toEqual(idsOf(sorted(all, 'startDate', 'desc')).slice(0, 50));
  });

  it('shows each transcription as a read of it does', async () => {
    const [first] = (await pageOf(acme, { limit: 1 })).results;

    const read = await clientOf(acme)('GET', `/v1/transcriptions/${first?.transcriptionId}`);
    expect(JSON.parse(read.text)).toEqual(first);
  });
});

/** The sizes of the pages of a list. */
function sizes(total: number, limit: number): number[] {
  return Array.from({ length: Math.ceil(total / limit) }, (_, page) => Math.min(limit, total - page * limit));
}

describe.concurrent('a list of transcriptions', () => {
  it('is empty for an organization without transcriptions and for an unknown room', async () => {
    const acme = organization();

    expect(await pageOf(acme)).toEqual({ results: [], cursor: null });
    expect(await pageOf(acme, { roomName: '/nowhere' })).toEqual({ results: [], cursor: null });
  });

  it('has no cursor if its only page is exactly full', async () => {
    const acme = organization();
    await listedSessions(acme, [{}, {}, {}]);

    expect((await pageOf(acme, { limit: 3 })).cursor).toBeNull();
    expect((await pageOf(acme, { limit: 2 })).cursor).not.toBeNull();
  });

  it.each(['asc', 'desc'] as const)(
    'read %s during additions and deletions repeats and omits none of the others',
    async (direction) => {
      const acme = organization();
      const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T09:00:00.000Z`;
      const before = await listedSessions(
        acme,
        Array.from({ length: 12 }, (_, index) => ({ startDate: day(2 * index + 2) })),
      );
      const inOrder = sorted(before, 'startDate', direction);
      const sortBy = `startDate:${direction}`;
      const pages = [await pageOf(acme, { sortBy, limit: 4 })];

      // Deletes one that was read, the last one read, and one still to come. Adds some on both sides of the position.
      const gone = [inOrder[1], inOrder[3], inOrder[6]].map((each) => String(each?.transcriptionId));
      for (const id of gone) await clientOf(acme)('DELETE', `/v1/transcriptions/${id}`);
      await sendToRoomEvents([3, 5, 21, 23].map((date) => liveSession(acme, { startDate: day(date) }).finished()));
      await eventually(async () => expect((await pageOf(acme)).results).toHaveLength(13));
      for (let cursor = pages[0]?.cursor; cursor; cursor = pages.at(-1)?.cursor) {
        pages.push(await pageOf(acme, { sortBy, limit: 4, cursor }));
      }

      const read = pages.flatMap(({ results }) => idsOf(results));
      const survivors = idsOf(before).filter((id) => !gone.includes(id));
      expect(new Set(read).size).toBe(read.length);
      expect(survivors.filter((id) => !read.includes(id))).toEqual([]);
      expect(read).not.toContain(gone[2]);
    },
  );
});

const names = [
  '/café', // one code point for the é
  '/cafe\u0301', // two
  '/🎙️ запись 会議',
  '/\u202eשלום\u202c',
  '/a%2Fb',
  '/a/b',
  '/a?b#c',
  '/a+b',
  '/a b',
  '/a%20b',
  '/"quoted"&x=<y>',
  `/${'é'.repeat(255)}a`, // 512 bytes
  '/',
  '/acme#/daily',
];

describe('the name of a room', () => {
  it('is returned unchanged, and never matches a room of another name', async () => {
    const acme = organization();
    await listedSessions(
      acme,
      names.map((roomName) => ({ roomName })),
    );

    for (const roomName of names) {
      const { results } = await pageOf(acme, { roomName });
      expect(results.map((result) => result.roomName)).toEqual([roomName]);
    }
  });

  it('may be form-encoded, with a plus for a space', async () => {
    const acme = organization();
    await listedSessions(acme, [{ roomName: '/a b' }]);

    const answer = await clientOf(acme)('GET', '/v1/transcriptions?roomName=%2Fa+b');
    expect(JSON.parse(answer.text).results).toHaveLength(1);
  });

  it.each([
    ['nothing', ''],
    ['without a slash', 'daily'],
    ['with a space before its slash', ' /daily'],
    ['513 bytes', `/${'x'.repeat(512)}`],
    ['257 characters of 513 bytes', `/${'é'.repeat(256)}`],
    ['with a NUL', '/nul\0'],
    ['encoded twice', '%2Fdaily'],
  ])('is rejected in a list: %s', async (_, roomName) => {
    const answer = await clientOf(organization())('GET', listPath({ roomName }));

    expect([answer.status, issuePaths(answer)]).toEqual([400, ['roomName']]);
  });

  it.each(['%ED%A0%80', '%FF', '%C0%AF', '%', '%zz'])('is rejected if it is not UTF-8: %s', async (bytes) => {
    expect((await clientOf(organization())('GET', `/v1/transcriptions?roomName=/${bytes}`)).status).toBe(400);
  });
});
