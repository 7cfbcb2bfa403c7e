import { cp, mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { inject } from 'vitest';
import { findProgram } from '#tools/local/transcribe/find-program.ts';
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

/** The Node that this machine has besides the project's own; the oldest that is supported, where CI runs. */
export function machinesNode(): string {
  const searchPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  const node = findProgram('node', searchPath.join(path.delimiter));
  if (node === undefined) throw new Error('There is no node on the path but that of this project.');
  return node;
}
