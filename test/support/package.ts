import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { findProgram } from '#tools/local/transcribe/find-program.ts';

/** A project whose one dependency is the package as it is published, and the file that it was installed from. */
export type InstalledPackage = { readonly folder: string; readonly tarball: string };

/** How a program ended, and what it wrote. */
export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

const root = path.resolve(import.meta.dirname, '../..');
let installed: Promise<InstalledPackage> | undefined;
let base: string | undefined;

afterAll(async () => {
  if (base !== undefined) await rm(base, { recursive: true, force: true });
});

/** Builds the package, packs it, and installs it into an empty project, without a registry; once for a test file. */
export function installedPackage(): Promise<InstalledPackage> {
  installed ??= install();
  return installed;
}

async function install(): Promise<InstalledPackage> {
  base = await mkdtemp(path.join(tmpdir(), 'roomscribe-package-'));
  const [built, folder] = [path.join(base, 'dist'), path.join(base, 'project')];
  await mkdir(folder);
  await succeed(process.execPath, ['client/build/build.ts', '--to', built], { folder: root });
  const packed = await succeed('npm', ['pack', built, '--json', '--pack-destination', base], { folder: base });
  const tarball = path.join(base, nameOf(JSON.parse(packed.stdout)));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true }));
  const offline = ['--offline', '--no-audit', '--no-fund', '--cache', path.join(base, 'cache')];
  await succeed('npm', ['install', ...offline, tarball], { folder });
  return { folder, tarball };
}

/** npm 10 answers with a list, npm 11 with one entry by its name. */
function nameOf(packed: Readonly<Record<string, { readonly filename: string }>>): string {
  const [entry] = Object.values(packed);
  if (!entry) throw new Error('npm pack names no file.');
  return entry.filename;
}

/** Runs a program as a user's shell would: nothing of npm's, or of this test run's Node, is in its environment. */
export function run(
  program: string,
  args: readonly string[],
  { folder, env = {} }: { readonly folder: string; readonly env?: NodeJS.ProcessEnv },
): Promise<Ended> {
  const usual = Object.entries(process.env).filter(([name]) => !/^(npm_|node_|vitest|test$)/i.test(name));
  return new Promise((resolve) => {
    const settings = { cwd: folder, env: { ...Object.fromEntries(usual), ...env }, maxBuffer: 2 ** 26 };
    execFile(program, args, settings, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });
}

/** The same of a program that must succeed. */
export async function succeed(...call: Parameters<typeof run>): Promise<Ended> {
  const ended = await run(...call);
  if (ended.code === 0) return ended;
  throw new Error(`${call[0]} ${call[1].join(' ')} ended with ${ended.code}:\n${ended.stdout}${ended.stderr}`);
}

/** The Node that this machine has besides the project's own; the oldest that is supported, where CI runs. */
export function machinesNode(): string {
  const searchPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const node = findProgram('node', searchPath.join(path.delimiter));
  if (node === undefined) throw new Error('There is no node on the path but that of this project.');
  return node;
}
