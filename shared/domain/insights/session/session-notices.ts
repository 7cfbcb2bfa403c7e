import { createHash } from 'node:crypto';
import { noticeOf, type OrganizationNotice } from '#shared/domain/notices/notice.ts';
import type { Settling, Told } from '#shared/domain/notices/told.ts';
import { type SessionRecord, toSessionFigures } from '../insight-records.ts';
import type { SessionKey } from '../participant-record.ts';

/** What a change of a session tells at once, and what its row says about its notices from then on. */
type News = {
  readonly notice: OrganizationNotice | null;
  readonly told?: Told;
  readonly settling?: Settling;
};

/** A session that always gets events is told after this many times the usual wait. */
const longestWait = 10;

/** The index of what is due does not change for events that come within these seconds. */
const stepMs = 10_000;

/** 66 bits: enough to tell two states of one session apart. */
const digestLength = 11;

/**
 * What is told of a session when its row changes from `before` to `after`. A session is told when it is shown for the first time, or
 * again, and when its end was told and does not count any more. Its end is told later, when no event has come for `settleSeconds`, and
 * only if it differs from what was told last. Usage changes then, too, also if every event was taken back.
 */
export function newsOf(
  before: SessionRecord | undefined,
  after: SessionRecord,
  settleSeconds: number,
  now: Date,
): News {
  const { startedAt, endedAt } = after;
  const wasShown = before !== undefined && before.startedAt !== null;
  const isReopened = before?.told?.digest !== undefined && endedAt === null;
  if (startedAt !== null && (!wasShown || isReopened)) {
    const counted = before?.told?.counted; // it stays counted until it ends again
    const told = { revision: nextRevision(before?.told), ...(counted && { counted }) };
    const notice = startedNotice({ ...after, startedAt }, told.revision, now);
    return { notice, told, ...settlingOf(undefined, { ...after, told }, settleSeconds, now) };
  }
  const told = before?.told;
  const kept = told === undefined ? {} : { told };
  return { notice: null, ...kept, ...settlingOf(before?.settling, { ...after, told }, settleSeconds, now) };
}

/** The notice of the end of a session, and what its row says from then on. */
export function endOf(session: SessionRecord, now: Date): { readonly notice: OrganizationNotice; readonly told: Told } {
  const { endedAt, ...figures } = toSessionFigures(session);
  if (endedAt === null) throw new Error('Only a session that has ended is told to have ended.');
  const revision = nextRevision(session.told);
  const data = { revision, ...figures, endedAt };
  const notice = noticeOf(session.organizationId, 'room.session.ended', subjectOf(session), data, now);
  return { notice, told: { revision, digest: digestOf(session) } };
}

/** A digest of everything that the notice of the end of a session tells, other than its revision. */
export function digestOf(session: SessionRecord): string {
  const text = JSON.stringify(toSessionFigures(session));
  return createHash('sha256').update(text).digest('base64url').slice(0, digestLength);
}

function startedNotice(
  session: SessionRecord & { readonly startedAt: string },
  revision: number,
  now: Date,
): OrganizationNotice {
  const { organizationId, roomSessionId, roomName, startedAt } = session;
  const data = { revision, roomSessionId, roomName, startedAt };
  return noticeOf(organizationId, 'room.session.started', subjectOf(session), data, now);
}

/** The same session id in two rooms is two sessions. */
function subjectOf({ roomName, roomSessionId }: SessionKey) {
  return { kind: 'session', id: `${roomSessionId} ${roomName}` } as const;
}

function nextRevision(told: Told | undefined): number {
  return (told?.revision ?? 0) + 1;
}

function settlingOf(
  before: Settling | undefined,
  session: SessionRecord,
  settleSeconds: number,
  now: Date,
): { readonly settling?: Settling } {
  if (isSettled(session)) return {};
  const settleMs = settleSeconds * 1000;
  const by = before?.by ?? roundedUp(now.getTime() + longestWait * settleMs);
  const at = roundedUp(now.getTime() + settleMs);
  return { settling: { at: at < by ? at : by, by } };
}

/** True if there is nothing to tell, and nothing to count: also of a session whose events were all taken back, unless usage includes it. */
function isSettled(session: SessionRecord): boolean {
  const { startedAt, endedAt, told } = session;
  if (startedAt === null) return told?.counted === undefined;
  return endedAt === null || told?.digest === digestOf(session);
}

function roundedUp(ms: number): string {
  return new Date(Math.ceil(ms / stepMs) * stepMs).toISOString();
}
