import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { closeSession } from '#operations/organization/close-session.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { UserError } from '#tools/shared/user-error.ts';
import { eventually } from '../../support/eventually.ts';
import { at, insightsOf, send, sessionOf, tellerOf } from '../../support/insights/insights.ts';
import { dynamodb, endpoints, organization, sqs } from '../../support/machine.ts';

const documents = DynamoDBDocumentClient.from(dynamodb);
const deployment = {
  ...{ documents, sqs },
  tables: { insightFacts: endpoints.tables.insightFacts ?? '', roomSessions: endpoints.tables.roomSessions ?? '' },
  queues: { roomEvents: endpoints.queues.roomEvents ?? '' },
};

function close(organizationId: string, roomSessionId: string, more: { readonly at?: string } = {}): Promise<string> {
  return closeSession(deployment, { organizationId: OrganizationId.parse(organizationId), roomSessionId, ...more });
}

/** Waits until the room has one session, with these values. */
async function sessionUntil(organizationId: string, expected: object, roomName = '/daily'): Promise<void> {
  await eventually(async () => {
    const { results } = await insightsOf(organizationId).roomSessions({ roomName });
    expect(results).toEqual([expect.objectContaining(expected)]);
  });
}

const missingEnd = (missing: readonly string[]) => ({ completeness: { state: 'inferred', missing } });

test('a session without an end is closed at its latest event, its minutes count up to it, and a real end wins', async () => {
  const acme = organization();
  const session = sessionOf(acme);
  const tell = tellerOf(acme);
  await tell(
    session.started('09:00'),
    session.joined('ana', '09:00'),
    session.joined('ben', '09:10'),
    session.left('ben', '09:30'),
  );
  const text = await close(acme, session.roomSessionId.toUpperCase());
  expect(text).toContain(`in /daily at ${at('09:30')}`);
  const closed = { endedAt: at('09:30'), totalParticipantMinutes: 50, ...missingEnd(['end', 'leave']) };
  await sessionUntil(acme, closed);
  await expect(close(acme, session.roomSessionId)).rejects.toThrow(
    new UserError(
      `The session ${session.roomSessionId} has ended already: in /daily at ${at('09:30')}. Nothing was changed.`,
    ),
  );

  await send(session.left('ana', '09:40'));
  await sessionUntil(acme, {
    ...{ endedAt: null, totalParticipantMinutes: 60 },
    completeness: { state: 'observed', missing: [] },
  });

  await close(acme, session.roomSessionId, { at: '2026-03-02T10:50:00+01:00' });
  await sessionUntil(acme, { endedAt: at('09:50'), ...missingEnd(['end']) });

  await send(session.ended('09:45'));
  await sessionUntil(acme, { endedAt: at('09:45'), completeness: { state: 'observed', missing: [] } });
});

test('a session id of two rooms is closed in the room in which it is open', async () => {
  const acme = organization();
  const one = sessionOf(acme, { roomName: '/one' });
  const other = sessionOf(acme, { roomName: '/other', roomSessionId: one.roomSessionId });
  const third = sessionOf(acme, { roomName: '/third', roomSessionId: one.roomSessionId });
  await tellerOf(acme)(
    one.started('09:00'),
    one.ended('09:20'),
    other.started('09:10'),
    other.joined('ana', '09:15'),
    third.started('09:15'),
  );
  const text = await close(acme, one.roomSessionId);
  expect(text).not.toContain('/one');
  await sessionUntil(acme, { endedAt: at('09:20'), completeness: { state: 'observed', missing: [] } }, '/one');
  await sessionUntil(acme, { endedAt: at('09:15'), ...missingEnd(['end', 'leave']) }, '/other');
  await sessionUntil(acme, { endedAt: at('09:15'), ...missingEnd(['end']) }, '/third');
});

test('an unknown session, one of another organization, and a time that cannot be its end are refused', async () => {
  const acme = organization();
  const session = sessionOf(acme);
  await tellerOf(acme)(session.started('09:00'), session.joined('ana', '09:10'));
  const refusals: readonly (readonly [() => Promise<string>, string])[] = [
    [() => close(acme, 'daily'), 'must be a UUID'],
    [() => close(acme, randomUUID()), 'There is no session'],
    [() => close(organization(), session.roomSessionId), 'There is no session'],
    [() => close(acme, session.roomSessionId, { at: at('09:09') }), `which is at ${at('09:10')}`],
    [() => close(acme, session.roomSessionId, { at: 'today' }), '--at must be an ISO 8601 date'],
    [() => close(acme, session.roomSessionId, { at: '9000-01-01T00:00:00Z' }), '--at must not be in the future'],
  ];
  for (const [refused, message] of refusals) {
    const error = await refused().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UserError);
    expect(String(error)).toContain(message);
  }
  await sessionUntil(acme, { endedAt: null });
});
