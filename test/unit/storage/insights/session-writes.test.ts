import { expect, test } from 'vitest';
import { writesOf } from '#shared/storage/insights/session-writes.ts';
import { sessionRecord } from '../../../support/insights/insight-records.ts';

test('a session that was read before the commit of another worker makes the change fail, even if the other sessions were read after it', () => {
  const changeOf = (version: number, roomName: string) => ({
    ...{ session: sessionRecord({ version, roomName }), room: null, segments: [], movedStart: null, notice: null },
  });
  const tables = {
    ...{ rooms: 'rooms', roomSessions: 'sessions', participants: 'participants', insightFacts: 'facts' },
    notices: 'notices',
  };
  const rooms = [changeOf(3, '/outdated'), changeOf(4, '/current'), changeOf(0, '/not-there-yet')];
  const writes = writesOf({ to: 5, rooms }, tables);
  expect(writes.map(({ Put }) => [Put?.ConditionExpression, Put?.ExpressionAttributeValues])).toEqual([
    ['version = :version AND attribute_not_exists(told)', { ':version': 3 }],
    ['version = :version AND attribute_not_exists(told)', { ':version': 4 }],
    ['attribute_not_exists(version)', undefined],
  ]);
});
