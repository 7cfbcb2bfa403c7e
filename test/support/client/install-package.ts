import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { succeed } from './run-program.ts';

/** The published package: built, packed and installed into an empty project. */
export type InstalledPackage = {
  /** The project that depends only on the package. */
  readonly folder: string;
  /** The file that the package was installed from. */
  readonly tarball: string;
  /** The program `roomscribe`. */
  readonly commandLine: string;
};

const root = path.resolve(import.meta.dirname, '../../..');

/** Builds and packs the package and installs it into a project, in new folders and without a registry. */
export async function installPackage(base: string): Promise<InstalledPackage> {
  const [built, folder] = [path.join(base, 'dist'), path.join(base, 'project')];
  await mkdir(folder, { recursive: true });
  await succeed(process.execPath, ['client/build/build.ts', '--to', built], { folder: root });
  const packed = await succeed('npm', ['pack', built, '--json', '--pack-destination', base], { folder: base });
  const tarball = path.join(base, nameOf(JSON.parse(packed.stdout)));
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true }));
  const offline = ['--offline', '--no-audit', '--no-fund', '--cache', path.join(base, 'cache')];
  await succeed('npm', ['install', ...offline, tarball], { folder });
  return { folder, tarball, commandLine: path.join(folder, 'node_modules', 'roomscribe', 'cli', 'main.js') };
}

/** Reads the output of npm pack: npm 10 prints a list, npm 11 an object with the package name as its key. */
function nameOf(packed: Readonly<Record<string, { readonly filename: string }>>): string {
  const [entry] = Object.values(packed);
  if (!entry) throw new Error('npm pack printed no file name.');
  return entry.filename;
}
