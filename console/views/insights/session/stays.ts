import type { ParticipantSessionDetail } from '../../../../client/types.ts';
import { type TimeWindow, timeOf } from '../../../parts/time-window/window.ts';

/** One stay of a participant. Without `to`, the participant is still there. */
export type Stay = { readonly from: number; readonly to: number | undefined; readonly hasLeave: boolean };

/** What is known of the end of a session and of a participant. */
export type Ends = { readonly sessionEndedAt: string | null | undefined; readonly leftAt: string | null };

/**
 * The stays of a participant, from the events of the connections. A connection without a leave ended with the session, or at the latest when the
 * participant is said to have left; otherwise it is open.
 */
export function staysOf(connections: readonly ParticipantSessionDetail[], { sessionEndedAt, leftAt }: Ends): Stay[] {
  const inferredEnd = timeOf(leftAt) ?? timeOf(sessionEndedAt);
  const stays = connections.map(({ timeStamp, events }) => {
    const from = Date.parse(timeStamp);
    const left = events.findLast(({ type }) => type === 'left');
    if (left) return { from, to: Date.parse(left.timeStamp), hasLeave: true };
    return { from, to: inferredEnd === undefined ? undefined : Math.max(from, inferredEnd), hasLeave: false };
  });
  return stays.toSorted((one, other) => one.from - other.from);
}

/** Where a bar lies in a window, in percent of its width. Undefined if the window shows nothing of it. */
export function placeOf(
  { from, to }: { readonly from: number; readonly to: number | undefined },
  window: TimeWindow,
): { readonly start: number; readonly width: number } | undefined {
  const end = to ?? Number.POSITIVE_INFINITY;
  if (from >= window.to || end < window.from || (end === window.from && from < end)) return undefined;
  const length = window.to - window.from;
  const start = Math.max(0, from - window.from);
  return { start: (start / length) * 100, width: ((Math.min(end, window.to) - window.from - start) / length) * 100 };
}
