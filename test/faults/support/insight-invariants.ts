import { expect } from 'vitest';
import { valueDifference } from '../../../tools/simulation/difference.ts';
import { inParallel } from '../../../tools/simulation/in-parallel.ts';
import { organization } from '../../support/machine.ts';
import type { CapturedLogs } from './captured-logs.ts';
import { expectedInsights, questionsOf } from './insight-model.ts';
import { readInsights } from './insights-reader.ts';
import { canaries } from './session-script.ts';
import type { World } from './world.ts';

const parallelReads = 4;
/** Of so many organizations that have news, a stranger asks for everything too. */
const strangersPerRest = 2;
const maxEventsShown = 12;

/**
 * Every organization that something was said of since the last time finds exactly what the independent recount finds, and
 * nobody else finds any of it; nothing that people are called, or say, is in a log.
 */
export async function expectInsights(world: World, logs: CapturedLogs): Promise<void> {
  const organizations = world.sent.takeNews();
  const wrong: string[] = [];
  await inParallel(organizations, parallelReads, async (organizationId) => {
    const difference = await differenceFor(world, organizationId);
    if (difference !== undefined) wrong.push(`${organizationId}: ${difference}`);
  });
  expect(wrong, 'nothing lost, nothing doubled: the insights agree with the recount').toEqual([]);
  for (const organizationId of organizations.slice(-strangersPerRest)) {
    const questions = questionsOf(world.sent.of(organizationId));
    const found = Object.values(await readInsights(world, organization(), questions))
      .flatMap(Object.values)
      .flat();
    expect(found, 'no byte with a stranger').toEqual([]);
  }
  for (const canary of Object.values(canaries)) expect(logs.text(), 'nothing personal in a log').not.toContain(canary);
}

async function differenceFor(world: World, organizationId: string): Promise<string | undefined> {
  const events = world.sent.of(organizationId);
  const questions = questionsOf(events);
  const expected = await expectedInsights(organizationId, events);
  const difference = valueDifference(expected, await readInsights(world, organizationId, questions));
  if (difference === undefined || events.length > maxEventsShown) return difference;
  return `${difference} after ${JSON.stringify(events)}`;
}
