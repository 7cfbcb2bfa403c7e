import { describe, expect, test } from 'vitest';
import { RoomEvent } from '#shared/contracts/events.ts';
import { isClientEvent, isSessionEvent } from '#shared/contracts/insights/session-events.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { Connection } from '#shared/contracts/platforms/connection.ts';
import { participantRecords } from '#shared/domain/insights/participant-record.ts';
import { livekit } from '#shared/platforms/livekit/index.ts';
import { permutations } from '../../support/insights/session-facts.ts';

// From webhooks of LiveKit to what insights say of a person.

const start = Date.parse('2026-03-02T09:00:00Z');
const timeAt = (minute: number) => new Date(start + minute * 60_000).toISOString();
const seconds = (minute: number) => String(start / 1000 + minute * 60);
const room = { sid: 'RM_1', name: 'standup', creationTimeMs: String(start) };

type Said = { readonly sid: string; readonly from: number; readonly name?: string; readonly role?: string };

function webhook(event: string, minute: number, { sid, from, name = 'Ada', role = 'host' }: Said) {
  const joinedAtMs = String(start + from * 60_000 + 321);
  const participant = { sid, identity: 'ada', name, joinedAtMs, attributes: { role, device: name, crm: role } };
  return { event, room, participant, createdAt: seconds(minute) };
}

const connection: Connection = {
  ...{ connectionId: 'c'.repeat(43), organizationId: OrganizationId.parse('acme'), platform: 'livekit' },
  settings: { roleAttribute: 'role', deviceAttribute: 'device', externalIdAttribute: 'crm' },
  createdAt: '2026-01-01T00:00:00.000Z',
};

/** What insights say of the person in a session that ends after 100 minutes. */
function recordAfter(webhooks: readonly object[]) {
  const hooks = webhooks.map((payload) => ({ payload, connection, receivedAt: timeAt(200), digest: 'd'.repeat(64) }));
  const events = hooks
    .flatMap((hook) => livekit.translate(hook, { sessions: [] }).events)
    .map((event) => RoomEvent.parse(event))
    .filter(isSessionEvent)
    .filter(isClientEvent);
  const frame = { endedAt: timeAt(100), retractedIds: new Set<string>() };
  const { records } = participantRecords(
    { roomSessionId: 'session' } as never,
    'ada',
    { events, talk: [] },
    () => frame,
  );
  return records[0];
}

describe('a person on LiveKit', () => {
  const [first, second] = [
    { sid: 'PA_1', from: 0 },
    { sid: 'PA_2', from: 20 },
  ];

  test('has no more minutes than the session if a leave was lost before the next join', () => {
    const webhooks = [
      webhook('participant_joined', 0, first),
      webhook('participant_joined', 20, second),
      webhook('participant_left', 60, second),
    ];
    for (const order of permutations(webhooks))
      expect(recordAfter(order)).toMatchObject({ usage: { participantMinutes: 20 + 40 }, missing: ['leave'] });
  });

  test('has the minutes of both connections if the first leave comes after the next join', () => {
    const webhooks = [
      webhook('participant_joined', 0, first),
      webhook('participant_joined', 20, second),
      webhook('participant_left', 21, first),
      webhook('participant_left', 60, second),
    ];
    for (const order of permutations(webhooks))
      expect(recordAfter(order)).toMatchObject({ usage: { participantMinutes: 21 + 40 }, missing: [] });
  });

  test('has the name, role, device and external id of the join, in any order of arrival', () => {
    const webhooks = [
      webhook('participant_joined', 0, first),
      webhook('participant_left', 10, { ...first, name: 'Ada Lovelace', role: 'guest' }),
    ];
    const asJoined = { displayName: 'Ada', roleName: 'host', deviceId: 'Ada', externalId: 'host' };
    for (const order of permutations(webhooks)) expect(recordAfter(order)?.listed).toMatchObject(asJoined);
  });

  test('is told by the leave alone if the join was lost, and the insights say so', () => {
    const record = recordAfter([webhook('participant_left', 10, { ...first, name: 'Ada Lovelace' })]);
    expect(record).toMatchObject({ listed: { displayName: 'Ada Lovelace' }, missing: ['participant'] });
  });
});
