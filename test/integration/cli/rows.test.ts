import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { commandLine, commandLineOf } from '../../support/client/command-line.ts';
import { csvObjects } from '../../support/http/csv.ts';
import { serveInTest } from '../../support/http/test-server.ts';
import { variedRooms } from '../../support/insights/insight-lists.ts';
import { insightsOf, send, untilCounted } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

const acme = organization();
const roomCount = 12;

beforeAll(async () => {
  const events = variedRooms(acme, roomCount);
  await send(...events);
  await untilCounted(acme, events);
});

const linesOf = (ndjson: string) =>
  ndjson
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** A command line whose service answers with this CSV. After the first page, `then` answers. */
async function withService(then: 'fails' | 'is silent') {
  let asked = 0;
  const url = await serveInTest((_, response) => {
    if (++asked === 1) {
      response.writeHead(200, { 'content-type': 'text/csv', 'x-next-cursor': 'second' });
      response.end('roomName,rating\r\n"/a\r\n",1\r\n/b,2\r\n');
    } else if (then === 'fails') response.writeHead(503).end('{}');
  });
  const { run, begin } = await commandLine();
  const given = { env: { ROOMSCRIBE_API_URL: url, ROOMSCRIBE_TOKEN: 't' } };
  return {
    run: (args: readonly string[]) => run(args, given),
    begin: (args: readonly string[]) => begin(args, given),
  };
}

test('--csv and --ndjson print all pages of a list, and nothing else', async () => {
  const { run } = await commandLineOf(acme);
  const rooms = (await insightsOf(acme).rooms({ sortBy: 'roomName:asc', limit: 100 })).results;
  const all = ['rooms', '--sort-by', 'roomName:asc', '--all'];
  const csv = await run([...all, '--csv']);
  expect([csv.code, csv.stderr]).toEqual([0, '']);
  expect(csvObjects(csv.stdout).map(({ roomName }) => roomName)).toEqual(rooms.map(({ roomName }) => roomName));
  const ndjson = await run([...all, '--ndjson']);
  expect(linesOf(ndjson.stdout)).toEqual(rooms);
});

test('--limit limits the rows, and a note says that there are more', async () => {
  const { run } = await commandLineOf(acme);
  const { stdout, stderr } = await run(['rooms', '--csv', '--limit', '5']);
  expect(csvObjects(stdout)).toHaveLength(5);
  expect(stderr).toBe('There are more rows. To show them, add --limit NUMBER or --all.\n');
});

test('network --ndjson prints each connection in a line', async () => {
  const { run } = await commandLineOf(acme);
  const [room] = (await insightsOf(acme).rooms({ sortBy: 'totalUniqueParticipants:desc' })).results;
  const bySize = { roomName: room?.roomName, sortBy: 'totalUniqueParticipants:desc' };
  const [session] = (await insightsOf(acme).roomSessions(bySize)).results;
  const roomSessionId = session?.roomSessionId ?? '';
  const connections = await insightsOf(acme).participant({ roomSessionId, participantId: 'p-0' });
  const { stdout } = await run(['network', roomSessionId, 'p-0', '--ndjson']);
  expect(linesOf(stdout)).toEqual(connections);
  expect(stdout).toContain('"samples"');
});

test.each([
  [['--csv', '--ndjson'], "Option '--csv' cannot be used with option '--ndjson'."],
  [['--csv', '--json'], `Option '--csv' cannot be used with option '--json'.`],
])('a list rejects %j', async (options, message) => {
  const { run } = await commandLineOf(acme);
  const { code, stdout, stderr } = await run(['rooms', ...options]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

test('a list that fails after a page says how many rows are complete, and prints the command for the others', async () => {
  const { run } = await withService('fails');
  const { code, stdout, stderr } = await run([
    'sessions',
    "/it's",
    '--sort-by',
    'rating:asc',
    '--csv',
    '--limit',
    '150',
  ]);
  expect([code, stdout]).toEqual([7, 'roomName,rating\r\n"/a\r\n",1\r\n/b,2\r\n']);
  expect(stderr).toContain(
    'The first 2 rows are complete. To print the others, run: ' +
      "roomscribe sessions '/it'\\''s' --cursor second --sort-by rating:asc --limit 148 --csv\n",
  );
});

test('a list that is interrupted after a page does the same', async () => {
  const { begin } = await withService('is silent');
  const { child, ended } = begin(['rooms', '--csv', '--all']);
  await once(child.stdout, 'readable');
  await new Promise((resolve) => setImmediate(resolve));
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([
    130,
    'Interrupted.\nThe first 2 rows are complete. To print the others, run: roomscribe rooms --cursor second --all --csv\n',
  ]);
});
