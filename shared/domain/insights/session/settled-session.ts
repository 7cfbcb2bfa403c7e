import type { OrganizationNotice } from '#shared/domain/notices/notice.ts';
import type { Counted, Told } from '#shared/domain/notices/told.ts';
import type { SessionRecord } from '../insight-records.ts';
import { dayOf, type UsageChange, usageOfSession } from '../usage-day.ts';
import { endOf } from './session-notices.ts';

/** What one transaction makes true of a session that has settled. */
export type Settled = {
  /** The notice of the end. Null if every event was taken back: nobody is told of that. */
  readonly notice: OrganizationNotice | null;
  readonly told: Told;
  /** How usage changes: by the difference from what it includes of the session. */
  readonly usage: readonly UsageChange[];
};

/** What is told of a session that has ended, and counted of it, and what its row says from then on. */
export function settledOf(session: SessionRecord, now: Date): Settled {
  const before = session.told?.counted;
  if (session.startedAt === null) {
    if (!session.told) throw new Error('Of a session that was never told, nothing is counted.');
    const { counted: _, ...told } = session.told;
    return { notice: null, told, usage: usageOfSession(session, before, undefined) };
  }
  const { notice, told } = endOf(session, now);
  const counted = countedOf({ ...session, startedAt: session.startedAt });
  return { notice, told: { ...told, counted }, usage: usageOfSession(session, before, counted) };
}

function countedOf({ startedAt, usage }: SessionRecord & { readonly startedAt: string }): Counted {
  const { participantMinutes, recorderMinutes, streamerMinutes } = usage;
  return { day: dayOf(startedAt), participantMinutes, recorderMinutes, streamerMinutes };
}
