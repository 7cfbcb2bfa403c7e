import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rolldown } from 'vite';
import { consolePath } from '../../console/serving/files.ts';
import { thirdPartyNotices } from './notices.ts';
import { valuesOf } from './values.ts';

// `node client/build/console-bundle.ts FOLDER`: bundles the console into a folder, which it replaces, with the licences of what it holds.

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Modules that the build replaces by the values that they export, so that the page loads no schemas. */
const valueModules = ['client/contract.ts', 'console/contract.ts'].map((file) => path.join(root, file));

function valuesInPlace(): Plugin {
  return {
    name: 'values',
    enforce: 'pre',
    async load(id) {
      return valueModules.includes(id) ? { code: await valuesOf(id), map: null } : null;
    },
  };
}

/** The files of packages in a bundle, relative to the root. */
function packageFiles({ output }: Rolldown.RolldownOutput): string[] {
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return modules
    .map((id) => path.relative(root, id.replace(/^\0|\?.*$/g, '')))
    .filter((id) => /\bnode_modules\//.test(id));
}

const outDir = path.resolve(process.argv[2] ?? '');
const built = await build({
  configFile: false,
  root: path.join(root, 'console'),
  base: consolePath,
  publicDir: false,
  logLevel: 'error',
  plugins: [react(), valuesInPlace()],
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // a strict policy takes no data: addresses of scripts and styles
    modulePreload: { polyfill: false },
    manifest: true, // by which the budgets find what the first view loads
  },
});
const holder = 'The console holds';
const notices = thirdPartyNotices(root, packageFiles(built as Rolldown.RolldownOutput), holder);
writeFileSync(path.join(outDir, 'third-party-notices.txt'), notices);
