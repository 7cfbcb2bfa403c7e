import { clientSettings } from '#tools/shared/client-settings.ts';
import { capacityMeter } from '../support/storage/capacity-meter.ts';
import { withFilledDatabase } from './filled-database.ts';
import type { Report } from './report.ts';
import { fillingsOf, roomLists } from './scale/rooms.ts';
import { listFindings, measureLists, mediansOf, pageSize, rounds, sameUnits, spaced } from './scale/sized-lists.ts';

/** The rooms of the goal. */
const roomsOfGoal = 1_000_000;
const goalNumber = 6;

/** Reads pages of a long list of rooms and of a short one in turns. */
export async function measureScale(rooms: number): Promise<Report> {
  const number = rooms === roomsOfGoal ? goalNumber : undefined;
  return withFilledDatabase(`scale-${rooms}`, fillingsOf(rooms), async ({ endpoints, how }) => {
    const meter = capacityMeter(clientSettings(endpoints.dynamodbUrl));
    const measured = await measureLists(meter, roomLists(meter, endpoints.tables, rooms));
    return {
      setup:
        `The database of the local DynamoDB has an organization with 1 000 rooms and one with ${spaced(rooms)} (${how}). Pages of ${pageSize} ` +
        `in several orders are read ${rounds} times each, in turns, by the functions that the API reads them with. Ratios compare medians.`,
      findings: [...listFindings(measured, number), sameUnits(measured, number)],
      notes: [mediansOf(measured)],
    };
  });
}
