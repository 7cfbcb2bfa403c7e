import { maxIssues } from '#shared/contracts/common/parse.ts';
import { type Issue, UnreadableMessage } from '#shared/runtime/errors.ts';

/** How far the times of an event may be from its arrival, in days. */
export type TimeBounds = { readonly daysAhead: number; readonly daysBack: number };

type Timed = {
  readonly type?: string;
  readonly createdAt: string;
  readonly inferred?: true | undefined;
  readonly data: object;
};

const dayMs = 24 * 60 * 60 * 1000;
/** The times in the data of events, and of their tracks and intervals, that figures and lists show. The `endAt` of a room is a plan, and may be at any time. */
const countedTimes = ['startDate', 'endDate', 'startedAt', 'from', 'to'] as const;
const timedLists = ['tracks', 'intervals'] as const;

/**
 * Throws `UnreadableMessage` if a time of the event is too far from its arrival. A wrong clock would otherwise make minutes that
 * stay in the totals for ever. An inferred end may be long ago: it has the time of the latest event of a session that nobody ended, and
 * it never makes a session longer than its events.
 */
export function refuseFarTimes(event: Timed, arrivedAt: Date, { daysAhead, daysBack }: TimeBounds): void {
  const { createdAt, data } = event;
  const mayBeLongAgo = event.type === 'room.session.ended' && event.inferred === true;
  const lists = data as { readonly [List in (typeof timedLists)[number]]?: readonly object[] };
  const elements = timedLists.flatMap((list) =>
    (lists[list] ?? []).map((element, index) => [`data.${list}.${index}`, element] as const),
  );
  const timed = [['data', data] as const, ...elements];
  const inData = timed.flatMap(([path, values]) =>
    countedTimes.map((name) => [`${path}.${name}`, (values as Record<string, unknown>)[name]] as const),
  );
  const issues = [['createdAt', createdAt] as const, ...inData].flatMap(([path, time]): Issue[] => {
    const aheadMs = typeof time === 'string' ? Date.parse(time) - arrivedAt.getTime() : 0;
    if (aheadMs > daysAhead * dayMs) return [{ path, message: `must be at most ${daysAhead} days after it was sent` }];
    if (-aheadMs > daysBack * dayMs && !mayBeLongAgo)
      return [{ path, message: `must be at most ${daysBack} days before it was sent` }];
    return [];
  });
  if (issues.length > 0) throw new UnreadableMessage(issues.slice(0, maxIssues));
}
