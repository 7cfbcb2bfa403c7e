import { expect, test } from 'vitest';
import { newConnectionId } from '#operations/connections/new-connection-id.ts';
import { ConnectionId } from '#shared/contracts/platforms/connection.ts';

test('the id of a connection is never taken for an option of a command', () => {
  const ids = Array.from({ length: 1_000 }, newConnectionId);
  expect(ids.filter((id) => id.startsWith('-') || !ConnectionId.safeParse(id).success)).toEqual([]);
});
