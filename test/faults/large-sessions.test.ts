import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import { chunk } from '#shared/chunk.ts';
import { RoomEvent } from '#shared/contracts/events.ts';
import type { SessionEvent } from '#shared/contracts/session-events.ts';
import { toRoomInsight, toRoomSessionInsight } from '#shared/domain/insight-records.ts';
import type { SessionKey } from '#shared/domain/participant-record.ts';
import { insightFacts } from '#shared/storage/insights/facts.ts';
import { sessionInsights } from '#shared/storage/insights/session-insights.ts';
import { recordSessionEvents } from '#shared/use-cases/record-session-events.ts';
import type { PlatformEvent } from '../../tools/simulation/events.ts';
import { recount } from '../../tools/simulation/recount.ts';
import { dynamodb, organization } from '../support/machine.ts';
import { createResources } from './support/resources.ts';
import { scriptOf } from './support/session-script.ts';

const { tables, stop } = await createResources();
afterAll(stop);

const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });
const facts = insightFacts(documents, tables.insightFacts);
const insights = sessionInsights(documents, tables, facts);
const reconnects = 2_000;
const longest = 256; // bytes of an id

test('a participant who reconnects 2000 times with new devices does not keep a session from ending', {
  timeout: 120_000,
}, async () => {
  const organizationId = organization();
  const { joined, ended } = scriptOf(organizationId);
  const joins = Array.from({ length: reconnects }, (_, index) =>
    joined('ada', index, { userId: null, deviceId: `${index} `.padEnd(longest, 'd') }),
  );
  const events: PlatformEvent[] = [...joins, ended(reconnects)];
  for (const part of chunk(events, reconnects)) {
    await recordSessionEvents({ facts, insights }, part.map((event) => RoomEvent.parse(event)) as SessionEvent[]);
  }
  const expected = recount(organizationId, events);
  const place = { organizationId, ...ended(0).data } as SessionKey;
  const { session, participants } = await insights.readSession(place, ['ada']);
  expect(session && toRoomSessionInsight(session)).toEqual(expected.sessionsOf('/standup')[0]);
  expect(session?.visitors.participant).toBe(reconnects);
  expect(participants.map(({ listed }) => listed)).toEqual(expected.participantsOf(place.roomSessionId));
  expect(JSON.stringify(participants).length).toBeLessThan(2_000);
  const room = await insights.readRoom(place);
  expect(room && toRoomInsight(room)).toEqual(expected.rooms[0]);
});
