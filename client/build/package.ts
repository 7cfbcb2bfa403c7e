import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleCommandLine, bundleLibrary } from './bundles.ts';
import { declarations } from './declarations.ts';
import { thirdPartyNotices } from './notices.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Writes the package that users install into a new folder. */
export async function writePackage(folder: string): Promise<void> {
  mkdirSync(folder);
  const at = (...names: readonly string[]) => path.resolve(folder, ...names);
  await bundleLibrary(root, at('client', 'index.js'));
  for (const [name, text] of declarations(root)) writeFileSync(at('client', name), text);

  const program = at('cli', 'main.js');
  const bundled = await bundleCommandLine(root, program);
  chmodSync(program, 0o755);

  writeFileSync(at('THIRD-PARTY-NOTICES'), thirdPartyNotices(root, bundled));
  writeFileSync(at('package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  copyFileSync(`${root}client/README.md`, at('README.md'));
  copyFileSync(`${root}LICENSE`, at('LICENSE'));
}

type Project = { readonly name: string; readonly version: string; readonly license: string };

/** The package.json of the package, which has no dependencies. */
function manifest() {
  const { name, version, license }: Project = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  return {
    name,
    version,
    description: 'Typed client and command line of Roomscribe: transcripts and usage insights of video rooms.',
    license,
    type: 'module',
    engines: { node: '>=20.12' },
    sideEffects: false,
    exports: {
      './client': { types: './client/index.d.ts', default: './client/index.js' },
      './package.json': './package.json',
    },
    bin: { [name]: 'cli/main.js' },
  };
}
