import { OrganizationId } from '#shared/contracts/organization.ts';
import { participantLister } from '#shared/storage/insights/lists.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { createRandom } from '#tools/simulation/random.ts';
import type { CapacityMeter } from '../../support/capacity-meter.ts';
import { type InsightFunctions, type InsightTables, insightFunctions } from '../../support/insight-functions.ts';
import { type Guest, newGuest, newSession, platformOf } from '../../support/session-events.ts';
import { ordersOf, sortOf } from './rooms-and-sessions.ts';
import { depth, pageSize, type Size, type SizedLists } from './sized-lists.ts';

const organizationId = OrganizationId.parse('bench-scale-sessions'.padEnd(26, '-'));
const counts = { small: 1_000, large: 10_000 };
const eventsPerBatch = 1_000;
const startedAt = Date.parse('2026-03-02T09:00:00.000Z');
const fields = ['joinedAt', 'leftAt'] as const;

type Field = (typeof fields)[number];

/** Records two sessions with the worker's handler, which 1 000 and 10 000 people join and half of them leave. Returns their participants, in four orders. */
export async function participantLists({ documents }: CapacityMeter, tables: InsightTables): Promise<SizedLists> {
  const insights = insightFunctions(documents, tables);
  const sessions = {
    small: await recordSession(insights.record, counts.small),
    large: await recordSession(insights.record, counts.large),
  };
  const list = participantLister(documents, tables.participants);
  const read = (size: Size, order: string, cursor: string | undefined, limit = pageSize) =>
    list(organizationId, { roomSessionId: sessions[size], limit, sortBy: sortOf<Field>(order), cursor });
  return {
    ...{ elements: 'participants of a session', counts, orders: ordersOf(fields), read },
    afterCursor: 'with a cursor, a page takes a second query in ascending order, and among those without a value',
    deepCursor: async (size, order) => {
      let cursor: string | undefined;
      for (let left = Math.floor(counts[size] * depth) - pageSize; left > 0; left -= 100) {
        const page = await read(size, order, cursor, Math.min(100, left));
        cursor = page.cursor ?? undefined;
      }
      return cursor ?? '';
    },
  };
}

/** Records a session in which all are at the same time, and the first half leaves. Returns its id. */
async function recordSession(record: InsightFunctions['record'], people: number): Promise<string> {
  const { uuid } = createRandom('scale', people);
  const progress = openProgress(process.stderr);
  let now = startedAt;
  const platform = platformOf(organizationId, () => (now += 1_000), uuid);
  const session = newSession('/many-people', uuid);
  const guests = Array.from({ length: people }, () => newGuest({}, uuid));
  await record(platform.started(session));
  const inBatches = async (some: readonly Guest[], eventOf: (guest: Guest) => PlatformEvent) => {
    for (let first = 0; first < some.length; first += eventsPerBatch) {
      await record(...some.slice(first, first + eventsPerBatch).map(eventOf));
      progress.show(
        `Recording a session of ${people} people`,
        Math.min(some.length, first + eventsPerBatch),
        some.length,
      );
    }
  };
  await inBatches(guests, (guest) => platform.joined(session, guest));
  await inBatches(guests.slice(0, people / 2), (guest) => platform.left(session, guest));
  progress.end();
  return session.roomSessionId;
}
