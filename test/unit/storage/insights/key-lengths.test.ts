import { describe, expect, test } from 'vitest';
import { participantSortFields } from '#shared/contracts/insights/insights.ts';
import {
  blockKey,
  blocksAfter,
  creationKey,
  creationRetractionKey,
  creationRetractions,
  creations,
  externalParticipantKey,
  organizationExternalId,
  organizationSessionExternalId,
  participantPageKey,
  participantPages,
  roomKey,
  sampleBlockKey,
  sampleBlocks,
  sessionKey,
  sessionStartKey,
  sessionStarts,
  visitorSegmentKey,
  visitorSegments,
} from '#shared/storage/insights/keys.ts';
import { sortAttributesOfParticipant } from '#shared/storage/insights/participant-items.ts';
import { participantRecord } from '../../../support/insights/insight-records.ts';
import { at, created, withId } from '../../../support/insights/session-facts.ts';
import { organizationId, uuid } from '../../../support/operations/records.ts';

describe('the longest names and ids', () => {
  const longest = 'a'.repeat(256);
  const session = {
    organizationId: organizationId('o'.repeat(64)),
    roomName: `/${'a'.repeat(511)}`,
    roomSessionId: uuid(1),
  };
  const eventId = '\uffee'.repeat(128);
  const creation = {
    ...withId(eventId, created('09:00')),
    organizationId: session.organizationId,
    data: { roomName: session.roomName, endAt: undefined },
  };
  const { listed } = participantRecord(longest, { roomSessionId: session.roomSessionId, leftAt: at('10:00') });
  const sortKeys = listed ? sortAttributesOfParticipant(session, { roomName: session.roomName, listed }) : {};
  const pages = participantSortFields.map((field) => [field, sortKeys[`${field}Sort`] ?? ''] as const);

  test.each(
    Object.entries({
      room: roomKey(session),
      session: sessionKey(session),
      'participant with an external id': externalParticipantKey(session, longest),
      ...Object.fromEntries(
        pages.map(([field, sortKey]) => [`page by ${field}`, participantPageKey(session, field, sortKey)]),
      ),
      'block of a log': blockKey(session, 1),
      'block of samples': sampleBlockKey(session, longest, at('09:00'), eventId),
      creation: creationKey(creation),
      'retraction of a creation': creationRetractionKey(session, eventId),
      'segment of visitors': visitorSegmentKey(session, 15, 999_999),
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
      ...[creations, creationRetractions, sessionStarts, visitorSegments(15), blocksAfter(0)],
      ...pages.map(([field, sortKey]) => participantPages(field, sortKey, sortKey)),
      sampleBlocks(longest, at('09:00'), at('10:00')),
    ])
      for (const key of range) expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1024);
  });
});
