import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { beforeEach, expect, test } from 'vitest';
import { noticeBus } from '#shared/adapters/notices/notice-bus.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { noticeOf } from '#shared/domain/notices/notice.ts';
import { answering } from '../../../support/client/fake-client.ts';
import { skipPauses } from '../../../support/client/no-pauses.ts';

skipPauses();

const organizationId = OrganizationId.parse('acme');
const now = new Date('2026-03-01T10:00:00.123Z');
const noticeFor = (id: string) => {
  const data = { revision: 1, roomSessionId: id, roomName: '/standup', startedAt: now.toISOString() };
  return noticeOf(organizationId, 'room.session.started', { kind: 'session', id }, data, now);
};
const notices = ['a', 'b', 'c'].map(noticeFor);

type Entry = { readonly Detail: string };
let refused: (entry: Entry, call: number) => boolean;
let calls: readonly { readonly input: Readonly<Record<string, unknown>> }[];
let put: ReturnType<typeof noticeBus>;

beforeEach(() => {
  refused = () => false;
  let count = 0;
  const fake = answering(new EventBridgeClient({ region: 'eu-west-1' }), ({ input }) => {
    count += 1;
    const Entries = (input.Entries as Entry[]).map((entry) =>
      refused(entry, count) ? { ErrorCode: 'ThrottlingException' } : { EventId: 'event' },
    );
    return { Entries, FailedEntryCount: Entries.filter((entry) => 'ErrorCode' in entry).length };
  });
  calls = fake.calls;
  put = noticeBus(fake.client, 'bus');
});

const idsOf = (call: number) =>
  ((calls[call]?.input.Entries ?? []) as Entry[]).map(({ Detail }) => JSON.parse(Detail).id as string);

test('an event names the bus, the source, the type and the time of its notice, and carries it with its organization', async () => {
  await put(notices.slice(0, 1));
  const [notice] = notices;
  const entry = { EventBusName: 'bus', Source: 'roomscribe', DetailType: 'room.session.started', Time: now };
  expect(calls[0]?.input.Entries).toEqual([{ ...entry, Detail: JSON.stringify(notice) }]);
  expect(notice).toHaveProperty('organizationId', organizationId);
});

test('only the entries that EventBridge refuses are put again', async () => {
  refused = ({ Detail }, call) => call === 1 && Detail.includes(String(notices[1]?.id));
  await put(notices);
  expect(calls).toHaveLength(2);
  expect(idsOf(1)).toEqual([notices[1]?.id]);
});

test('entries that are refused again and again fail alone', async () => {
  refused = ({ Detail }) => Detail.includes(String(notices[2]?.id));
  const failed = await put(notices);
  expect([...failed]).toEqual([
    [notices[2], expect.objectContaining({ message: expect.stringContaining('Throttling') })],
  ]);
  expect(calls).toHaveLength(4);
});
