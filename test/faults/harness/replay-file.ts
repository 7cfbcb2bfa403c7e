import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { actions, type History } from './history.ts';
import type { Failure } from './search.ts';
import { replayFolder } from './settings.ts';

/** Writes a failing history to a file that `npm run faults -- --replay` plays again. Returns its path. */
export function writeReplay({ seed, problem, history }: Failure, folder = replayFolder): string {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${seed}.json`);
  writeFileSync(file, `${JSON.stringify({ seed, problem, history }, null, 2)}\n`);
  return file;
}

/** Reads a history from a file. Throws if it has an action that does not exist any more. */
export function readReplay(file: string): History {
  const { history } = JSON.parse(readFileSync(file, 'utf8')) as { readonly history: History };
  const unknown = history.find(({ action }) => !(action in actions));
  if (unknown) throw new Error(`${file} has an unknown action: "${unknown.action}".`);
  return history;
}
