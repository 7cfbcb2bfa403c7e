import { describe, expect, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Connection, PlatformName } from '#shared/contracts/platforms/connection.ts';
import { uuidOf } from '#shared/platforms/ids.ts';
import { permutations } from '../../../support/insights/session-facts.ts';
import { hookMachine } from '../../../support/webhooks/hook-machine.ts';

// A room is used again, and the end of its first session is late or lost. Platforms whose webhooks name no session must not put anybody
// into the wrong one, in whatever order the webhooks arrive.

const start = Date.parse('2026-03-02T09:00:00.000Z');
const iso = (second: number) => new Date(start + second * 1000).toISOString();
const epoch = (second: number) => start / 1000 + second;

const connectionOf = (platform: PlatformName): Connection => ({
  ...{ connectionId: 'c'.repeat(43), organizationId: OrganizationId.parse('acme'), platform, settings: {} },
  createdAt: '2026-01-01T00:00:00.000Z',
});

/** Who is in which session, and from when to when, in the seconds of the test. Sessions have the names that `names` gives their ids. */
async function told(
  connection: Connection,
  hooks: readonly object[],
  names: Readonly<Record<string, string>>,
  options: Options = {},
) {
  const machine = hookMachine(connection, { now: start + 4 * 86_400_000, ...options });
  for (const hook of hooks) {
    await machine.receive(hook);
    await machine.pass(options.pauseMs ?? 1000);
  }
  await machine.pass(options.patienceMs ?? 120_000);
  const events = machine.events().flatMap(({ type, createdAt, data }) => {
    const { roomSessionId, participantId } = data as { roomSessionId?: string; participantId?: string };
    if (roomSessionId === undefined) return [];
    const at = (Date.parse(createdAt) - start) / 1000;
    return `${names[roomSessionId] ?? roomSessionId} ${type.split('.').slice(-1)} ${participantId ?? ''} ${at}`.replace(
      '  ',
      ' ',
    );
  });
  return [...new Set(events)].toSorted();
}
type Options = {
  readonly pauseMs?: number;
  readonly patienceMs?: number;
  readonly isClosed?: (roomSessionId: string) => boolean;
};

describe('Daily', () => {
  const connection = connectionOf('daily');
  const names = { [uuidOf(connection, 'one')]: 'one', [uuidOf(connection, 'two')]: 'two' };
  const hook = (type: string, payload: object) => ({ type, payload: { room: 'standup', ...payload } });
  const started = (id: string, at: number) => hook('meeting.started', { meeting_id: id, start_ts: epoch(at) });
  const ended = (id: string, from: number, to: number) =>
    hook('meeting.ended', { meeting_id: id, start_ts: epoch(from), end_ts: epoch(to) });
  const joined = (who: string, at: number) =>
    hook('participant.joined', { session_id: who, user_id: who, user_name: who, joined_at: epoch(at) });
  const left = (who: string, at: number, duration: number) =>
    hook('participant.left', { session_id: who, user_id: who, user_name: who, joined_at: epoch(at), duration });
  const first = [started('one', 0), joined('ada', 0), left('ada', 0, 600)];
  const second = ['two joined ben 605', 'two left ben 905', 'two started 605'];

  test('a join before the start of the next meeting is in no earlier one, whose end is late, in any order', async () => {
    const later = [
      joined('ben', 605),
      left('ben', 605, 300),
      started('two', 605),
      ended('one', 0, 600),
      ended('two', 605, 905),
    ];
    for (const order of permutations(later)) {
      const all = await told(connection, [...first, ...order], names);
      expect(all).toEqual([
        'one ended 600',
        'one joined ada 0',
        'one left ada 600',
        'one started 0',
        'two ended 905',
        ...second,
      ]);
    }
  });

  test.each([
    ['hours', 7200],
    ['days', 3 * 86_400],
  ])('nor in one whose end was lost %s ago', async (_, at) => {
    const later = [joined('ben', at), started('two', at), left('ben', at, 300), ended('two', at, at + 300)];
    for (const order of permutations(later)) {
      const all = await told(connection, [...first, ...order], names);
      expect(all.filter((event) => event.includes('ben'))).toEqual([
        `two joined ben ${at}`,
        `two left ben ${at + 300}`,
      ]);
    }
  });

  test('a join in the middle of a meeting is told after a minute, or at the end if that comes first', async () => {
    const late = joined('ben', 1800);
    expect(await told(connection, [...first, late], names, { patienceMs: 50_000 })).not.toContain(
      'one joined ben 1800',
    );
    expect(await told(connection, [...first, late], names)).toContain('one joined ben 1800');
    const ends = await told(connection, [...first, late, ended('one', 0, 3600)], names, { patienceMs: 0 });
    expect(ends).toContain('one joined ben 1800');
  });

  test('a join soon after the start is told at once, and a later one is translated once more', async () => {
    const machine = hookMachine(connection, { now: start + 86_400_000 });
    for (const hook of [started('one', 0), joined('ada', 30)]) await machine.receive(hook);
    expect(machine.events().map(({ type }) => type)).toContain('room.client.joined');
    const before = machine.translations();
    await machine.receive(joined('ben', 1800));
    await machine.pass(600_000);
    expect(machine.translations() - before).toBe(2);
    expect(machine.waiting(), 'nothing waits any more').toBe(0);
  });

  test('a start that comes while its join begins to wait is seen', async () => {
    let starts: (() => Promise<void>) | undefined;
    const machine = hookMachine(connection, { now: start, beforeWait: async () => starts?.() });
    starts = async () => {
      starts = undefined;
      await machine.receive(started('one', 0));
    };
    await machine.receive(joined('ada', 1));
    expect(machine.events().map(({ type }) => type)).toEqual(['room.session.started', 'room.client.joined']);
    expect(machine.waiting()).toBe(0);
  });

  test('a session that somebody closed takes no later join, until its own end or the next start decides', async () => {
    const isClosed = (id: string) => names[id] === 'one';
    const late = joined('ben', 7200);
    expect(await told(connection, [...first, late], names, { isClosed })).not.toContain('one joined ben 7200');
    expect(await told(connection, [...first, late, started('two', 7200)], names, { isClosed })).toContain(
      'two joined ben 7200',
    );
    expect(await told(connection, [...first, late, ended('one', 0, 7300)], names, { isClosed })).toContain(
      'one joined ben 7200',
    );
  });

  test.each([
    ['far ahead', 40 * 86_400],
    ['long before', -400 * 86_400],
  ])('a session with a start %s is not remembered', async (_, at) => {
    const all = await told(connection, [started('one', at), joined('ben', at + 5)], names);
    expect(all.filter((event) => event.includes('ben'))).toEqual([]);
  });

  test('nor is one with an end far ahead', async () => {
    const all = await told(connection, [ended('one', 0, 40 * 86_400), joined('ben', 7200)], names);
    expect(all.filter((event) => event.includes('ben'))).toEqual([]);
  });

  test('webhooks that wait are not sent again for every join, and those of other times are not at all', async () => {
    const connected = { ...connection, settings: { bucket: 'recordings-of-acme' } };
    const machine = hookMachine(connected, { now: start + 4 * 86_400_000 });
    for (let index = 0; index < 20; index++) await machine.receive(joined(`lost-${index}`, -86_400));
    await machine.receive({ ...started('one', 0) });
    for (let index = 0; index < 10; index++) await machine.receive({ ...joined('ada', 1), id: index });
    await machine.pass(1000);
    expect(machine.translations()).toBe(20 + 1 + 10);
  });
});

describe('Jitsi without the ids of meetings', () => {
  const connection = connectionOf('jitsi');
  const room = { room_name: 'standup', room_jid: 'standup@conference.x', is_breakout: false };
  const idOf = (at: number) => uuidOf(connection, JSON.stringify([room.room_jid, '', iso(at)]));
  const created = (at: number) => ({ ...room, event_name: 'muc-room-created', created_at: epoch(at) });
  const occupant = (who: string, at: number) => ({ occupant_jid: `${who}@x/${who}`, joined_at: epoch(at) });
  const joined = (who: string, at: number, active_occupants_count: number) => ({
    ...{ ...room, event_name: 'muc-occupant-joined', active_occupants_count, occupant: occupant(who, at) },
  });
  const left = (who: string, at: number, to: number, active_occupants_count: number) => ({
    ...{ ...room, event_name: 'muc-occupant-left', active_occupants_count },
    occupant: { ...occupant(who, at), left_at: epoch(to) },
  });

  test('the second occupant of the next session is not in an earlier one whose end was lost, in any order', async () => {
    const names = { [idOf(0)]: 'one', [idOf(7200)]: 'two' };
    for (const order of permutations([joined('ben', 7201, 2), joined('ada', 7200, 1), created(7200)])) {
      const all = await told(connection, [created(0), joined('ada', 0, 1), ...order], names);
      expect(all).toEqual([
        'one joined ada 0',
        'one started 0',
        'two joined ada 7200',
        'two joined ben 7201',
        'two started 7200',
      ]);
    }
  });

  test('a session that the last occupant has left takes nobody, also if nothing else is ever announced', async () => {
    const names = { [idOf(0)]: 'one' };
    const before = [created(0), joined('ada', 0, 1), left('ada', 0, 600, 0)];
    const all = await told(connection, [...before, joined('ben', 605, 1)], names);
    expect(all.filter((event) => event.includes('ben'))).toEqual([]);
  });
});

describe('Whereby', () => {
  const connection = connectionOf('whereby');
  const [one, two] = ['0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10', '1d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10'];
  const names = { [one]: 'one', [two]: 'two' };
  const hook = (type: string, at: number, data: object = {}) => ({
    type,
    createdAt: iso(at),
    data: { roomName: '/standup', ...data },
  });
  const client = (kind: string, roomSessionId: string, participantId: string, at: number, numClients: number) =>
    hook(`room.client.${kind}`, at, { roomSessionId, participantId, numClients });
  const first = [
    client('joined', one, 'ada', 0, 1),
    client('joined', one, 'ben', 10, 2),
    hook('room.session.started', 10),
    client('left', one, 'ada', 100, 1),
    client('left', one, 'ben', 110, 0),
  ];

  test.each([
    ['seconds', 115],
    ['minutes', 400],
  ])('a start without an id is not that of a session that everybody left %s ago', async (_, at) => {
    const later = [
      hook('room.session.started', at),
      client('joined', two, 'cleo', at - 3, 1),
      client('joined', two, 'dan', at, 2),
    ];
    for (const order of permutations(later)) {
      const all = await told(connection, [...first, ...order], names);
      expect(all.filter((event) => event.includes('started'))).toEqual(['one started 10', `two started ${at}`]);
    }
  });

  test('an end without an id is that of the session that everybody has left', async () => {
    const all = await told(connection, [...first, hook('room.session.ended', 111)], names);
    expect(all).toContain('one ended 111');
  });

  test('an end that comes before its last leave waits for it, or ends the session after a while', async () => {
    const [last] = first.slice(-1);
    const before = [...first.slice(0, -1), hook('room.session.ended', 110)];
    expect(await told(connection, [...before, last ?? {}], names)).toContain('one ended 110');
    expect(await told(connection, before, names)).toContain('one ended 110');
  });
});
