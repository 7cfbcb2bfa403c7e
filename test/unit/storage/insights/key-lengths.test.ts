import { describe, expect, test } from 'vitest';
import type { Visitor } from '#shared/domain/participant-record.ts';
import {
  clientConnections,
  clientFacts,
  clientRatings,
  eventKey,
  organizationExternalId,
  organizationSessionExternalId,
  participantKey,
  roomKey,
  roomVisitorKey,
  sampleBlockKey,
  sampleBlocks,
  sessionFacts,
  sessionKey,
  sessionStartKey,
  sessionStarts,
  sessionVisitorKey,
} from '#shared/storage/insights/keys.ts';
import { organizationId, uuid } from '../../../support/records.ts';
import { at, joined, rated, withId } from '../../../support/session-facts.ts';

describe('the longest names and ids', () => {
  const longest = 'a'.repeat(256);
  const session = {
    organizationId: organizationId('o'.repeat(64)),
    roomName: `/${'a'.repeat(511)}`,
    roomSessionId: uuid(1),
  };
  const visitor: Visitor = { kind: 'participant', visitorId: longest };
  const eventId = '\uffee'.repeat(128);
  const join = {
    ...withId(eventId, joined(longest, '09:00', { ...session, deviceId: longest })),
    organizationId: session.organizationId,
  };
  const rating = {
    ...withId(eventId, rated(longest, '09:00', 5, session)),
    organizationId: session.organizationId,
  };

  test.each(
    Object.entries({
      room: roomKey(session),
      session: sessionKey(session),
      participant: participantKey(session, longest),
      event: eventKey(join),
      rating: eventKey(rating),
      block: sampleBlockKey(session, longest, at('09:00'), eventId),
      'mark of a session': sessionVisitorKey(session, visitor),
      'mark of a room': roomVisitorKey(session, visitor),
      start: sessionStartKey(session, at('09:00')),
    }),
  )('fit into the key of a %s, which starts with the organization', (_what, key) => {
    const [partition = '', sort = ''] = Object.values<string>(key);
    expect(Buffer.byteLength(partition)).toBeLessThanOrEqual(2048);
    expect(Buffer.byteLength(sort)).toBeLessThanOrEqual(1024);
    expect(partition).toMatch(/^o{64}(#|$)/);
  });

  test('fit into the keys of the external id indexes, which start with the organization', () => {
    const { organizationId: owner } = session;
    for (const key of [organizationExternalId(owner, longest), organizationSessionExternalId(session, longest)]) {
      expect(Buffer.byteLength(key)).toBeLessThanOrEqual(2048);
      expect(key).toMatch(/^o{64}#/);
    }
  });

  test('fit into the bounds of a range query', () => {
    for (const range of [
      sessionFacts,
      sessionStarts,
      ...[clientFacts, clientConnections, clientRatings].map((range) => range(longest)),
      sampleBlocks(longest, at('09:00'), at('10:00')),
    ])
      for (const key of range) expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1024);
  });
});
