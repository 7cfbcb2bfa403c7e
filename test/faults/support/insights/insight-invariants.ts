import { expect } from 'vitest';
import type { SessionId } from '#shared/domain/insights/participant-record.ts';
import { valueDifference } from '#tools/simulation/difference.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { organization } from '../../../support/machine.ts';
import type { CapturedLogs } from '../captured-logs.ts';
import { problemsOf } from '../log-invariants.ts';
import type { World } from '../world.ts';
import { expectedInsights, questionsOf } from './insight-model.ts';
import { readInsights } from './insights-reader.ts';
import { canaries } from './session-script.ts';
import { storedSession } from './stored-sessions.ts';
import { problemsOfSpeech } from './stored-speech.ts';

const parallelReads = 4;
/** The number of changed organizations whose data another organization tries to read. */
const outsidersPerRest = 2;
const maxEventsShown = 12;

/**
 * Checks that every organization with new events sees exactly what the independent recount gives, that its rows and lists agree with
 * its logs, its stored speech with its events, that no other organization sees any of it, and that no log line contains personal data.
 */
export async function expectInsights(world: World, logs: Pick<CapturedLogs, 'text'>): Promise<void> {
  const organizations = world.sent.takeChangedOrganizations();
  const wrong: string[] = [];
  await inParallel(organizations, parallelReads, async (organizationId) => {
    const difference = await differenceFor(world, organizationId);
    if (difference !== undefined) wrong.push(`${organizationId}: ${difference}`);
  });
  expect(wrong, 'the insights agree with the recount: nothing is lost or doubled').toEqual([]);
  for (const organizationId of organizations.slice(-outsidersPerRest)) {
    const questions = questionsOf(world.sent.of(organizationId));
    const found = Object.values(await readInsights(world, organization(), questions))
      .flatMap(Object.values)
      .flat();
    expect(found, 'another organization sees nothing').toEqual([]);
  }
  for (const canary of Object.values(canaries))
    expect(logs.text(), 'no log contains personal data').not.toContain(canary);
}

async function differenceFor(world: World, organizationId: string): Promise<string | undefined> {
  const events = world.sent.of(organizationId);
  const questions = questionsOf(events);
  const expected = await expectedInsights(organizationId, events);
  const difference = valueDifference(expected, await readInsights(world, organizationId, questions));
  if (difference === undefined) {
    const problems = await problemsOfSessions(world, organizationId, questions.sessions);
    return [...problems, ...(await problemsOfSpeech(world.resources.tables, organizationId, events))][0];
  }
  if (events.length > maxEventsShown) return difference;
  return `${difference} after ${JSON.stringify(events)}`;
}

function problemsOfSessions(world: World, organizationId: string, ids: readonly string[]): Promise<string[]> {
  const sessions = [...new Set(ids.map((id) => id.toLowerCase()))];
  const problems = sessions.map(async (roomSessionId) =>
    problemsOf(await storedSession(world.resources.tables, { organizationId, roomSessionId } as SessionId)),
  );
  return Promise.all(problems).then((found) => found.flat());
}
