import type { SessionRecord } from '../domain/insight-records.ts';
import type { SessionKey } from '../domain/participant-record.ts';
import { shardsOf } from '../domain/room-visitors.ts';
import {
  changedVisitors,
  isStartMoved,
  type RoomChange,
  roomChange,
  type SessionChange,
} from '../domain/session-change.ts';
import { closingOf } from '../domain/session-closing.ts';
import { endOfStep } from '../domain/session-log.ts';
import { type SessionView, sessionTimeline } from '../domain/session-view.ts';
import { realPause } from '../retry.ts';
import { readOn, readSessions, type SessionUpdate } from './session-update.ts';
import { type Attempt, untilCommitted } from './until-committed.ts';

/** How often, and in what intervals, a worker looks whether another one makes progress, before it counts in its place. */
const looks = 8;
const lookEveryMs = 250;

/** How many steps a worker that has waited counts for others at most, so that its own messages do not wait for long. */
const maxStepsForOthers = 20;

/** The version of the sessions with one id, and that of their participant lists. Undefined sessions have version 0. */
function versionsOf(sessions: readonly SessionRecord[]) {
  const latest = (versions: readonly number[]) => Math.max(0, ...versions);
  return {
    version: latest(sessions.map(({ version }) => version)),
    listedVersion: latest(sessions.map(({ listedVersion }) => listedVersion)),
  };
}

/**
 * Makes the sessions, their rooms and the participant lists agree with the log, step by step. If other workers have stored blocks
 * before `firstBlock`, it waits as long as they make progress: they count this block, too. Without `firstBlock` nothing was
 * stored, and an earlier worker may have died before it wrote the lists.
 */
export async function countUpTo(update: SessionUpdate, firstBlock: number | undefined): Promise<void> {
  const { log, insights, session, assertTimeLeft } = update;
  if (log.rooms.size === 0 || !log.isComplete) return; // there are only retractions, or facts have expired
  let last = log.version;
  let stepsForOthers = 0;
  const timeline = sessionTimeline(session, log);
  let written = 0; // the version whose lists this worker has written
  const attempt = async (): Promise<Attempt> => {
    const { stored, hasWaited } = await waitForOthers(update, firstBlock ?? last);
    const { version, listedVersion } = versionsOf(stored);
    if (version >= last && firstBlock !== undefined) return 'done'; // whoever has counted the blocks writes the lists
    if (hasWaited) stepsForOthers = maxStepsForOthers;
    if (version > log.version || hasWaited) await readOn(update);
    if (version > log.version) return 'done'; // the last facts have expired
    const listed = timeline.at(Math.max(listedVersion, written)).participants;
    const before = timeline.at(version);
    await insights.completeParticipants(
      session,
      { before: listed, after: before.participants, version },
      assertTimeLeft,
    );
    if (version >= last) return 'done';
    assertTimeLeft();
    const after = timeline.at(endOfStep(log, version));
    if (!(await insights.commit(await changeBetween(update, stored, before, after)))) return 'lost-race';
    const lists = { before: before.participants, after: after.participants, version: after.version };
    await insights.writeParticipants(session, lists, assertTimeLeft);
    written = after.version;
    for (const exceeded of after.exceeded) update.onLimitExceeded?.(exceeded);
    if (after.version < last) return 'more-to-do';
    // Others wait for their blocks to be counted. One hand-over after another would take longer than to count them, too.
    if (stepsForOthers === 0) return 'done';
    await readOn(update);
    if (log.version === after.version) return 'done';
    stepsForOthers -= 1;
    last = Math.min(log.version, endOfStep(log, after.version));
    return 'more-to-do';
  };
  await untilCommitted(attempt, update);
}

/** Waits until everything before the block is counted, or until nobody seems to count any more. */
async function waitForOthers(
  update: SessionUpdate,
  block: number,
): Promise<{ readonly stored: SessionRecord[]; readonly hasWaited: boolean }> {
  const { assertTimeLeft, pause = realPause } = update;
  let lastVersion = -1;
  for (let left = looks; ; left -= 1) {
    assertTimeLeft();
    const stored = await readSessions(update);
    const { version } = versionsOf(stored);
    if (version >= block - 1 || left === 0) return { stored, hasWaited: lastVersion !== -1 };
    if (version !== lastVersion) left = looks;
    lastVersion = version;
    await pause(lookEveryMs * (0.5 + Math.random()));
  }
}

/** The change that makes the rows of the sessions and their rooms agree with the later view. */
async function changeBetween(
  update: SessionUpdate,
  stored: readonly SessionRecord[],
  before: SessionView,
  after: SessionView,
): Promise<SessionChange> {
  const rooms = await Promise.all(
    [...after.rooms.keys()].map((roomName) => {
      const session = stored.find((each) => each.roomName === roomName);
      return changeOfRoom(update, { ...update.session, roomName }, { session, stored, before, after });
    }),
  );
  return { session: update.session, to: after.version, rooms };
}

type StoredAndViews = {
  readonly session: SessionRecord | undefined;
  /** The sessions of all rooms with the id. */
  readonly stored: readonly SessionRecord[];
  readonly before: SessionView;
  readonly after: SessionView;
};

/** Reads the room first. Starts change only together with its version, so a later change makes the commit fail. */
async function changeOfRoom(
  { insights, factRetentionDays, now = () => new Date() }: SessionUpdate,
  key: SessionKey,
  { session, stored, before, after }: StoredAndViews,
): Promise<RoomChange> {
  const described = after.rooms.get(key.roomName);
  if (!described) throw new Error('A view describes each of its rooms.');
  const changed = changedVisitors(key.roomName, before, after);
  const visitors = [...changed.added, ...changed.gone];
  const room = await insights.readRoom(key);
  const [segments, otherStarts] = await Promise.all([
    insights.readVisitors(key, shardsOf(visitors)),
    isStartMoved(session, described) ? insights.readOtherStarts(key) : { first: null, last: null },
  ]);
  const change = roomChange(key, described, changed, { session, room, segments, otherStarts });
  const closing = closingOf(stored, factRetentionDays, now());
  return { ...change, session: { ...change.session, ...closing, listedVersion: before.version } };
}
