import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { succeed } from './run-program.ts';

/** The package as it is published: built, packed, and installed into an empty project. */
export type InstalledPackage = {
  /** The project whose one dependency is the package. */
  readonly folder: string;
  /** The file that the package was installed from. */
  readonly tarball: string;
  /** The program `roomscribe`. */
  readonly commandLine: string;
};

const root = path.resolve(import.meta.dirname, '../..');

/** Builds the package, packs it, and installs it into a project, all in a new folder and without a registry. */
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

/** npm 10 answers with a list, npm 11 with one entry by its name. */
function nameOf(packed: Readonly<Record<string, { readonly filename: string }>>): string {
  const [entry] = Object.values(packed);
  if (!entry) throw new Error('npm pack names no file.');
  return entry.filename;
}
