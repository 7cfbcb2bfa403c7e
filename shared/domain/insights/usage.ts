import type { VisitorKind } from './connection-kind.ts';

/** Totals of connections and ratings. A session's totals are the sums of its participants', and a room's the sums of its sessions'. */
export type Usage = {
  readonly participantMinutes: number;
  readonly recorderMinutes: number;
  readonly streamerMinutes: number;
  /** Sum of the ratings in thousandths. Whole numbers can be added and subtracted without rounding errors. */
  readonly ratingThousandths: number;
  readonly ratings: number;
};

/** Numbers of different people, recorders and streamers. */
export type UniqueVisitors = Readonly<Record<VisitorKind, number>>;

/** Nothing yet. */
export const noUsage: Usage = {
  participantMinutes: 0,
  recorderMinutes: 0,
  streamerMinutes: 0,
  ratingThousandths: 0,
  ratings: 0,
};
/** Nobody yet. */
export const noVisitors: UniqueVisitors = { participant: 0, recorder: 0, streamer: 0 };

/** Sum of the two, field by field. */
export function plus<Counts extends Readonly<Record<string, number>>>(one: Counts, other: Counts): Counts {
  return combine(one, other, (left, right) => left + right);
}

/** Difference of the two, field by field. */
export function minus<Counts extends Readonly<Record<string, number>>>(one: Counts, other: Counts): Counts {
  return combine(one, other, (left, right) => left - right);
}

function combine<Counts extends Readonly<Record<string, number>>>(
  one: Counts,
  other: Counts,
  combineTwo: (left: number, right: number) => number,
): Counts {
  const entries = Object.entries(one).map(([name, value]) => [name, combineTwo(value, other[name] ?? 0)]);
  return Object.fromEntries(entries) as Counts;
}

/** The totals as the API shows them. The average rating is null without ratings. */
export function totalsOf({ usage, visitors }: { readonly usage: Usage; readonly visitors: UniqueVisitors }) {
  return {
    totalParticipantMinutes: usage.participantMinutes,
    totalRecorderMinutes: usage.recorderMinutes,
    totalStreamerMinutes: usage.streamerMinutes,
    totalUniqueParticipants: visitors.participant,
    totalUniqueRecorders: visitors.recorder,
    totalUniqueStreamers: visitors.streamer,
    rating: usage.ratings === 0 ? null : usage.ratingThousandths / 1000 / usage.ratings,
    totalRatings: usage.ratings,
  };
}
