import { expect, test } from 'vitest';
import type { ActivityMessage } from '#shared/contracts/change-messages.ts';
import { activityRequests } from '#shared/queue/activity-requests.ts';
import { organizationId, uuid } from '../../support/operations/records.ts';

const acme = organizationId();

test('a session is asked for once in five minutes, to be measured when everyone heard until then is included', async () => {
  let now = 0;
  const sent: [ActivityMessage, number][] = [];
  const ask = activityRequests(
    async (...message) => void sent.push(message),
    () => now,
  );
  const [one, other] = [uuid(1), uuid(2)].map((roomSessionId) => ({ organizationId: acme, roomSessionId }));
  for (const at of [0, 60_000, 299_999]) {
    now = at;
    if (one) await ask(one);
  }
  expect(sent).toEqual([[one, 600]]);
  if (other) await ask(other);
  now = 300_000;
  if (one) await ask({ ...one });
  expect(sent).toEqual([
    [one, 600],
    [other, 600],
    [one, 600],
  ]);
});

test('a session whose request was not sent is asked for again', async () => {
  let isDown = true;
  let sent = 0;
  const ask = activityRequests(async () => {
    if (isDown) throw new Error('down');
    sent += 1;
  });
  await expect(ask({ organizationId: acme, roomSessionId: uuid(1) })).rejects.toThrow('down');
  isDown = false;
  await ask({ organizationId: acme, roomSessionId: uuid(1) });
  expect(sent).toBe(1);
});

test('as many sessions are remembered as fit, those that were asked for last', async () => {
  let sent = 0;
  const ask = activityRequests(
    async () => void sent++,
    () => 0,
  );
  const session = (index: number) => ({ organizationId: acme, roomSessionId: String(index) });
  for (let index = 0; index <= 10_000; index += 1) await ask(session(index));
  await ask(session(10_000));
  expect(sent).toBe(10_001);
  await ask(session(0));
  expect(sent).toBe(10_002);
});
