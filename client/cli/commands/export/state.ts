import { lstat, readFile } from 'node:fs/promises';
import * as z from 'zod/mini';
import { usageProblem } from '../../problems.ts';

/** The files of a finished export, without their extension. */
export const fileNames = ['rooms', 'sessions', 'participants', 'transcriptions'] as const;
/** A file of an export. */
export type FileName = (typeof fileNames)[number];

const workNames = [...fileNames, 'candidates', 'session-ids'] as const;
/** A file that an export writes: one of its results, or the keys of a step. */
export type WorkName = (typeof workNames)[number];

const count = z.int().check(z.nonnegative());

const stateSchema = z.object({
  scope: z.object({
    apiUrl: z.string(),
    owner: z.string(),
    from: z.string(),
    to: z.string(),
    format: z.enum(['csv', 'ndjson']),
  }),
  step: count,
  key: count,
  cursor: z.nullable(z.string()),
  files: z.partialRecord(z.enum(workNames), z.object({ bytes: count, rows: count, header: z.string() })),
  mayOverwrite: z.boolean(),
  isFinishing: z.boolean(),
});

/**
 * How far an export has come: step, key of the step, page of the key, and the complete part of each file. Once it is
 * finishing, its files get their names.
 */
export type State = z.infer<typeof stateSchema>;

/** What an export contains. An unfinished export continues only with the same scope. */
export type Scope = Readonly<State['scope']>;

/** Reads the state of an unfinished export. The folder can come from anyone, so another content is refused. */
export async function readState(file: string): Promise<State | undefined> {
  if (!(await ownFile(file))) return undefined;
  const text = await readFile(file, 'utf8');
  try {
    return z.parse(stateSchema, JSON.parse(text));
  } catch {
    throw usageProblem(`${file} is not the state of an export.`, startOver);
  }
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
