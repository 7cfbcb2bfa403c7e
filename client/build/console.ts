import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';
import { valuesOf } from './values.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Where a server has the console. */
export const consolePath = '/console/';

/** Modules that the build replaces by the values that they export, so that the page loads no schemas. */
const valueModules = ['client/contract.ts', 'client/console/contract.ts'].map((file) => path.join(root, file));

/** Everything that the built page depends on. */
const sources = ['client/*.ts', 'client/console/**', 'client/build/{console,values}.ts', 'shared/contracts/*.ts'];

/** Builds the console into a folder, which it replaces. */
export async function buildConsole(outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: path.join(root, 'client/console'),
    base: consolePath,
    publicDir: false,
    logLevel: 'error',
    plugins: [react(), valuesInPlace()],
    build: {
      outDir: path.resolve(outDir),
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0, // a strict policy takes no data: addresses of scripts and styles
      modulePreload: { polyfill: false },
      manifest: true, // by which the budgets find what the first view loads
    },
  });
}

/** The folder with the built console. Builds it if its sources have changed since it was built. */
export async function builtConsole(): Promise<string> {
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
  const files = globSync([...sources, 'package-lock.json'], { cwd: root, withFileTypes: true })
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

function valuesInPlace(): Plugin {
  return {
    name: 'values',
    enforce: 'pre',
    async load(id) {
      return valueModules.includes(id) ? { code: await valuesOf(id), map: null } : null;
    },
  };
}
