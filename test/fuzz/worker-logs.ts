import { setTimeout as delay } from 'node:timers/promises';
import { logOf } from '../support/machine.ts';

/** A message that the worker has done or refused, and its reasons. */
export type Outcome = { readonly isDone: boolean; readonly issues: string };
type Line = {
  readonly level?: string;
  readonly message?: string;
  readonly messageId?: string;
  readonly newMessageId?: string;
  readonly issues?: string;
  readonly error?: { readonly name: string };
};

/** The end of each message, by its id, and the lines of errors and warnings that are no refusal. */
export type WorkerLogs = {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** The id that a message was sent with, by the id with which it was sent back. */
  readonly firstIds: ReadonlyMap<string, string>;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
};

const workers = ['record-room-events', 'record-network-samples'];

/**
 * Reads what the workers logged so far. A fault of a function is a line that is not JSON. A call that timed out is a warning: the
 * machine is busy, and the message comes back.
 */
export async function readWorkerLogs(): Promise<WorkerLogs> {
  const lines = (await Promise.all(workers.map(logOf))).flatMap((log) => log.split('\n').slice(0, -1));
  const parsed = lines.map((text) => ({ text, ...(text.startsWith('{') ? (JSON.parse(text) as Line) : {}) }));
  const firstIds = new Map<string, string>();
  for (const { messageId = '', newMessageId } of parsed)
    if (newMessageId) firstIds.set(newMessageId, firstIds.get(messageId) ?? messageId);
  const outcomes = new Map<string, Outcome>();
  const [errors, warnings]: [string[], string[]] = [[], []];
  for (const { text, level, message, messageId: ownId = '', issues, error } of parsed) {
    const messageId = firstIds.get(ownId) ?? ownId;
    if (message === 'message done') outcomes.set(messageId, { isDone: true, issues: '' });
    // The list of refused events has the first reason. A file can find its owner between two receives.
    else if (message === 'message failed' && issues)
      outcomes.set(messageId, outcomes.get(messageId) ?? { isDone: false, issues });
    else if (level === 'WARN' || error?.name === 'TimeoutError') warnings.push(text);
    else if (level === undefined || level === 'ERROR') errors.push(text);
  }
  return { outcomes, firstIds, errors, warnings };
}

const pollMs = 500;
/** A message that was received and lost by its worker comes back after six minutes. That is a defect, and not waited for. */
const patienceMs = 120_000;

/**
 * Waits until nothing is left. `whatIsLeft` returns a description of each. Throws if their number does not change for two minutes, or
 * at the limit, and says what was waited for.
 */
export async function untilNothingIsLeft(
  what: string,
  whatIsLeft: () => Promise<readonly string[]>,
  limitMs: number,
): Promise<void> {
  const begunAt = Date.now();
  let [count, changedAt] = [-1, begunAt];
  for (;;) {
    const left = await whatIsLeft();
    if (left.length === 0) return;
    if (left.length !== count) [count, changedAt] = [left.length, Date.now()];
    const [waitedMs, unchangedMs] = [Date.now() - begunAt, Date.now() - changedAt];
    if (waitedMs > limitMs || unchangedMs > patienceMs) {
      const seconds = (ms: number) => Math.round(ms / 1000);
      const { errors, warnings } = await readWorkerLogs();
      const lines = [...errors, ...warnings];
      throw new Error(
        `Waited ${seconds(waitedMs)} s until ${what}. ${count} are left, unchanged for ${seconds(unchangedMs)} s: ${left.slice(0, 3).join(' ')}\nErrors and warnings of the workers (${lines.length}), such as: ${lines.slice(0, 3).join('\n')}`,
      );
    }
    await delay(pollMs);
  }
}
