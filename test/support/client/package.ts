import { cp, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';
import { findProgram } from '#tools/local/transcribe/media/find-program.ts';
import type { InstalledPackage } from './install-package.ts';

let installed: Promise<InstalledPackage> | undefined;

/** The package as users install it. It is built once for all tests, so nothing may be written into its folder. */
export function sharedPackage(): Promise<InstalledPackage> {
  installed ??= fetch(inject('machine').packageUrl).then((response) => response.json() as Promise<InstalledPackage>);
  return installed;
}

/** A project of the caller's own in which the package is installed. */
export async function installedPackage(): Promise<Pick<InstalledPackage, 'folder' | 'tarball'>> {
  const { folder: shared, tarball } = await sharedPackage();
  const folder = await mkdtemp(path.join(inject('machine').temporaryFolder, 'project-'));
  await cp(shared, folder, { recursive: true, verbatimSymlinks: true });
  return { folder, tarball };
}

/** The path of the Node on the PATH that is not the project's own. In CI it is the oldest supported version. */
export function machinesNode(): string {
  const searchPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const node = findProgram('node', searchPath.join(path.delimiter));
  if (node === undefined) throw new Error('The PATH has no node other than that of this project.');
  return node;
}
