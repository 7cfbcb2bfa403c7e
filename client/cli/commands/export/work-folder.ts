import { createReadStream } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, stat, truncate } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import writeFileAtomic from 'write-file-atomic';
import type { RowFormat } from '../../../types.ts';
import { usageProblem } from '../../problems.ts';

/** What an export contains. An unfinished export continues only with the same scope. */
export type Scope = {
  readonly apiUrl: string;
  readonly clientId: string | null;
  readonly from: string;
  readonly to: string;
  readonly format: RowFormat;
};

/** The files of a finished export, without their extension. */
export const fileNames = ['rooms', 'sessions', 'participants', 'transcriptions'] as const;
/** A file of an export. */
export type FileName = (typeof fileNames)[number];

type Written = { bytes: number; rows: number; header: string };

/** How far an export has come: step, key of the step, page of the key, and the complete part of each file. */
type State = {
  readonly scope: Scope;
  step: number;
  key: number;
  cursor: string | null;
  readonly files: Record<string, Written>;
};

const saveEveryMs = 1_000;

/** The folder in which an export writes until it is complete. Its files are renamed to their names at the end. */
export class WorkFolder {
  readonly state: State;
  /** Whether an earlier command began the export. */
  readonly isContinued: boolean;
  readonly #out: string;
  readonly #folder: string;
  #savedAt = 0;

  private constructor(out: string, state: State, isContinued: boolean) {
    this.#out = out;
    this.#folder = workIn(out);
    this.state = state;
    this.isContinued = isContinued;
  }

  /** The file whose lock an export holds. */
  static lockOf(out: string): string {
    return path.join(out, '.roomscribe-export');
  }

  /** Opens the folder of a new export, or of the unfinished one with the same scope. Refuses to overwrite anything else. */
  static async open(out: string, scope: Scope, isForced: boolean): Promise<WorkFolder> {
    if (isForced) await rm(workIn(out), { recursive: true, force: true });
    const state = await readState(out);
    if (state && JSON.stringify(state.scope) !== JSON.stringify(scope)) {
      const { from, to, format } = state.scope;
      throw usageProblem(
        `${out} has an unfinished export (${from} to ${to}, ${format}), or one of another account.`,
        'Run that command again, choose another folder with --out, or start over with --force.',
      );
    }
    if (!state && !isForced) await refuseExisting(out, scope.format);
    await mkdir(workIn(out), { recursive: true, mode: 0o700 });
    const folder = new WorkFolder(
      out,
      state ?? { scope, step: 0, key: 0, cursor: null, files: {} },
      state !== undefined,
    );
    for (const [name, { bytes }] of Object.entries(folder.state.files)) await cutTo(folder.#path(name), bytes);
    await folder.save();
    return folder;
  }

  /** Appends rows to a file, below the header of the first page. */
  async append(name: string, header: string, rows: readonly string[]): Promise<void> {
    const isNew = this.state.files[name] === undefined;
    const written = this.state.files[name] ?? { bytes: 0, rows: 0, header };
    const text = (isNew ? header : '') + rows.join('');
    if (isNew) await rm(this.#path(name), { force: true });
    await appendFile(this.#path(name), text, { mode: 0o600 });
    this.state.files[name] = {
      header: written.header,
      bytes: written.bytes + Buffer.byteLength(text),
      rows: written.rows + rows.length,
    };
  }

  /** The lines of a file that was written before, from the key of the state on. */
  async *keysOf(name: string): AsyncGenerator<string, void, undefined> {
    if (this.state.files[name] === undefined) return;
    let index = 0;
    for await (const line of createInterface({ input: createReadStream(this.#path(name)) })) {
      if (index++ >= this.state.key) yield line;
    }
  }

  /** Saves the state at most once a second. */
  async saveSometimes(): Promise<void> {
    if (Date.now() - this.#savedAt >= saveEveryMs) await this.save();
  }

  /** Saves the state. An export that continues discards what was written after it. */
  async save(): Promise<void> {
    await writeFileAtomic(stateFile(this.#out), JSON.stringify(this.state), { mode: 0o600 });
    this.#savedAt = Date.now();
  }

  /** Gives the files their names, and removes the folder. */
  async finish(): Promise<void> {
    for (const name of fileNames) {
      await rename(this.#path(name), path.join(this.#out, `${name}.${this.state.scope.format}`)).catch(ignoreMissing);
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  #path(name: string): string {
    return path.join(this.#folder, name);
  }
}

function workIn(out: string): string {
  return path.join(out, '.roomscribe-export');
}

function stateFile(out: string): string {
  return path.join(workIn(out), 'state.json');
}

async function readState(out: string): Promise<State | undefined> {
  try {
    return JSON.parse(await readFile(stateFile(out), 'utf8'));
  } catch (error) {
    return ignoreMissing(error);
  }
}

async function refuseExisting(out: string, format: RowFormat): Promise<void> {
  for (const name of fileNames) {
    const file = path.join(out, `${name}.${format}`);
    const found = await stat(file).catch(ignoreMissing);
    if (found) {
      throw usageProblem(`${file} already exists.`, 'Choose another folder with --out, or overwrite it with --force.');
    }
  }
}

/** Removes what was written after the state. */
async function cutTo(file: string, bytes: number): Promise<void> {
  const found = await stat(file).catch(ignoreMissing);
  if (found && found.size >= bytes) return truncate(file, bytes);
  throw usageProblem(`${file} is incomplete, so the export cannot continue.`, 'Start over with --force.');
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
