import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { OrganizationNotice } from '../../domain/notice.ts';
import { retry, tryAgain } from '../../retry.ts';

/** The source of every event on the bus, for rules. */
const source = 'roomscribe';
const maxAttempts = 4;
const maxPauseMs = 50;

/** Puts notices on the event bus. Resolves when the bus has all of them, and throws otherwise. Ten at most. */
export type PutNotices = (notices: readonly OrganizationNotice[]) => Promise<void>;

/** Puts notices on a bus of EventBridge. It puts those again that EventBridge refuses. */
export function noticeBus(client: Pick<EventBridgeClient, 'send'>, EventBusName: string): PutNotices {
  return async (notices) => {
    let left: readonly PutEventsRequestEntry[] = notices.map((notice) => ({
      EventBusName,
      Source: source,
      DetailType: notice.type,
      Time: new Date(notice.createdAt),
      Detail: JSON.stringify(notice),
    }));
    const putRest = async () => {
      const { Entries = [], FailedEntryCount = 0 } = await client.send(new PutEventsCommand({ Entries: [...left] }));
      if (FailedEntryCount === 0) return undefined;
      left = left.filter((_, index) => Entries[index]?.ErrorCode !== undefined);
      return tryAgain;
    };
    await retry(putRest, {
      maxAttempts,
      maxPauseMs: (failedAttempts) => maxPauseMs * failedAttempts,
      exhausted: 'EventBridge did not accept every notice.',
    });
  };
}
