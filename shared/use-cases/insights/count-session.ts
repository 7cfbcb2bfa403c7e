import { maxItemsPerTransaction } from '#shared/domain/insights/change-size.ts';
import type { SessionRecord } from '#shared/domain/insights/insight-records.ts';
import type { SessionKey } from '#shared/domain/insights/participant-record.ts';
import { shardsOf } from '#shared/domain/insights/room-visitors.ts';
import { idleFromOf } from '#shared/domain/insights/session/idle-time.ts';
import {
  changedVisitors,
  isStartMoved,
  itemsOf,
  type RoomChange,
  roomChange,
  type SessionChange,
} from '#shared/domain/insights/session/session-change.ts';
import { closingOf } from '#shared/domain/insights/session/session-closing.ts';
import { endOfStep, maxWeight } from '#shared/domain/insights/session/session-log.ts';
import { newsOf } from '#shared/domain/insights/session/session-notices.ts';
import {
  type SessionTimeline,
  type SessionView,
  sessionTimeline,
} from '#shared/domain/insights/session/session-view.ts';
import { type Attempt, untilCommitted } from '../common/until-committed.ts';
import { versionsOf, waitForTurn } from './session-turn.ts';
import { readOn, type SessionUpdate } from './session-update.ts';

/** A step counts blocks up to this weight, if that fits into one commit. Larger steps would delay the lists of participants. */
const largestStep = 4 * maxWeight;

/** How many steps a worker that has waited counts for others at most, so that its own messages do not wait for long. */
const maxStepsForOthers = 10;

/**
 * Makes the sessions, their rooms and the participant lists agree with the log, step by step. If other workers have stored blocks
 * before `firstBlock`, it waits as long as they make progress: they count this block, too. Without `firstBlock` nothing was
 * stored, and an earlier worker may have died before it wrote the lists.
 */
export async function countUpTo(update: SessionUpdate, firstBlock: number | undefined): Promise<void> {
  const { log, insights, session, assertTimeLeft } = update;
  if (log.rooms.size === 0 || !log.isComplete) return; // there are only retractions, or facts have expired
  const own = log.version;
  let last = own;
  let stepsForOthers = 0;
  let written = 0; // the version whose lists this worker has written
  const timeline = sessionTimeline(session, log);
  const steps = stepsOf(update, timeline);
  const attempt = async (): Promise<Attempt> => {
    const { stored, hasWaited } = await waitForTurn(update, firstBlock ?? last);
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
    const { after, change } = await steps.next(stored, before);
    if (!(await insights.commit(change))) return written >= own ? 'done' : 'lost-race'; // somebody else counts for the others
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
    last = endOfStep(log, after.version);
    return 'more-to-do';
  };
  await untilCommitted(attempt, update);
}

type Step = { readonly after: SessionView; readonly change: SessionChange };

/** Returns the next steps of a session: large ones, until one does not fit into a commit. That is so if it changes visitors of many segments. */
function stepsOf(update: SessionUpdate, timeline: SessionTimeline) {
  let weight = largestStep;
  const next = async (stored: readonly SessionRecord[], before: SessionView): Promise<Step> => {
    const after = timeline.at(endOfStep(update.log, before.version, weight));
    const change = await changeBetween(update, stored, before, after);
    if (weight === maxWeight || itemsOf(change) <= maxItemsPerTransaction) return { after, change };
    weight = maxWeight;
    return next(stored, before);
  };
  return { next };
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
  return { to: after.version, rooms };
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
  { insights, factRetentionDays, sessionIdleHours, sessionSettleSeconds, now = () => new Date() }: SessionUpdate,
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
  const at = now();
  const closing = closingOf(stored, factRetentionDays, at);
  const idleFrom = idleFromOf(change.session, sessionIdleHours);
  const idle = idleFrom === undefined ? {} : { idleFrom };
  const { notice, ...news } = newsOf(session, change.session, sessionSettleSeconds, at);
  const counted = { ...change.session, ...closing, ...idle, ...news, listedVersion: before.version };
  return { ...change, session: counted, notice, toldBefore: session?.told };
}
