import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UnsecuredJWT } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { ownerOf } from '#client/cli/commands/insights/export/owner.ts';
import type { Scope } from '#client/cli/commands/insights/export/state.ts';
import { fetchAll } from '#client/cli/commands/insights/export/steps.ts';
import { WorkFolder } from '#client/cli/commands/insights/export/work-folder.ts';
import type { Roomscribe } from '#client/roomscribe.ts';

const apiUrl = 'https://api.example.com';
const scope: Scope = { apiUrl, owner: 'acme', from: '2026-03-02', to: '2026-03-03', format: 'csv' };
const state = { scope, step: 0, key: 0, cursor: null, files: {}, mayOverwrite: false, isFinishing: false };

/** A folder with an unfinished export, and a file beside it. */
async function foreignFolder(given: unknown) {
  const root = await mkdtemp(path.join(tmpdir(), 'export-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const [out, precious] = [path.join(root, 'out'), path.join(root, 'precious.txt')];
  const work = path.join(out, '.roomscribe-export');
  await mkdir(work, { recursive: true });
  await writeFile(precious, 'precious');
  await writeFile(path.join(work, 'state.json'), JSON.stringify(given));
  return { out, work, precious };
}

test.each([
  ['another file name', { ...state, files: { '../../precious.txt': { bytes: 0, rows: 0, header: '' } } }],
  ['a negative size', { ...state, files: { rooms: { bytes: -1, rows: 0, header: '' } } }],
  ['a missing value', { scope }],
])('a state with %s is refused', async (_, given) => {
  const { out, precious } = await foreignFolder(given);
  await expect(WorkFolder.open(out, scope, false)).rejects.toThrow('is not the state of an export');
  expect(await readFile(precious, 'utf8')).toBe('precious');
});

test.each([false, true])('a link is not followed (finishing: %s)', async (isFinishing) => {
  const files = { rooms: { bytes: 0, rows: 0, header: '' } };
  const { out, work, precious } = await foreignFolder({ ...state, files, isFinishing });
  await symlink(precious, path.join(work, 'rooms'));
  await expect(WorkFolder.open(out, scope, false)).rejects.toThrow('is not a file');
  expect(await readFile(precious, 'utf8')).toBe('precious');
});

test('the folder of an unfinished export is not a link', async () => {
  const { out, work } = await foreignFolder(state);
  const other = path.join(out, 'other');
  await mkdir(other);
  await symlink(work, path.join(other, '.roomscribe-export'));
  await expect(WorkFolder.open(other, scope, false)).rejects.toThrow('is not a folder');
});

test('a file that appears during an export is not overwritten', async () => {
  const { out } = await foreignFolder(state);
  const result = path.join(out, 'rooms.csv');
  const begun = await WorkFolder.open(out, scope, false);
  await begun.append('rooms', 'roomName\r\n', []);
  await begun.save();
  await writeFile(result, 'precious');
  await expect(begun.finish()).rejects.toThrow('already exists');
  await expect(WorkFolder.open(out, scope, false)).rejects.toThrow('already exists');
  expect(await readFile(result, 'utf8')).toBe('precious');
  await rm(result);
  await (await WorkFolder.open(out, scope, false)).finish();
  expect(await readFile(result, 'utf8')).toBe('roomName\r\n');
});

test('an owner is the same for a renewed token, and another for each other claim or client', () => {
  const owner = (claims: object) => ownerOf({ apiUrl, token: new UnsecuredJWT({ ...claims }).encode() });
  const acme = { iss: 'https://issuer', sub: 'ann', client_id: 'app', org: 'acme' };
  expect(owner({ ...acme, iat: 1, exp: 2, jti: 'one' })).toBe(owner({ jti: 'two', exp: 4, iat: 3, ...acme }));
  const client = { apiUrl, tokenUrl: 'https://issuer/token', clientId: 'acme', clientSecret: 'one' };
  expect(ownerOf(client)).toBe(ownerOf({ ...client, clientSecret: 'two' }));
  const owners = [
    ...[acme, { ...acme, org: 'other' }, { ...acme, iss: 'https://other' }, { ...acme, sub: 'bob' }].map(owner),
    ...['opaque', 'other'].map((token) => ownerOf({ apiUrl, token })),
    ...[client, { ...client, clientId: 'other' }, { ...client, tokenUrl: 'https://other/token' }].map(ownerOf),
  ];
  expect(new Set(owners).size).toBe(owners.length);
});

/** Two rooms that share the id of a session. `onPage` is told of each page before it is returned. */
function twoRooms(onPage: (list: string) => void): Roomscribe {
  const listOf = (list: string, header: string, rows: readonly string[]) => ({
    rowPage: async () => {
      onPage(list);
      return { header, rows, cursor: null };
    },
  });
  const time = '2026-03-02T09:00:00.000Z';
  const rooms = [`/a,${time},${time}\r\n`, `/b,${time},${time}\r\n`];
  return {
    insights: {
      listRooms: () => listOf('rooms', 'roomName,firstSessionStartedAt,lastSessionStartedAt\r\n', rooms),
      listRoomSessions: () => listOf('sessions', 'roomSessionId\r\n', ['shared\r\n']),
      listParticipants: () => listOf('participants', 'participantId\r\n', ['ann\r\n', 'bob\r\n']),
    },
    transcriptions: { list: () => listOf('transcriptions', 'transcriptionId\r\n', ['one\r\n']) },
  } as unknown as Roomscribe;
}

test.each(['rooms', 'sessions', 'participants', 'transcriptions'])(
  'an export that is interrupted after the last page of %s writes no row twice',
  async (interruptedAt) => {
    const { out } = await foreignFolder(state);
    const progress = { isLive: false } as Parameters<typeof fetchAll>[3];
    const first = await WorkFolder.open(out, scope, false);
    const stopping = new AbortController();
    const client = twoRooms((list) => list === interruptedAt && stopping.abort());
    await expect(fetchAll(client, first, stopping.signal, progress)).rejects.toThrow('aborted');
    await first.save();
    const second = await WorkFolder.open(out, scope, false);
    await fetchAll(
      twoRooms(() => {}),
      second,
      new AbortController().signal,
      progress,
    );
    await second.finish();
    const linesOf = async (name: string) =>
      (await readFile(path.join(out, `${name}.csv`), 'utf8')).split('\r\n').slice(1, -1);
    expect((await linesOf('rooms')).map((line) => line.slice(0, 2))).toEqual(['/a', '/b']);
    expect(await linesOf('sessions')).toEqual(['shared', 'shared']);
    expect(await linesOf('participants')).toEqual(['ann', 'bob']);
    expect(await linesOf('transcriptions')).toEqual(['one']);
  },
);
