import { beforeAll, describe, expect, it } from 'vitest';
import { TranscriptionPage } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { clientOf, issuePaths, type RawAnswer } from '../../support/http/checked-api.ts';
import { listedSessions, listPath, pageOf } from '../../support/http/listing.ts';
import {
  bytesOf,
  cutOff,
  flipped,
  foreignCursors,
  oddPositions,
  replaced,
  withPosition,
} from '../../support/http/tampered-cursors.ts';
import { organization } from '../../support/machine.ts';

const acme = organization();
const other = organization();
const query = { sortBy: 'startDate:asc', limit: 2 };
let cursor: string;
let foreignCursor: string;
let ownIds: ReadonlySet<string>;

beforeAll(async () => {
  const facts = [1, 2, 3, 4, 5].map((day) => ({ startDate: `2026-03-0${day}T09:00:00.000Z` }));
  await Promise.all([listedSessions(acme, facts), listedSessions(other, facts)]);
  ownIds = new Set((await pageOf(acme)).results.map(({ transcriptionId }) => transcriptionId));
  cursor = String((await pageOf(acme, query)).cursor);
  foreignCursor = String((await pageOf(other, { ...query, limit: 1 })).cursor);
});

const listWith = (tampered: string, more: object = {}): Promise<RawAnswer> =>
  clientOf(acme)('GET', listPath({ ...query, ...more, cursor: tampered }));

/** Expects a 400 that names the cursor, or a page of the caller's own list. */
function expectOwnOr400(answer: RawAnswer): void {
  if (answer.status === 400) expectRefused(answer);
  else {
    const { results } = TranscriptionPage.parse(JSON.parse(answer.text));
    expect(results.filter(({ transcriptionId }) => !ownIds.has(transcriptionId))).toEqual([]);
  }
}

function expectRefused(answer: RawAnswer): void {
  expect([answer.status, issuePaths(answer)]).toEqual([400, ['cursor']]);
}

describe.concurrent('a list cursor', () => {
  it('continues where its page ended, every time it is used and with any limit', async () => {
    const dates = async (limit: number) =>
      (await pageOf(acme, { ...query, limit, cursor })).results.map((each) => each.startDate);

    expect(await dates(2)).toEqual(['2026-03-03T09:00:00.000Z', '2026-03-04T09:00:00.000Z']);
    expect(await dates(2)).toEqual(['2026-03-03T09:00:00.000Z', '2026-03-04T09:00:00.000Z']);
    expect(await dates(100)).toHaveLength(3);
  });

  it.each([
    { sortBy: 'startDate:desc' },
    { sortBy: 'roomName:asc' },
    { sortBy: 'durationInSeconds:asc' },
    { sortBy: undefined },
    { roomName: '/daily' },
  ])('is rejected with another order or filter: %o', async (more) => {
    expectRefused(await listWith(cursor, more));
  });

  it("of another organization shows only the caller's own list", async () => {
    const { results } = TranscriptionPage.parse(JSON.parse((await listWith(foreignCursor)).text));

    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ transcriptionId }) => !ownIds.has(transcriptionId))).toEqual([]);
  });

  it('does not contain the organization', () => {
    expect(bytesOf(cursor).toString('latin1')).not.toContain(acme);
  });

  const answersTo = (cursors: readonly string[]) => Promise.all(cursors.map((tampered) => listWith(tampered)));

  it("with a flipped bit in any byte is rejected or shows only the caller's own list", async () => {
    const { inHash, elsewhere } = flipped(cursor);

    for (const answer of await answersTo(inHash)) expectRefused(answer);
    for (const answer of await answersTo(elsewhere)) expectOwnOr400(answer);
  });

  it("with a replaced character is rejected or shows only the caller's own list", async () => {
    for (const answer of await answersTo(replaced(cursor))) expectOwnOr400(answer);
  });

  it('is rejected if it is truncated anywhere', async () => {
    for (const answer of await answersTo(cutOff(cursor))) expectRefused(answer);
  });

  it.each(foreignCursors)('is rejected if it is %s', async (_, text) => {
    expectRefused(await listWith(text));
  });

  it('of over 10 KB never reaches a function', async () => {
    const answer = await listWith('A'.repeat(10_240));

    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain('issues');
  });

  it.each(oddPositions)("with the position %s is rejected or shows only the caller's own list", async (_, position) => {
    expectOwnOr400(await listWith(withPosition(cursor, position)));
  });
});
