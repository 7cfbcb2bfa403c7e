import { findPackageJSON } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** Loads a module of fauxqs by its path in `dist`, because the package does not export it. */
export async function fauxqsModule<Module>(file: string): Promise<Module> {
  const folder = path.dirname(findPackageJSON('fauxqs', import.meta.url) ?? '');
  return await import(pathToFileURL(path.join(folder, 'dist', file)).href);
}
