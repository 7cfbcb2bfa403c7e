import type { Counted } from '../notices/told.ts';
import type { RoomKey } from './insight-records.ts';
import type { SessionKey } from './participant-record.ts';

/** What is counted of a room on a day. */
export type UsageCounts = {
  readonly sessions: number;
  readonly participantMinutes: number;
  readonly recorderMinutes: number;
  readonly streamerMinutes: number;
  readonly transcriptions: number;
  /** The seconds that Amazon Transcribe bills. */
  readonly transcribedSeconds: number;
};

/** A day in UTC (`YYYY-MM-DD`), and a room. */
export type UsageKey = RoomKey & { readonly day: string };

/** What a transaction adds to a day of a room. Counts can be negative, and those that are missing stay as they are. */
export type UsageChange = UsageKey & { readonly add: Partial<UsageCounts> };

const countsOfSession = ['participantMinutes', 'recorderMinutes', 'streamerMinutes'] as const;

/** The day in UTC of a time. */
export function dayOf(time: string): string {
  return time.slice(0, 10);
}

/**
 * The changes that make the days of a session's room count it as `after` says instead of as `before` says. Undefined: not at all. A session
 * that has moved to another day is taken off the one and added to the other.
 */
export function usageOfSession(
  { organizationId, roomName }: Pick<SessionKey, 'organizationId' | 'roomName'>,
  before: Counted | undefined,
  after: Counted | undefined,
): UsageChange[] {
  const days = new Set([before?.day, after?.day].filter((day) => day !== undefined));
  return [...days].flatMap((day) => {
    const [gone, come] = [before?.day === day ? before : undefined, after?.day === day ? after : undefined];
    const differences = [
      ['sessions', Number(come !== undefined) - Number(gone !== undefined)] as const,
      ...countsOfSession.map((name) => [name, (come?.[name] ?? 0) - (gone?.[name] ?? 0)] as const),
    ].filter(([, difference]) => difference !== 0);
    return differences.length === 0 ? [] : [{ organizationId, roomName, day, add: Object.fromEntries(differences) }];
  });
}

/** What a transcription adds on the day on which it becomes ready. */
export function usageOfTranscription(
  { organizationId, roomName }: RoomKey,
  readyAt: string,
  transcribedSeconds: number,
): UsageChange {
  const seconds = transcribedSeconds === 0 ? {} : { transcribedSeconds };
  return { organizationId, roomName, day: dayOf(readyAt), add: { transcriptions: 1, ...seconds } };
}
