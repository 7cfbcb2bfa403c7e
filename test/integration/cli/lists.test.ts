import { beforeAll, expect, test } from 'vitest';
import { commandLineOf, environmentOf } from '../../support/client/command-line.ts';
import { person } from '../../support/client/terminal.ts';
import { listedSessions, pagesOf } from '../../support/http/listing.ts';
import { organization } from '../../support/machine.ts';

const acme = organization();
const list = ['transcriptions', 'list', '--sort-by', 'startDate:asc'];
let ids: string[];

beforeAll(async () => {
  const facts = Array.from({ length: 160 }, (_, minute) => ({
    startDate: new Date(Date.parse('2026-03-01T09:00:00Z') + minute * 60_000).toISOString(),
  }));
  await listedSessions(acme, facts);
  const pages = await pagesOf(acme, { sortBy: 'startDate:asc', limit: 100 });
  ids = pages.flatMap(({ results }) => results.map(({ transcriptionId }) => transcriptionId));
});

const shown = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(' ')[0]);

test('transcriptions list shows the first page, and says that there is more', async () => {
  const { run } = await commandLineOf(acme);
  const { stdout, stderr } = await run(list);
  expect(shown(stdout)).toEqual(ids.slice(0, 50));
  expect(stderr).toBe('There are more rows. To show them, add --limit NUMBER or --all.\n');
});

test.each([1, 100, 101, 150])('transcriptions list --limit %i shows that many', async (limit) => {
  const { run } = await commandLineOf(acme);
  const { stdout, stderr } = await run([...list, '--limit', String(limit)]);
  expect(shown(stdout)).toEqual(ids.slice(0, limit));
  expect(stderr).toBe('There are more rows. To show them, add --limit NUMBER or --all.\n');
});

test.each([['--all'], ['--limit', '160'], ['--limit', '1000']])(
  '%j shows all, and says no more',
  async (...options) => {
    const { run } = await commandLineOf(acme);
    const { stdout, stderr } = await run([...list, ...options]);
    expect(shown(stdout)).toEqual(ids);
    expect(stderr).toBe('');
  },
);

test('--all shows and then erases a progress count at a terminal', async () => {
  const { roomscribe } = await person(environmentOf(acme));
  const all = roomscribe([...list, '--all']);
  expect(await all.exitCode).toBe(0);
  expect(all.raw()).toContain('100 so far');
  expect(await all.screen()).not.toContain('so far');
});

test('--json has the format of the API, and its cursor continues after the last result', async () => {
  const { json } = await commandLineOf(acme);
  const first = await json([...list, '--limit', '150']);
  const rest = await json([...list, '--cursor', first.cursor]);
  expect(Object.keys(first)).toEqual(['results', 'cursor']);
  const all = [...first.results, ...rest.results];
  expect(all.map(({ transcriptionId }: { transcriptionId: string }) => transcriptionId)).toEqual(ids);
  expect(rest.cursor).toBeNull();
});

test.each([
  [['--limit', '0'], '--limit must be a whole number, 1 or greater, not "0".'],
  [['--limit', 'many'], '--limit must be a whole number, 1 or greater, not "many".'],
  [['--limit', '3', '--all'], "Option '--all' cannot be used with option '--limit <number>'."],
  [['--state', 'redy'], "Option '--state <state>' argument 'redy' is invalid."],
  [['--stat', 'ready'], "Unknown option '--stat'.\n(Did you mean --state?)"],
  [['--start-date-from', 'yesterday'], '--start-date-from must be an ISO 8601 date and time'],
  [['--cursor', 'x'], '--cursor '],
  [['--state', 'ready', '--room-name', '/daily'], '--state cannot be combined with --room-name.'],
])('transcriptions list rejects %j with a message', async (options, message) => {
  const { run } = await commandLineOf(acme);
  const { code, stdout, stderr } = await run(['transcriptions', 'list', ...options]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

test('transcriptions list ends without an error if its reader closes the pipe', async () => {
  const { begin } = await commandLineOf(acme);
  const { child, ended } = begin([...list, '--all']);
  child.stdout.destroy();
  expect(await ended).toEqual({ code: 0, stdout: '', stderr: '' });
});
