import { describe, expect, test } from 'vitest';
import { settledOf } from '#shared/domain/insights/session/settled-session.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { settlingSessions } from '#shared/storage/insights/settling-sessions.ts';
import { cancelled } from '../../../faults/support/dynamodb-faults.ts';
import { sessionRecord } from '../../../support/insights/insight-records.ts';
import { at } from '../../../support/insights/session-facts.ts';

const tables = { roomSessions: 'sessions', notices: 'notices', usageDays: 'usage' };
const counted = { day: '2026-03-02', participantMinutes: 31, recorderMinutes: 0, streamerMinutes: 0 };
const ended = sessionRecord({ endedAt: at('10:00'), asOf: at('10:00'), told: { revision: 3, digest: 'x', counted } });

/** Settles a session. Each call fails with the next of the errors, and then succeeds. Returns the outcome and the transactions. */
async function settle(session: typeof ended, ...errors: readonly Error[]) {
  const sent: { readonly TransactItems: readonly Record<string, object>[] }[] = [];
  const send = async ({ input }: { readonly input: (typeof sent)[number] }) => {
    const error = errors[sent.push(input) - 1];
    if (error) throw error;
    return {};
  };
  const store = settlingSessions({ send } as never, tables, async () => {});
  return { outcome: await store.settle(session, settledOf(session, new Date(at('11:00')))), sent };
}

describe('what settles a session', () => {
  test('requires that the same is told and counted as was read', async () => {
    const { sent } = await settle(ended);
    expect(sent[0]?.TransactItems[0]?.Update).toMatchObject({
      ConditionExpression: 'version = :version AND told = :told AND counted = :counted',
      ExpressionAttributeValues: { ':told': '3 x', ':counted': '2026-03-02 31 0 0' },
    });
  });

  test('does nothing if the session has changed, also beside a conflict', async () => {
    for (const error of [
      cancelled('ConditionalCheckFailed', 'None', 'None'),
      cancelled('ConditionalCheckFailed', 'None', 'TransactionConflict'),
    ])
      expect(await settle(ended, error)).toMatchObject({ outcome: false, sent: { length: 1 } });
  });

  test('is tried again while another session of the room is counted, up to eight times', async () => {
    const conflict = cancelled('None', 'None', 'TransactionConflict');
    expect(await settle(ended, conflict, conflict)).toMatchObject({ outcome: true, sent: { length: 3 } });
    await expect(settle(ended, ...Array(8).fill(conflict))).rejects.toMatchObject({
      constructor: ServiceUnavailable,
      cause: conflict,
    });
  });

  test('throws what is no race', async () => {
    const throttled = cancelled('None', 'None', 'ThrottlingError');
    await expect(settle(ended, throttled)).rejects.toBe(throttled);
  });

  test('removes what was counted of a session whose events were all taken back, and tells nobody', async () => {
    const { sent } = await settle({ ...ended, startedAt: null, endedAt: null });
    const [session, ...others] = sent[0]?.TransactItems ?? [];
    expect(session?.Update).toMatchObject({
      UpdateExpression: 'SET told = :now REMOVE dueShard, dueAt, settleBy, counted',
    });
    expect(others).toMatchObject([{ Update: { TableName: 'usage' } }]);
  });
});
