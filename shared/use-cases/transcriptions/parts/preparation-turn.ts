import { randomUUID } from 'node:crypto';
import type { TranscriptionPart, WorkKey } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import { turnAfter, type WorkTurn } from '#shared/domain/transcriptions/parts/work-turn.ts';
import type { WorkStore } from '#shared/use-cases/transcriptions/parts/ports.ts';

/** What turns need. */
export type PreparationTurnDependencies = {
  readonly works: Pick<WorkStore, 'findTurn' | 'storeTurn' | 'listParts'>;
  readonly now?: () => Date;
};

/** A turn that has begun, when that was in milliseconds, and the parts that were stored then. */
export type BegunTurn = WorkTurn & { readonly startedAt: number; readonly parts: readonly TranscriptionPart[] };

/** Begins a turn of preparing a work. Undefined if another run has it. `asked` is the turn that the message names. */
export async function beginTurn(
  { works, now = () => new Date() }: PreparationTurnDependencies,
  key: WorkKey,
  asked: string | undefined,
): Promise<BegunTurn | undefined> {
  const startedAt = now().getTime();
  const stored = await works.findTurn(key);
  const parts = await works.listParts(key);
  const turn = turnAfter(stored, { turnId: randomUUID(), asked, storedParts: parts.length, now: now() });
  if (!turn || !(await works.storeTurn(key, turn, stored?.turnId))) return undefined;
  return { ...turn, startedAt, parts };
}

/** Ends a turn, so that any message can begin another one. After an error of a service it was no attempt at the files. */
export async function endTurn(
  { works, now = () => new Date() }: PreparationTurnDependencies,
  key: WorkKey,
  { turnId, storedParts, attempts }: WorkTurn,
  hasFailed: boolean,
): Promise<void> {
  const ended = { turnId, storedParts, attempts: hasFailed ? attempts - 1 : attempts, until: now().toISOString() };
  await works.storeTurn(key, ended, turnId);
}

/** Keeps the turn for the message that goes on with it, and returns the id that this message names. */
export async function handTurnOn(
  { works }: PreparationTurnDependencies,
  key: WorkKey,
  { turnId, until, storedParts, attempts }: WorkTurn,
): Promise<string> {
  const next = randomUUID();
  await works.storeTurn(key, { turnId: next, until, storedParts, attempts }, turnId);
  return next;
}
