import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { ParticipantRecord, SessionKey } from '#shared/domain/insights/participant-record.ts';
import { noUsage, noVisitors } from '#shared/domain/insights/usage.ts';
import type { UsageKey } from '#shared/domain/insights/usage-day.ts';
import { daysOf } from '#shared/domain/insights/usage-period.ts';
import { usageDayKey } from '#shared/storage/common/keys.ts';
import { participantItems } from '#shared/storage/insights/participant-items.ts';
import { toRoomRow, toSessionRow } from '#shared/storage/insights/rows.ts';
import type { Consumptions, Measuring } from '../insights/insight-consumption.ts';
import type { InsightTables } from '../insights/insight-functions.ts';
import { storedRoom, storedRoomName, writeRows } from '../insights/stored-rooms.ts';
import { uuid } from '../operations/records.ts';
import type { Consumption } from './capacity-meter.ts';

const roomName = '/team/lists';
const externalId = 'crm-12345678';
const leapYear = { from: '2024-01-01', to: '2024-12-31' };
const at = (minute: number) => new Date(Date.parse('2026-03-01T00:00:00.000Z') + minute * 60_000).toISOString();

/** Fills an organization with `rooms` rooms, and one more room with sessions and people for two pages of 100. */
export async function fillLists(
  { documents }: Measuring['meter'],
  tables: InsightTables,
  organizationId: OrganizationId,
  rooms: number,
): Promise<void> {
  const key = (index: number): SessionKey => ({ organizationId, roomName, roomSessionId: uuid(index) });
  const count = 201;
  await writeRows(documents, tables.rooms, {
    count: rooms,
    make: (index) => toRoomRow(storedRoom(organizationId, index)),
  });
  await writeRows(documents, tables.rooms, {
    count: 1,
    make: () => toRoomRow({ ...storedRoom(organizationId, rooms), roomName }),
  });
  await writeRows(documents, tables.roomSessions, {
    count,
    make: (index) =>
      toSessionRow({
        ...key(index),
        startedAt: at(index),
        endedAt: index % 2 === 0 ? null : at(index + 30),
        usage: { ...noUsage, participantMinutes: index },
        visitors: noVisitors,
        ...{ talk: null, missing: [], asOf: at(index), version: 1, listedVersion: 1 },
      }),
  });
  const people = Array.from({ length: count }, (_, index) => participant(index));
  const items = [...participantItems(key(0), people).values()];
  await writeRows(documents, tables.participants, {
    count: items.length,
    make: (index) => items[index]?.toItem() ?? {},
  });
  await fillUsage(documents, tables, organizationId);
}

/** A room that was used on each day of a leap year, and some that were used on its last day. */
async function fillUsage(
  documents: Measuring['meter']['documents'],
  { usageDays }: InsightTables,
  organizationId: OrganizationId,
): Promise<void> {
  const counts = {
    sessions: 2,
    participantMinutes: 62,
    recorderMinutes: 31,
    transcriptions: 1,
    transcribedSeconds: 1872,
  };
  const keys = [
    ...daysOf(leapYear).map((day) => ({ organizationId, day, roomName })),
    ...Array.from({ length: 200 }, (_, index) => ({
      ...{ organizationId, day: leapYear.to, roomName: storedRoomName(index) },
    })),
  ];
  await writeRows(documents, usageDays, {
    count: keys.length,
    make: (index) => ({ ...usageDayKey(keys[index] as UsageKey), ...counts }),
  });
}

function participant(index: number): ParticipantRecord {
  const [participantId, deviceId, userId] = [uuid(index), uuid(1_000 + index), uuid(2_000 + index)];
  return {
    ...{ roomName, participantId, usage: noUsage, earliestAt: at(index) },
    ...{ latestAt: at(index), heardAt: at(index), talk: null, missing: [] },
    presence: { isWhole: true, connections: [], changes: [] },
    visitors: [{ kind: 'participant', visitorId: userId }],
    listed: {
      roomSessionId: uuid(0),
      participantId,
      deviceId,
      userId,
      roleName: 'participant',
      displayName: 'Katarína Castillo',
      joinedAt: at(index),
      leftAt: null,
      externalId,
      rating: null,
      tags: [],
      comment: null,
      ...{ spokenSeconds: null, spokenSource: null },
      completeness: { state: 'observed', missing: [] },
      asOf: at(index),
    },
  };
}

/** Measures a page of each list, with 10 and with 100 elements. Another page always follows. */
export async function consumptionOfLists({ organizationId, meter, insights }: Measuring): Promise<Consumptions> {
  const measured: Record<string, Consumption> = {};
  const session = { roomSessionId: uuid(0) };
  const lists = [
    ['rooms', 'rooms', {}],
    ['rooms by roomName', 'rooms', { sortBy: 'roomName:asc' }],
    ['rooms whose names begin alike', 'rooms', { roomNamePrefix: storedRoomName(0).slice(0, 8) }],
    [
      'rooms created in a range of time',
      'rooms',
      { createdAtFrom: '2026-01-01T00:00:00Z', createdAtTo: '2026-02-01T00:00:00Z' },
    ],
    [
      'rooms whose names begin alike, by totalSessions',
      'rooms',
      { 'roomName[startsWith]': storedRoomName(0).slice(0, 8), sortBy: 'totalSessions:asc' },
    ],
    ['sessions of a room', 'roomSessions', { roomName }],
    ['sessions of a room that started in a range of time', 'roomSessions', { roomName, startedAtFrom: at(0) }],
    ['participants of a session', 'participants', session],
    ['participants with an external id', 'participants', { externalId }],
    ['participants of a session with an external id', 'participants', { ...session, externalId }],
    ['participants who are still there, by leftAt:desc', 'participants', { ...session, sortBy: 'leftAt:desc' }],
    ['usage', 'usage', { from: leapYear.to, to: leapYear.to }],
    ['usage of a room', 'usage', { ...leapYear, roomName }],
  ] as const;
  for (const limit of ['10', '100']) {
    for (const [name, endpoint, query] of lists) {
      const page = () => insights.get(endpoint, organizationId, { ...query, limit });
      if ((await page()).results.length < Number(limit)) continue;
      measured[`${name}, page of ${limit}`] = await meter.measure(page);
    }
  }
  const unmatched = { 'roomName[contains]': 'no such name', sortBy: 'totalSessions:desc' };
  const rare = () => insights.get('rooms', organizationId, unmatched);
  if ((await rare()).cursor !== null)
    measured['rooms of which none matches, 1 000 looked at'] = await meter.measure(rare);
  const unused = { ...leapYear, roomName: '/never/used' };
  measured['usage of a room that was never used, 366 days'] = await meter.measure(() =>
    insights.get('usage', organizationId, unused),
  );
  measured['usage of a room, a month'] = await meter.measure(() =>
    insights.get('usage', organizationId, { from: '2024-01-01', to: '2024-01-31', roomName, limit: '100' }),
  );
  measured['a room by its exact name'] = await meter.measure(() =>
    insights.get('rooms', organizationId, { 'roomName[exact]': storedRoomName(0) }),
  );
  measured['one session of a room'] = await meter.measure(() =>
    insights.get('roomSessions', organizationId, { roomName, ...session }),
  );
  return measured;
}
