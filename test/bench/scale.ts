import type { SortDirection } from '#shared/contracts/fields.ts';
import type { RoomSortField } from '#shared/contracts/insights.ts';
import { OrganizationId } from '#shared/contracts/organization.ts';
import { sortAttributeName } from '#shared/names.ts';
import { encodeCursor } from '#shared/storage/cursor.ts';
import { roomLister } from '#shared/storage/insights/room-lists.ts';
import { toRoomRow } from '#shared/storage/insights/rows.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { type CapacityMeter, capacityMeter } from '../support/capacity-meter.ts';
import { storedRoom, writeRows } from '../support/stored-rooms.ts';
import { withLocalRunner } from './local-runner.ts';
import { median } from './quantiles.ts';
import type { Finding, Report } from './report.ts';

const smallRooms = 1000;
const rounds = 60;
const warmUpRounds = 5;
const pageSize = 10;
const depth = 0.99;
const maxSizeRatio = 1.2;
const maxDepthRatio = 1.1;
const fields: readonly RoomSortField[] = ['lastSessionStartedAt', 'createdAt', 'totalParticipantMinutes'];

/** A page of one organization's rooms in one order, with the measurements of its reads. */
type Page = {
  readonly order: string;
  readonly size: 'small' | 'large';
  readonly place: 'first' | 'deep';
  readonly read: () => Promise<unknown>;
  readonly milliseconds: number[];
  readonly units: Set<number>;
};

/** Reads pages of an organization with 1 000 rooms and of one with `rooms` rooms, in turns. */
export async function measureScale(rooms: number): Promise<Report> {
  return withLocalRunner(async (endpoints) => {
    const meter = capacityMeter(clientSettings(endpoints.dynamodbUrl));
    const tableName = endpoints.tables.rooms ?? '';
    const organizations = { small: organizationOf(smallRooms), large: organizationOf(rooms) };
    await load(meter, tableName, organizations.small, smallRooms);
    const loadSeconds = await load(meter, tableName, organizations.large, rooms);
    const listRooms = roomLister(meter.documents, tableName);
    const pages = fields.flatMap((field) =>
      (['asc', 'desc'] as const).flatMap((direction) =>
        (['small', 'large'] as const).flatMap((size) => {
          const organizationId = organizations[size];
          const deep = deepCursor(organizationId, size === 'small' ? smallRooms : rooms, field, direction);
          return (['first', 'deep'] as const).map((place): Page => {
            const cursor = place === 'deep' ? deep : undefined;
            const query = { limit: pageSize, sortBy: { field, direction }, cursor };
            const read = () => listRooms(organizationId, query);
            return { order: `${field}:${direction}`, size, place, read, milliseconds: [], units: new Set() };
          });
        }),
      ),
    );
    await readInTurns(meter, pages);
    return reportOf(pages, rooms, loadSeconds);
  });
}

const organizationOf = (rooms: number) => OrganizationId.parse(`bench-scale-${rooms}`.padEnd(26, '-'));

/** Writes the rooms of an organization and returns the duration in seconds. */
async function load({ documents }: CapacityMeter, tableName: string, organizationId: OrganizationId, count: number) {
  const progress = openProgress(process.stderr);
  const startedAt = performance.now();
  const make = (index: number) => toRoomRow(storedRoom(organizationId, index));
  const onProgress = (written: number) => progress.show(`Writing the rooms of ${organizationId}`, written, count);
  await writeRows(documents, tableName, { count, make }, { parallel: 4, onProgress });
  progress.end();
  return (performance.now() - startedAt) / 1000;
}

/** The cursor of a page at 99 % depth, which has another page after it. */
function deepCursor(organizationId: OrganizationId, count: number, field: RoomSortField, direction: SortDirection) {
  const attribute = sortAttributeName(field);
  const positions = Array.from({ length: count }, (_, index) =>
    String(toRoomRow(storedRoom(organizationId, index))[attribute]),
  ).sort();
  const before = Math.floor(count * depth) - pageSize;
  return encodeCursor(['rooms', field, direction], positions.at(direction === 'asc' ? before - 1 : -before) ?? '');
}

/** Reads each page once in every round, so that other load on the machine affects all pages alike. */
async function readInTurns(meter: CapacityMeter, pages: readonly Page[]): Promise<void> {
  const progress = openProgress(process.stderr);
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const page of round % 2 === 0 ? pages : pages.toReversed()) {
      const startedAt = performance.now();
      const { reads } = await meter.measure(page.read);
      if (round >= 0) page.milliseconds.push(performance.now() - startedAt);
      page.units.add(reads);
    }
    progress.show('Reading the pages in turns', Math.max(0, round + 1), rounds);
  }
  progress.end();
}

function reportOf(pages: readonly Page[], rooms: number, loadSeconds: number): Report {
  const p50 = (order: string, size: Page['size'], place: Page['place']) =>
    median(
      pages.find((page) => page.order === order && page.size === size && page.place === place)?.milliseconds ?? [],
    );
  const orders = [...new Set(pages.map(({ order }) => order))];
  const bySize = (place: Page['place']) =>
    orders.map((order) => p50(order, 'large', place) / p50(order, 'small', place));
  const units = [...new Set(pages.flatMap((page) => [...page.units]))];
  const large = rooms.toLocaleString('en').replaceAll(',', ' ');
  return {
    setup:
      `One organization has 1 000 rooms, another has ${large} (written with all 14 indexes in ${loadSeconds.toFixed(0)} s). ` +
      `Pages of ${pageSize} rooms in ${orders.length} orders are read ${rounds} times each, in turns. Ratios compare medians.`,
    findings: [
      ratio(`the first page, ${large} rooms relative to 1 000`, bySize('first'), maxSizeRatio),
      ratio(`a page at 99 % depth, ${large} rooms relative to 1 000`, bySize('deep'), maxSizeRatio),
      ratio(
        `a page at 99 % depth relative to the first page, ${large} rooms`,
        orders.map((order) => p50(order, 'large', 'deep') / p50(order, 'large', 'first')),
        maxDepthRatio,
      ),
      {
        number: 6,
        goal: 'every page consumes the same read units',
        figure: units.join(', '),
        spread: `${pages.length} kinds of pages`,
        isMet: units.length === 1,
      },
    ],
    notes: [
      `Medians in ms: ${orders
        .map((order) => {
          const each = (['small', 'large'] as const).flatMap((size) => [
            p50(order, size, 'first'),
            p50(order, size, 'deep'),
          ]);
          return `\`${order}\` ${each.map((value) => value.toFixed(2)).join(' / ')}`;
        })
        .join('; ')} (first and deep page of 1 000 rooms, first and deep page of ${large}).`,
    ],
  };
}

function ratio(goal: string, ratios: readonly number[], limit: number): Finding {
  const [smallest, largest] = [Math.min(...ratios), Math.max(...ratios)];
  return {
    number: 6,
    goal: `p50 of ${goal}: at most ${limit}`,
    figure: largest.toFixed(2),
    spread: `${smallest.toFixed(2)} to ${largest.toFixed(2)} over ${ratios.length} orders`,
    isMet: largest <= limit,
  };
}
