import { describe, expect, it } from 'vitest';
import type { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Connection } from '#shared/contracts/platforms/connection.ts';
import type { PlatformEvent } from '#tools/simulation/events.ts';
import { type Recount, recount } from '#tools/simulation/recount.ts';
import type { Dialect, Target, Webhook } from './dialect.ts';
import { dialects } from './dialects.ts';
import { type Meeting, meetingOf } from './meeting.ts';
import { arrivingOf, expectedOf } from './played.ts';
import { arrivingAgain, dialectsWithoutSessions, reuseOf } from './reuse.ts';
import { eventsOf } from './translated.ts';

// The dialects without the machine: the recount of the translated events is that of events of our own. Many more meetings than over HTTP.

const count = Number(process.env.DIALECT_TRANSLATIONS ?? 300);
const firstSeed = Number(process.env.DIALECT_SEED ?? Math.floor(Math.random() * 900_000_000));
const organizationId = 'acme' as OrganizationId;

/** Meetings of one seed, and their webhooks as they arrive. */
type Case = (seed: number) => {
  readonly meetings: readonly Meeting[];
  readonly arriving: (dialect: Dialect, target: Target) => Promise<readonly Webhook[]>;
};

const alone: Case = (seed) => {
  const meeting = meetingOf(seed);
  return { meetings: [meeting], arriving: (dialect, target) => arrivingOf(dialect, meeting, target) };
};
const again: Case = (seed) => {
  const reuse = reuseOf(seed);
  return { meetings: [reuse.first, reuse.next], arriving: (dialect, target) => arrivingAgain(dialect, reuse, target) };
};

async function expectSame(dialect: Dialect, caseOf: Case): Promise<void> {
  const { platform, settings = {}, secret } = dialect;
  const connectionId = 'c'.repeat(43);
  const connection: Connection = {
    ...{ connectionId, organizationId, platform, settings, createdAt: '2026-03-01T00:00:00.000Z' },
  };
  const target = { url: `https://api.example/v1/hooks/${connectionId}/${platform}`, secret };
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { meetings, arriving } = caseOf(seed);
    const events = await eventsOf(connection, target, await arriving(dialect, target));
    const actual = answersOf(recount(organizationId, events as readonly PlatformEvent[]));
    const expected = answersOf(recount(organizationId, expectedOf(dialect, organizationId, meetings)));
    expect(actual, `seed ${seed}`).toEqual(expected);
  }
}

describe.each(Object.entries(dialects))(`%s, seeds ${firstSeed} to ${firstSeed + count - 1}`, (_, dialect) => {
  it('is translated to what events of our own say', () => expectSame(dialect, alone));
});

describe.each(Object.entries(dialectsWithoutSessions))(
  `%s in a room that is used again, seeds ${firstSeed} to ${firstSeed + count - 1}`,
  (_, dialect) => {
    it('is translated to what events of our own say', () => expectSame(dialect, again));
  },
);

function answersOf({ rooms, sessionsOf, participantsOf, clientsOf, detailsOf }: Recount) {
  const sessions = rooms.flatMap(({ roomName }) => sessionsOf(roomName));
  return sessions.map((session) => ({
    ...{ session, rooms, participants: participantsOf(session.roomSessionId) },
    details: clientsOf(session.roomSessionId).map((client) => detailsOf(session.roomSessionId, client)),
  }));
}
