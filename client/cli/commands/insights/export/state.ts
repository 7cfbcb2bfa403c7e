import { lstat, readFile } from 'node:fs/promises';
import type { RowFormat } from '../../../../types.ts';
import { usageProblem } from '../../../problems.ts';

/** The files of a finished export, without their extension. */
export const fileNames = ['rooms', 'sessions', 'participants', 'transcriptions'] as const;
/** A file of an export. */
export type FileName = (typeof fileNames)[number];

const workNames = [...fileNames, 'candidates', 'session-ids'] as const;
/** A file that an export writes: one of its results, or the keys of a step. */
export type WorkName = (typeof workNames)[number];

type Written = { bytes: number; rows: number; header: string };

/**
 * How far an export has come: step, key of the step, page of the key, and the complete part of each file. Once it is
 * finishing, its files get their names.
 */
export type State = {
  readonly scope: Scope;
  step: number;
  key: number;
  cursor: string | null;
  files: { [Name in WorkName]?: Written };
  readonly mayOverwrite: boolean;
  isFinishing: boolean;
};

/** What an export contains. An unfinished export continues only with the same scope. */
export type Scope = {
  readonly apiUrl: string;
  readonly owner: string;
  readonly from: string;
  readonly to: string;
  readonly format: RowFormat;
};

/** Reads the state of an unfinished export. The folder can come from anyone, so another content is refused. */
export async function readState(file: string): Promise<State | undefined> {
  if (!(await ownFile(file))) return undefined;
  const text = await readFile(file, 'utf8');
  try {
    const state: unknown = JSON.parse(text);
    if (isState(state)) return state;
  } catch {
    // It is refused below.
  }
  throw usageProblem(`${file} is not the state of an export.`, startOver);
}

/** Whether a value is a state. Its scope must still equal that of the command. */
function isState(value: unknown): value is State {
  const { scope, step, key, cursor, files, mayOverwrite, isFinishing } = value as Readonly<Record<string, unknown>>;
  return (
    [scope, files].every((each) => typeof each === 'object' && each !== null) &&
    [step, key].every(isCount) &&
    (cursor === null || typeof cursor === 'string') &&
    [mayOverwrite, isFinishing].every((each) => typeof each === 'boolean') &&
    Object.entries(files as object).every(([name, file]) => isWorkName(name) && isWritten(file))
  );
}

function isWritten(value: unknown): value is Written {
  const { bytes, rows, header } = value as Readonly<Record<string, unknown>>;
  return [bytes, rows].every(isCount) && typeof header === 'string';
}

function isWorkName(name: string): name is WorkName {
  return workNames.some((each) => each === name);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** The size of a file. Undefined if there is none. Refuses a link, which could lead to a file of someone else. */
export async function ownFile(file: string): Promise<{ readonly size: number } | undefined> {
  const found = await lstat(file).catch(ignoreMissing);
  if (!found || found.isFile()) return found;
  throw usageProblem(`${file} is not a file.`, startOver);
}

/** The hint for an unfinished export that cannot continue. */
export const startOver = 'Choose another folder with --out, or start over with --force.';

/** Ignores the error of a missing file. */
export function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
