import { appendFile, mkdir, mkdtemp, readdir, readFile, rmdir } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { beforeAll, expect, inject, test } from 'vitest';
import { commandLine, commandLineOf } from '../../support/client/command-line.ts';
import { csvObjects } from '../../support/http/csv.ts';
import { listedSessions } from '../../support/http/listing.ts';
import { serveInTest } from '../../support/http/test-server.ts';
import { variedRooms } from '../../support/insights/insight-lists.ts';
import { insightsOf, send, untilCounted } from '../../support/insights/insights.ts';
import { endpoints, organization, token } from '../../support/machine.ts';

const acme = organization();
const period = ['--from', '2026-03-02', '--to', '2026-03-03'];
let sessions: readonly string[];
let people: readonly string[];

beforeAll(async () => {
  const events = variedRooms(acme, 8);
  await send(...events);
  await untilCounted(acme, events);
  await listedSessions(acme, [{ startDate: '2026-03-02T10:00:00.000Z' }, { startDate: '2026-03-03T00:00:00.000Z' }]);
  const api = insightsOf(acme);
  const rooms = (await api.rooms({ limit: 100 })).results;
  const pages = await Promise.all(rooms.map(({ roomName }) => api.roomSessions({ roomName, limit: 100 })));
  sessions = pages.flatMap(({ results }) => results.map(({ roomSessionId }) => roomSessionId));
  const lists = await Promise.all(sessions.map((roomSessionId) => api.participants({ roomSessionId, limit: 100 })));
  people = lists.flatMap(({ results }) => results.map((each) => `${each.roomSessionId} ${each.participantId}`));
});

const folder = async () => path.join(await mkdtemp(path.join(inject('machine').temporaryFolder, 'export-')), 'out');
const rowsOf = async (out: string, name: string) => csvObjects(await readFile(path.join(out, `${name}.csv`), 'utf8'));

async function expectComplete(out: string): Promise<void> {
  expect((await readdir(out)).sort()).toEqual(['participants.csv', 'rooms.csv', 'sessions.csv', 'transcriptions.csv']);
  const found = (await rowsOf(out, 'sessions')).map(({ roomSessionId }) => roomSessionId);
  expect(found.toSorted()).toEqual([...sessions].sort());
  const names = new Set((await rowsOf(out, 'sessions')).map(({ roomName }) => roomName));
  expect((await rowsOf(out, 'rooms')).map(({ roomName }) => roomName)).toEqual([...names]);
  const present = (await rowsOf(out, 'participants')).map((each) => `${each.roomSessionId} ${each.participantId}`);
  expect(present.toSorted()).toEqual([...people].sort());
  expect((await rowsOf(out, 'transcriptions')).map(({ startDate }) => startDate)).toEqual(['2026-03-02T10:00:00.000Z']);
}

test('export writes all of the period, and then overwrites nothing without --force', async () => {
  const { run } = await commandLineOf(acme);
  const out = await folder();
  expect(await run(['export', ...period, '--out', out])).toMatchObject({ code: 0, stdout: '' });
  await expectComplete(out);
  const again = await run(['export', ...period, '--out', out]);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already exists')]);
  expect((await run(['export', ...period, '--out', out, '--force'])).code).toBe(0);
  await expectComplete(out);
});

test('export --json prints the folder and the rows of each file, which can be NDJSON', async () => {
  const { run } = await commandLineOf(acme);
  for (const [format, options] of [
    ['csv', []],
    ['ndjson', ['--ndjson']],
  ] as const) {
    const out = await folder();
    const { code, stdout, stderr } = await run(['export', ...period, '--out', out, '--json', ...options]);
    expect([code, stderr]).toEqual([0, '']);
    const written = await readFile(path.join(out, `participants.${format}`), 'utf8');
    expect(JSON.parse(stdout)).toMatchObject({ folder: out, rows: { participants: people.length, transcriptions: 1 } });
    expect(written.startsWith('{')).toBe(format === 'ndjson');
  }
});

test('export continues after any failed request, without a row twice or missing', async () => {
  const { run } = await commandLineOf(acme);
  const out = await folder();
  let left = 0;
  const proxy = await serveInTest((asked, answer) => {
    if (left-- <= 0) return answer.writeHead(503).end('{}');
    const passed = request(
      `${endpoints.apiUrl}${asked.url}`,
      { method: asked.method ?? 'GET', headers: asked.headers },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        got.pipe(answer);
      },
    );
    passed.end();
  });
  const given = { env: { ROOMSCRIBE_API_URL: proxy } };
  const codes: (number | null)[] = [];
  for (let round = 0; round < 40 && codes.at(-1) !== 0; round++) {
    left = 2;
    const { code, stderr } = await run(['export', ...period, '--out', out], given);
    codes.push(code);
    for (const file of code === 0 ? [] : await readdir(path.join(out, '.roomscribe-export'))) {
      if (!file.startsWith('state.json'))
        await appendFile(path.join(out, '.roomscribe-export', file), 'written after the state');
    }
    if (code !== 0) expect([code, stderr]).toEqual([7, expect.stringContaining('run the same command again')]);
  }
  expect(codes.length).toBeGreaterThan(5);
  await expectComplete(out);
});

test('export refuses another period in the folder of an unfinished one, and writes headers of empty files', async () => {
  const { run } = await commandLineOf(organization());
  const out = await folder();
  const unreachable = { env: { ROOMSCRIBE_API_URL: 'http://127.0.0.1:9' } };
  expect((await run(['export', ...period, '--out', out], unreachable)).code).toBe(7);
  const { code, stderr } = await run(['export', '--from', '2026-01-01', '--to', '2026-01-02', '--out', out]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('unfinished export')]);
  expect((await run(['export', ...period, '--out', out, '--force', '--csv'])).code).toBe(0);
  for (const name of ['rooms', 'sessions', 'participants', 'transcriptions']) {
    expect(await readFile(path.join(out, `${name}.csv`), 'utf8')).toMatch(/^\w+,[\w,.]+\r\n$/);
  }
});

test('export does not continue with the token of another organization', async () => {
  const { run } = await commandLine();
  const out = await folder();
  const as = (ROOMSCRIBE_TOKEN: string) => ({ env: { ROOMSCRIBE_API_URL: 'http://127.0.0.1:9', ROOMSCRIBE_TOKEN } });
  expect((await run(['export', ...period, '--out', out], as(await token(acme)))).code).toBe(7);
  const { code, stderr } = await run(['export', ...period, '--out', out], as(await token(organization())));
  expect([code, stderr]).toEqual([2, expect.stringContaining('another account')]);
  expect((await run(['export', ...period, '--out', out], as(await token(acme)))).code).toBe(7);
});

test('export writes a page once, if one of its files could not be written before', async () => {
  const { run } = await commandLineOf(acme);
  const out = await folder();
  const inTheWay = path.join(out, '.roomscribe-export', 'sessions');
  await mkdir(inTheWay, { recursive: true });
  expect((await run(['export', ...period, '--out', out])).code).not.toBe(0);
  await rmdir(inTheWay);
  expect((await run(['export', ...period, '--out', out])).code).toBe(0);
  await expectComplete(out);
});

test('export continues if it could not give all files their names', async () => {
  const { run } = await commandLineOf(acme);
  const out = await folder();
  const inTheWay = path.join(out, 'sessions.csv');
  await mkdir(inTheWay, { recursive: true });
  expect((await run(['export', ...period, '--out', out, '--force'])).code).not.toBe(0);
  expect(await readdir(out)).toContain('rooms.csv');
  await rmdir(inTheWay);
  expect((await run(['export', ...period, '--out', out])).code).toBe(0);
  await expectComplete(out);
});

test('export refuses a day that the calendar does not have', async () => {
  const { run } = await commandLineOf(acme);
  for (const to of ['2026-02-30', '2026-02-29T12:00:00Z', '2026-13-01']) {
    const { code, stderr } = await run(['export', '--from', '2026-01-01', '--to', to, '--out', await folder()]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--to must be a date')]);
  }
});
