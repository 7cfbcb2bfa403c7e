import type { FailureCode } from '#shared/contracts/transcriptions/transcription.ts';
import { failureCodeOf } from '#shared/domain/media/media-failure.ts';
import { MediaError } from '#shared/domain/media/media-refusal.ts';
import { submittedSeconds } from '#shared/domain/media/media-time-map.ts';
import type { SourcePlan } from '#shared/domain/media/planned-file.ts';
import type { PreparedPiece } from '#shared/domain/media/prepared-piece.ts';
import { deadlines } from '#shared/domain/transcriptions/deadlines.ts';
import type { TranscriptionPart } from '#shared/domain/transcriptions/parts/transcription-part.ts';
import { workKeyOf } from '#shared/domain/transcriptions/parts/work.ts';
import type { PlannedSource, WorkPlan } from '#shared/domain/transcriptions/parts/work-plan.ts';
import { isLastAttempt } from '#shared/domain/transcriptions/parts/work-turn.ts';
import { partMapKey, partMediaKey } from '#shared/domain/transcriptions/transcript-location.ts';
import { isInProgress, type TranscriptionRecord } from '#shared/domain/transcriptions/transcription.ts';
import { chunk } from '#shared/runtime/chunk.ts';
import type { MediaPreparer } from '#shared/use-cases/media/ports.ts';
import type { WorkStore } from '#shared/use-cases/transcriptions/parts/ports.ts';
import type { DueStore, TranscriptFileStore, TranscriptionStore } from '#shared/use-cases/transcriptions/ports.ts';
import type { BegunTurn } from './preparation-turn.ts';

/** A turn begins no more work after this time, of which planning is a part. The function has 15 minutes. */
const turnMs = 12 * 60_000;
/** A turn ends with the first piece that is whole after this time, so that other organizations have their turn. */
const fairTurnMs = 60_000;
const writesAtOnce = 25;

/** What preparing the parts needs. */
export type PartDependencies = {
  readonly transcriptions: Pick<TranscriptionStore, 'find'>;
  readonly due: Pick<DueStore, 'postpone'>;
  readonly works: Pick<WorkStore, 'addPart'>;
  readonly files: Pick<TranscriptFileStore, 'write'>;
  readonly preparer: MediaPreparer;
  readonly transcriptsBucket: string;
  readonly now?: () => Date;
};

/** What a turn has prepared, for the metrics. */
export type Prepared = {
  readonly pieces: number;
  readonly preparedSeconds: number;
  readonly silentSeconds: number;
  readonly bytesRead: number;
  readonly failedParts: number;
};

/** How a turn has ended. `all`: every part is stored. `gone`: nobody wants the transcription any more. */
type TurnEnd = Prepared & { readonly end: 'all' | 'time' | 'gone' };

type PreparedSource = PlannedSource & { readonly plan: Extract<SourcePlan, { kind: 'prepare' }> };

/**
 * Stores the parts of a work that are not stored yet, and prepares their files. The file and the map of a piece are whole before its
 * part is stored, so another turn goes on after the parts that are there.
 */
export async function prepareParts(
  deps: PartDependencies,
  record: TranscriptionRecord,
  plan: WorkPlan,
  begun: BegunTurn,
): Promise<TurnEnd> {
  const turn = await runTurn(deps, record, begun);
  await storePlainParts(turn, plan);
  const unprepared = plan.sources.filter(isPrepared).filter((source) => turn.missingOf(source).length > 0);
  for (const [index, source] of unprepared.entries()) {
    if (!turn.goesOn()) break;
    if (index === 0 && isLastAttempt(begun)) await failRest(turn, source, 'media_unreadable');
    else await prepareSource(deps, turn, source);
  }
  return turn.ended(unprepared.every((source) => turn.missingOf(source).length === 0));
}

function isPrepared(source: PlannedSource): source is PreparedSource {
  return source.plan.kind === 'prepare';
}

/** The state of a turn: which parts are stored, what it has done, and whether it goes on. */
async function runTurn(deps: PartDependencies, begun: TranscriptionRecord, { startedAt, parts }: BegunTurn) {
  const { transcriptions, due, works, now = () => new Date() } = deps;
  const key = workKeyOf(begun);
  const stored = new Set(parts.map(({ part }) => part));
  const done = { pieces: 0, preparedSeconds: 0, silentSeconds: 0, bytesRead: 0, failedParts: 0 };
  const state = { isOver: false, isGone: false };

  /** The reconciler would take the message for lost. */
  const postpone = async (record: TranscriptionRecord) => {
    const { dueAt } = record;
    if (dueAt !== undefined && dueAt < new Date(now().getTime() + turnMs).toISOString())
      await due.postpone(record, deadlines.preparation(now()));
  };
  await postpone(begun);

  return {
    key,
    done,
    missingOf: ({ plan, firstPart }: PreparedSource) =>
      plan.pieces.map((_, index) => index).filter((index) => !stored.has(firstPart + index)),
    isStored: (part: number) => stored.has(part),
    async store(part: TranscriptionPart) {
      if (!(await works.addPart(part))) {
        state.isGone = true; // the work was removed meanwhile
        return;
      }
      stored.add(part.part);
      if (part.state === 'failed') done.failedParts += 1;
    },
    /** Decides after a whole piece whether the turn goes on. */
    async afterPiece() {
      done.pieces += 1;
      state.isOver = now().getTime() - startedAt >= fairTurnMs;
      const record = await transcriptions.find(begun.organizationId, begun.transcriptionId);
      if (isInProgress(record)) await postpone(record);
      else state.isGone = true;
    },
    goesOn: () => !state.isOver && !state.isGone && now().getTime() - startedAt < turnMs,
    ended: (hasAll: boolean): TurnEnd => ({ ...done, end: state.isGone ? 'gone' : hasAll ? 'all' : 'time' }),
  };
}

type Turn = Awaited<ReturnType<typeof runTurn>>;

/** Stores the parts that need no preparation: files as they are, and files that cannot be transcribed. */
async function storePlainParts({ key, isStored, store }: Turn, plan: WorkPlan): Promise<void> {
  const parts = plan.sources.flatMap((source): TranscriptionPart[] => {
    const { participantId, firstPart: part, plan: what } = source;
    const [file] = source.files;
    if (what.kind === 'prepare' || !file || isStored(part)) return [];
    const span = { from: file.offset, to: file.offset + what.seconds };
    const whole = { ...key, part, participantId, ...span };
    if (what.kind === 'refused') return [{ ...whole, state: 'failed', submittedSeconds: 0, failureCode: what.code }];
    const { container, seconds: submitted } = what;
    const { bucket, key: name } = file;
    return [{ ...whole, state: 'waiting', file: { bucket, key: name }, container, submittedSeconds: submitted }];
  });
  for (const some of chunk(parts, writesAtOnce)) await Promise.all(some.map(store));
}

/** Prepares the missing pieces of a source. If a file is broken, the pieces before it stand, and the others fail. */
async function prepareSource(deps: PartDependencies, turn: Turn, source: PreparedSource): Promise<void> {
  const { preparer, transcriptsBucket: bucket } = deps;
  const { files, plan, participantId, firstPart } = source;
  const missing = new Set(turn.missingOf(source));
  const keyOf = (index: number) => ({ ...turn.key, part: firstPart + index });
  try {
    const { bytesRead } = await preparer.prepare({
      files,
      plan,
      leaveOutSilence: participantId !== null,
      done: new Set([...plan.pieces.keys()].filter((index) => !missing.has(index))),
      target: (index) => ({ bucket, key: partMediaKey(keyOf(index), plan.output) }),
      onPiece: (piece) => storePiece(deps, turn, source, piece),
      goesOn: turn.goesOn,
    });
    turn.done.bytesRead += bytesRead;
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    await failRest(turn, source, failureCodeOf(error.code));
  }
}

/** Stores a piece whose file is whole: its map first, then its part. A piece of silence has neither, and is done. */
async function storePiece(
  { files, transcriptsBucket: bucket }: PartDependencies,
  turn: Turn,
  source: PreparedSource,
  { index, to, bytes, map }: PreparedPiece,
): Promise<void> {
  const { output } = source.plan;
  const part = partAt(turn, source, index);
  const seconds = submittedSeconds(map);
  // The header may have said too little: the last piece goes on to the end of the file.
  const end = Math.max(part.to, part.from + to - (source.plan.pieces[index]?.from ?? 0));
  if (bytes === 0) await turn.store({ ...part, state: 'done' });
  else {
    await files.write(partMapKey(part), { body: JSON.stringify(map), contentType: 'application/json' });
    const file = { bucket, key: partMediaKey(part, output) };
    await turn.store({ ...part, to: end, state: 'waiting', file, container: output, submittedSeconds: seconds });
  }
  turn.done.preparedSeconds += part.to - part.from;
  if (source.participantId !== null) turn.done.silentSeconds += Math.max(0, part.to - part.from - seconds);
  await turn.afterPiece();
}

async function failRest(turn: Turn, source: PreparedSource, failureCode: FailureCode): Promise<void> {
  for (const index of turn.missingOf(source))
    await turn.store({ ...partAt(turn, source, index), state: 'failed', failureCode });
}

/** A part as it is planned. */
function partAt({ key }: Turn, { participantId, firstPart, files, plan }: PreparedSource, index: number) {
  const offset = files[0]?.offset ?? 0;
  const { from, to } = plan.pieces[index] ?? { from: 0, to: 0 };
  return {
    ...{ ...key, part: firstPart + index, participantId },
    ...{ from: offset + from, to: offset + to, submittedSeconds: 0 },
  };
}
