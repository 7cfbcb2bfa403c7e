import { beforeAll, expect, test } from 'vitest';
import { clientOf } from '../../support/http/checked-api.ts';
import { csvObjects } from '../../support/http/csv.ts';
import { variedRooms } from '../../support/insights/insight-lists.ts';
import { insightsOf, pathOf, send, untilCounted } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

const acme = organization();
let addresses: string[];

beforeAll(async () => {
  const events = variedRooms(acme, 3);
  await send(...events);
  await untilCounted(acme, events);
  const [room] = (await insightsOf(acme).rooms({ sortBy: 'totalUniqueParticipants:desc' })).results;
  const bySize = { roomName: room?.roomName, sortBy: 'totalUniqueParticipants:desc' };
  const [session] = (await insightsOf(acme).roomSessions(bySize)).results;
  const { roomSessionId } = session ?? {};
  const [person] = (await insightsOf(acme).participants({ roomSessionId })).results;
  addresses = [
    pathOf('rooms', { limit: 2 }),
    pathOf('roomSessions', { roomName: room?.roomName }),
    pathOf('participants', { roomSessionId }),
    pathOf('participant', { roomSessionId, participantId: person?.participantId }),
    '/v1/transcriptions',
  ];
});

test('every list and participant detail has the same rows and cursor in JSON, CSV and NDJSON', async () => {
  for (const address of addresses) {
    const as = async (accept: string) => (await clientOf(acme))('GET', address, { headers: { accept } });
    const json = JSON.parse((await as('application/json')).text);
    const rows: readonly Record<string, unknown>[] = json.results ?? json;
    const ndjson = await as('application/x-ndjson');
    expect(rows.length > 0 || address.includes('transcriptions')).toBe(true);
    expect(ndjson.headers['content-type']).toBe('application/x-ndjson');
    expect(
      ndjson.text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toEqual(rows);
    const csv = await as('text/csv');
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    for (const { headers } of [csv, ndjson]) expect(headers['x-next-cursor'] ?? null).toBe(json.cursor ?? null);
    const cells = rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === null ? '' : String(value)])),
    );
    const plain = (name: string) => typeof rows[0]?.[name] !== 'object';
    expect(csvObjects(csv.text)).toMatchObject(
      cells.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => plain(name)))),
    );
  }
});

test('the header with the cursor leads to the next page', async () => {
  const [address = ''] = addresses;
  const accept = { headers: { accept: 'text/csv' } };
  const first = await clientOf(acme)('GET', address, accept);
  const cursor = String(first.headers['x-next-cursor']);
  const second = await clientOf(acme)('GET', `${address}&cursor=${encodeURIComponent(cursor)}`, accept);
  const names = [first, second].flatMap(({ text }) => csvObjects(text).map(({ roomName }) => roomName));
  expect(new Set(names).size).toBe(3);
  expect(second.headers).not.toHaveProperty('x-next-cursor');
});
