import { expect, test } from 'vitest';
import { ConnectionId } from '#shared/contracts/connection.ts';
import { newConnectionId } from '#tools/operations/connections/new-connection-id.ts';

test('the id of a connection is never taken for an option of a command', () => {
  const ids = Array.from({ length: 1_000 }, newConnectionId);
  expect(ids.filter((id) => id.startsWith('-') || !ConnectionId.safeParse(id).success)).toEqual([]);
});
