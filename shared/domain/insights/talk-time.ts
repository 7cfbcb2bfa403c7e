import type { SpokenSource, SpokenSourceOfSession } from '#shared/contracts/insights/insights.ts';

/** For how long somebody spoke, and what tells so. Whole milliseconds can be added without rounding errors. */
export type TalkTime<Source extends SpokenSourceOfSession = SpokenSource> = {
  readonly ms: number;
  readonly source: Source;
};

/** For how long all of them spoke; null if nothing tells of anybody. */
export function sumOfTalk(each: readonly (TalkTime | null)[]): TalkTime<SpokenSourceOfSession> | null {
  const known = each.filter((talk) => talk !== null);
  const [first, ...others] = known;
  if (!first) return null;
  const isSame = others.every(({ source }) => source === first.source);
  return { ms: known.reduce((sum, { ms }) => sum + ms, 0), source: isSame ? first.source : 'mixed' };
}

/** The fields in which answers have a talk time. */
export function shownTalk<Source extends SpokenSourceOfSession>(
  talk: TalkTime<Source> | null,
): { readonly spokenSeconds: number | null; readonly spokenSource: Source | null } {
  return { spokenSeconds: talk && talk.ms / 1000, spokenSource: talk?.source ?? null };
}
