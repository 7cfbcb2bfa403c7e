import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import { ServiceUnavailable } from '#shared/runtime/errors.ts';
import { retry, tryAgain } from '#shared/runtime/retry.ts';

/** The source of every event on the bus, for rules. */
const source = 'roomscribe';
const maxAttempts = 4;
const maxPauseMs = 50;

/** Puts notices on the event bus, ten at most. Returns those that the bus has refused, with the reason. The bus has the others. */
export type PutNotices = (notices: readonly OrganizationNotice[]) => Promise<ReadonlyMap<OrganizationNotice, Error>>;

/** Puts notices on a bus of EventBridge. It puts those again that EventBridge refuses. */
export function noticeBus(client: Pick<EventBridgeClient, 'send'>, EventBusName: string): PutNotices {
  const entryOf = (notice: OrganizationNotice): PutEventsRequestEntry => ({
    EventBusName,
    Source: source,
    DetailType: notice.type,
    Time: new Date(notice.createdAt),
    Detail: JSON.stringify(notice),
  });
  return async (notices) => {
    let left = notices;
    let failedAttempts = 0;
    let codes: readonly string[] = [];
    const putRest = async () => {
      const { Entries = [], FailedEntryCount = 0 } = await client.send(
        new PutEventsCommand({ Entries: left.map(entryOf) }),
      );
      if (FailedEntryCount === 0) return new Map();
      left = left.filter((_, index) => Entries[index]?.ErrorCode !== undefined);
      codes = Entries.flatMap(({ ErrorCode }) => ErrorCode ?? []);
      failedAttempts += 1;
      return failedAttempts < maxAttempts
        ? tryAgain
        : new Map(left.map((notice, index) => [notice, refusal(codes[index])]));
    };
    return retry<ReadonlyMap<OrganizationNotice, Error>>(putRest, {
      maxAttempts,
      maxPauseMs: (failedAttempts) => maxPauseMs * failedAttempts,
      exhausted: 'EventBridge did not accept every notice.',
    });
  };
}

function refusal(code = 'unknown'): Error {
  return new ServiceUnavailable(`EventBridge did not accept the notice: ${code}.`);
}
