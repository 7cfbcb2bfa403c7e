import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { capacityMeter } from '../support/capacity-meter.ts';
import { costLineOf, documentedCosts } from '../support/documented-consumption.ts';
import {
  consumptionOfEvents,
  consumptionOfLatecomers,
  consumptionOfSamples,
  consumptionOfSession,
  type Measuring,
} from '../support/insight-consumption.ts';
import { type InsightTables, insightFunctions } from '../support/insight-functions.ts';
import { consumptionOfLists, fillLists } from '../support/list-consumption.ts';
import { captureLogLines } from '../support/log-lines.ts';
import { endpoints } from '../support/machine.ts';
import { organizationId } from '../support/records.ts';

const documented = await documentedCosts('docs/insights-cost.md');
const tables = endpoints.tables as InsightTables;

/**
 * A new organization with an id as long as a Cognito client id: the cost of an item depends on the length of its names.
 */
function startMeasuring(): Measuring & { readonly organizationId: ReturnType<typeof organizationId> } {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const meter = capacityMeter({ region: endpoints.region, credentials, endpoint: endpoints.dynamodbUrl });
  const insights = insightFunctions(meter.documents, tables);
  return { meter, insights, organizationId: organizationId(randomUUID().replaceAll('-', '').slice(0, 26)) };
}

beforeEach(() => {
  captureLogLines();
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each([10, 2000])('in an organization of %i rooms', (rooms) => {
  test('events and pages consume the capacity that docs/insights-cost.md states', async () => {
    const measuring = startMeasuring();
    const { meter } = measuring;
    await fillLists(meter, tables, measuring.organizationId, rooms);
    const filled = meter.calls.length;

    const measured = {
      ...(await consumptionOfEvents(measuring)),
      ...(await consumptionOfSession(measuring)),
      ...(await consumptionOfSamples(measuring)),
      ...(await consumptionOfLists(measuring)),
    };

    const lines = Object.entries(measured).map(([name, consumption]) => costLineOf(name, consumption));
    const isPossible = (line: string) => rooms > 100 || !/^\| rooms.* page of 100 /.test(line);
    expect(lines.toSorted()).toEqual(documented.filter(isPossible).toSorted());
    const calls = meter.calls.slice(filled);
    expect([...new Set(calls.map(({ command }) => command))].toSorted()).toEqual(
      ['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'TransactWriteItems'], // in particular, no Scan
    );
    expect(calls.filter(({ input }) => 'FilterExpression' in input)).toEqual([]);
  });
});

test('the 200th participant costs as much as the tenth', async () => {
  const [tenth, last] = await consumptionOfLatecomers(startMeasuring(), [10, 200]);

  expect(last).toEqual(tenth);
});
