import { clientSettings } from '#tools/shared/client-settings.ts';
import { capacityMeter } from '../support/capacity-meter.ts';
import type { InsightTables } from '../support/insight-functions.ts';
import { withFilledDatabase } from './filled-database.ts';
import { withLocalRunner } from './local-runner.ts';
import type { Finding, Report } from './report.ts';
import { participantLists } from './scale/large-sessions.ts';
import { measureLongStay } from './scale/long-stay.ts';
import { fillingsOf, roomLists, sessionLists } from './scale/rooms-and-sessions.ts';
import {
  listFindings,
  type MeasuredLists,
  measureLists,
  mediansOf,
  pageSize,
  rounds,
  sameUnits,
  spaced,
  unitsOf,
} from './scale/sized-lists.ts';

/** The rooms of the goal. */
export const roomsOfGoal = 1_000_000;
const goalNumber = 6;

/** Reads pages of long lists and of short ones in turns: rooms, the sessions of a room, the participants of a session. Then a participant of a day. */
export async function measureScale(rooms: number): Promise<Report> {
  const number = rooms === roomsOfGoal ? goalNumber : undefined;
  const { ofRooms, ofSessions, how } = await measureFilled(rooms);
  const { ofParticipants, ofStay } = await measureRecorded();
  return {
    setup:
      `The database of the local DynamoDB has an organization with 1 000 rooms and one with ${spaced(rooms)}, and a room with 1 000 ` +
      `sessions and one with 100 000 (${how}). On another runner, the worker's handler records a session of 1 000 participants and one of ` +
      `10 000, half of whom leave. Pages of ${pageSize} in several orders are read ${rounds} times each, in turns, by the functions that the API ` +
      'reads them with. Ratios compare medians. Then the handler records two participants with a sample every two seconds, of 24 hours and of one.',
    findings: [
      ...listFindings(ofRooms, number),
      sameUnits(ofRooms, number),
      ...listFindings(ofSessions, undefined),
      sameUnits(ofSessions, undefined),
      ...listFindings(ofParticipants, undefined),
      unitsOfParticipants(ofParticipants),
      ...ofStay,
    ],
    notes: [ofRooms, ofSessions, ofParticipants].map(mediansOf),
  };
}

function measureFilled(rooms: number) {
  return withFilledDatabase(`scale-${rooms}`, fillingsOf(rooms), async ({ endpoints, how }) => {
    const meter = capacityMeter(clientSettings(endpoints.dynamodbUrl));
    const ofRooms = await measureLists(meter, roomLists(meter, endpoints.tables, rooms));
    return { how, ofRooms, ofSessions: await measureLists(meter, sessionLists(meter, endpoints.tables)) };
  });
}

/** What handlers record quickly enough is recorded anew in each run. The database that is kept does not change. */
function measureRecorded() {
  return withLocalRunner(async (endpoints) => {
    const meter = capacityMeter(clientSettings(endpoints.dynamodbUrl));
    const tables = endpoints.tables as InsightTables;
    const ofParticipants = await measureLists(meter, await participantLists(meter, tables));
    return { ofParticipants, ofStay: await measureLongStay(meter, tables) };
  });
}

/** Participants are stored in pages of about four, so their units differ a little. */
function unitsOfParticipants({ lists, pages }: MeasuredLists): Finding {
  const [small, large] = (['small', 'large'] as const).map((size) =>
    unitsOf(pages.filter((page) => page.size === size)),
  );
  return {
    goal: `read units of a page of ${pageSize} ${lists.elements}`,
    figure: `${large?.join(', ')}`,
    spread: `${small?.join(', ')} of ${spaced(lists.counts.small)}`,
  };
}
