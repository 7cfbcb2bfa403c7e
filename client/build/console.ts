import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = fileURLToPath(new URL('console-bundle.ts', import.meta.url));

/** Everything that the built page depends on. */
const sources = [
  'client/*.ts',
  'console/**',
  'client/build/{console,console-bundle,values,notices}.ts',
  'client/build/licenses/*',
  'shared/contracts/**/*.ts',
  'shared/runtime/shown-name.ts',
  'package-lock.json',
];

/**
 * Builds the console into a folder, which it replaces. The bundler runs in a process of its own: it changes the environment, and
 * what it builds depends on it. With the `NODE_ENV` of tests, it would be a page for developers.
 */
export async function buildConsole(outDir: string): Promise<void> {
  const env = { NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [program, path.resolve(outDir)], { cwd: root, env });
}

let building: Promise<string> | undefined;

/** The folder with the built console. Builds it if its sources have changed since it was built. Calls at the same time share one build. */
export function builtConsole(): Promise<string> {
  building ??= findOrBuild().finally(() => {
    building = undefined;
  });
  return building;
}

async function findOrBuild(): Promise<string> {
  const folder = path.join(root, 'node_modules/.cache/console', digestOfSources());
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  await buildConsole(fresh);
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // otherwise another process was faster
  }
  return folder;
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  const files = globSync(sources, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
  for (const file of files)
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex').slice(0, 16);
}
