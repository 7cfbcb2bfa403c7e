import { beforeAll, describe, expect, it } from 'vitest';
import { TranscriptionPage } from '#shared/contracts/transcription.ts';
import { clientOf, issuePaths, type RawAnswer } from '../support/checked-api.ts';
import { listedSessions, listPath, pageOf } from '../support/listing.ts';
import { organization } from '../support/machine.ts';

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

/** Refused, naming the cursor; or a place in the caller's own list. Nothing else. */
function expectOwnOr400(answer: RawAnswer): void {
  if (answer.status === 400) {
    expect(issuePaths(answer)).toEqual(['cursor']);
    return;
  }
  const { results } = TranscriptionPage.parse(JSON.parse(answer.text));
  expect(results.filter(({ transcriptionId }) => !ownIds.has(transcriptionId))).toEqual([]);
}

const flip = (bytes: Buffer, index: number, bit: number): Buffer => {
  const flipped = Buffer.from(bytes);
  flipped[index] = (flipped[index] ?? 0) ^ (1 << bit);
  return flipped;
};

describe.concurrent('a cursor', () => {
  it('continues where its page ended, as often as it is used, with any limit', async () => {
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
  ])('of another order or filter is refused: %o', async (more) => {
    const answer = await listWith(cursor, more);

    expect([answer.status, issuePaths(answer)]).toEqual([400, ['cursor']]);
  });

  it("of another organization is a place in the caller's own list and shows nothing else", async () => {
    const { results } = TranscriptionPage.parse(JSON.parse((await listWith(foreignCursor)).text));

    expect(results.length).toBeGreaterThan(0);
    expect(results.filter(({ transcriptionId }) => !ownIds.has(transcriptionId))).toEqual([]);
  });

  it('names no organization', () => {
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain(acme);
  });

  it.each([0, 4, 7])('with bit %i of any byte flipped is refused, or a place in the own list', async (bit) => {
    const bytes = Buffer.from(cursor, 'base64url');
    const flips = Array.from(bytes, (_, index) => flip(bytes, index, bit).toString('base64url'));

    const answers = await Promise.all(flips.map((flipped) => listWith(flipped)));

    for (const answer of answers) expectOwnOr400(answer);
    const withinHash = answers.slice(2, 13).map(({ status }) => status); // after `["`, eleven characters
    expect(withinHash).toEqual(withinHash.map(() => 400));
  });

  it('with a character of its text replaced is refused, or a place in the own list', async () => {
    const replaced = [...cursor].map((_, index) => `${cursor.slice(0, index)}%${cursor.slice(index + 1)}`);

    for (const answer of await Promise.all(replaced.map((text) => listWith(text)))) expectOwnOr400(answer);
  });

  it('cut off anywhere is refused', async () => {
    const cuts = [...cursor].map((_, index) => cursor.slice(0, index));

    for (const answer of await Promise.all(cuts.map((cut) => listWith(cut)))) {
      expect([answer.status, issuePaths(answer)]).toEqual([400, ['cursor']]);
    }
  });

  it.each([
    ['empty', ''],
    ['no base64', '!!!!'],
    ['text', Buffer.from('hello').toString('base64url')],
    ['null', Buffer.from('null').toString('base64url')],
    ['a number', Buffer.from('1').toString('base64url')],
    ['an object', Buffer.from('{"organizationId":"x"}').toString('base64url')],
    ['a list', Buffer.from('[[],[]]').toString('base64url')],
    ['deeply nested', Buffer.from('['.repeat(2000)).toString('base64url')],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00, 0x80]).toString('base64url')],
    ['8 KB of letters', 'A'.repeat(8000)],
    ['a DynamoDB key', Buffer.from('{"organizationId":{"S":"x"}}').toString('base64url')],
  ])('that is %s is refused', async (_, text) => {
    const answer = await listWith(text);

    expect([answer.status, issuePaths(answer)]).toEqual([400, ['cursor']]);
  });

  it('of more than 10 KB never reaches a function', async () => {
    const answer = await listWith('A'.repeat(10_240));

    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).not.toContain('issues');
  });

  it.each([
    ['empty', ''],
    ['a number', 5],
    ['a NUL', '\0'],
    ['the last of all characters', '\uffff'.repeat(300)],
    ['as long as a key may be', '9'.repeat(1024)],
    ['one byte longer', '9'.repeat(1025)],
    ['a lone surrogate', '\ud800'],
    ['a list', ['2026']],
    ['nothing', undefined],
  ])('that is right but for its position, %s, is refused or a place in the own list', async (_, position) => {
    const [hash] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));

    expectOwnOr400(await listWith(Buffer.from(JSON.stringify([hash, position])).toString('base64url')));
  });
});
