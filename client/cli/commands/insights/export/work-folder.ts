import { createReadStream } from 'node:fs';
import { appendFile, lstat, mkdir, rename, rm, truncate } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { isDeepStrictEqual } from 'node:util';
import writeFileAtomic from 'write-file-atomic';
import { usageProblem } from '../../../problems.ts';
import {
  fileNames,
  ignoreMissing,
  ownFile,
  readState,
  type Scope,
  type State,
  startOver,
  type WorkName,
} from './state.ts';

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
    return workIn(out);
  }

  /** Opens the folder of a new export, or of the unfinished one with the same scope. Refuses to overwrite anything else. */
  static async open(out: string, scope: Scope, isForced: boolean): Promise<WorkFolder> {
    if (isForced) await rm(workIn(out), { recursive: true, force: true });
    await refuseLink(workIn(out));
    const state = await readState(stateFile(out));
    if (state && !isDeepStrictEqual(state.scope, scope)) {
      const { from, to, format } = state.scope;
      throw usageProblem(
        `${out} has an unfinished export (${from} to ${to}, ${format}), or one of another account.`,
        'Run that command again, choose another folder with --out, or start over with --force.',
      );
    }
    const begun = { scope, step: 0, key: 0, cursor: null, files: {}, mayOverwrite: isForced, isFinishing: false };
    const folder = new WorkFolder(out, state ?? begun, state !== undefined);
    await folder.#refuseExisting();
    await mkdir(workIn(out), { recursive: true, mode: 0o700 });
    await folder.#cutFiles();
    await folder.save();
    return folder;
  }

  /** Runs the appends of one page. If one fails, the state counts none of them. */
  async writePage(write: () => Promise<void>): Promise<void> {
    const before = { ...this.state.files };
    try {
      await write();
    } catch (error) {
      this.state.files = before;
      throw error;
    }
  }

  /** Appends rows to a file, below the header of the first page. */
  async append(name: WorkName, header: string, rows: readonly string[]): Promise<void> {
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

  /** The different lines of a file that was written before, from the key of the state on. Rooms can share the id of a session. */
  async *keysOf(name: WorkName): AsyncGenerator<string, void, undefined> {
    if (this.state.files[name] === undefined) return;
    const seen = new Set<string>();
    for await (const line of createInterface({ input: createReadStream(this.#path(name)) })) {
      if (seen.has(line)) continue;
      seen.add(line);
      if (seen.size > this.state.key) yield line;
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

  /** Gives the files their names, and removes the folder. If it fails, the next command goes on with the other files. */
  async finish(): Promise<void> {
    await this.#refuseExisting();
    this.state.isFinishing = true;
    await this.save();
    for (const name of fileNames) await rename(this.#path(name), this.#resultOf(name)).catch(ignoreMissing);
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Refuses to overwrite what this export did not write. Of a finishing export, a file that has its name is its own. */
  async #refuseExisting(): Promise<void> {
    if (this.state.mayOverwrite) return;
    for (const name of fileNames) {
      if (this.state.isFinishing && !(await ownFile(this.#path(name)))) continue;
      const result = this.#resultOf(name);
      if (!(await lstat(result).catch(ignoreMissing))) continue;
      const goOn = 'Move it elsewhere and run the same command again, or start over with --force.';
      const begin = 'Choose another folder with --out, or overwrite it with --force.';
      throw usageProblem(`${result} already exists.`, this.isContinued ? goOn : begin);
    }
  }

  /** Removes what was written after the state. The files of a finishing export are complete. */
  async #cutFiles(): Promise<void> {
    for (const [name, { bytes }] of Object.entries(this.state.files)) {
      const file = this.#path(name);
      const found = await ownFile(file);
      if (this.state.isFinishing) continue;
      if (!found || found.size < bytes) {
        throw usageProblem(`${file} is incomplete, so the export cannot continue.`, startOver);
      }
      await truncate(file, bytes);
    }
  }

  #path(name: string): string {
    return path.join(this.#folder, name);
  }

  #resultOf(name: string): string {
    return path.join(this.#out, `${name}.${this.state.scope.format}`);
  }
}

function workIn(out: string): string {
  return path.join(out, '.roomscribe-export');
}

function stateFile(out: string): string {
  return path.join(workIn(out), 'state.json');
}

async function refuseLink(folder: string): Promise<void> {
  const found = await lstat(folder).catch(ignoreMissing);
  if (found && !found.isDirectory()) throw usageProblem(`${folder} is not a folder.`, startOver);
}
