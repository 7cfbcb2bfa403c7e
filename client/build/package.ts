import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleCommandLine, bundleLibrary, entryPoints } from './bundles.ts';
import { buildConsole } from './console.ts';
import { declarations } from './declarations.ts';
import { thirdPartyNotices } from './notices.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Writes the package that users install into a new folder. `repository` is the web address of its source. */
export async function writePackage(folder: string, repository?: string): Promise<void> {
  mkdirSync(folder);
  const at = (...names: readonly string[]) => path.resolve(folder, ...names);
  await bundleLibrary(root, at('client'), 'esm');
  await bundleLibrary(root, at('client', 'cjs'), 'cjs');
  for (const [name, text] of declarations(root)) {
    writeFileSync(at('client', name), text);
    writeFileSync(at('client', 'cjs', name), text); // each kind of module needs types of its own kind
  }
  writeFileSync(at('client', 'cjs', 'package.json'), toJson({ type: 'commonjs' }));

  // Tools that do not read `exports` look for a folder. They find that of the client by its name.
  const { default: types, require: main } = moduleOf(entryPoints.webhooks);
  mkdirSync(at('webhooks'));
  writeFileSync(at('webhooks', 'package.json'), toJson({ types: `.${types.types}`, main: `.${main.default}` }));

  const program = at('cli', 'main.js');
  const bundled = await bundleCommandLine(root, program);
  chmodSync(program, 0o755);
  await buildConsole(at('cli', 'console'));
  rmSync(at('cli', 'console', '.vite'), { recursive: true }); // the manifest is for our budgets

  writeFileSync(at('THIRD-PARTY-NOTICES'), thirdPartyNotices(root, bundled, 'cli/main.js holds'));
  writeFileSync(at('package.json'), toJson(manifest(repository)));
  copyFileSync(`${root}client/README.md`, at('README.md'));
  copyFileSync(`${root}LICENSE`, at('LICENSE'));
}

type Project = { readonly name: string; readonly version: string; readonly license: string };

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The package.json of the package, which has no dependencies. */
function manifest(repository: string | undefined) {
  const { name, version, license }: Project = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  return {
    name,
    version,
    description: 'Typed client and command line of Roomscribe: transcripts and usage insights of video rooms.',
    license,
    // npm compares it with the repository of the workflow that publishes with provenance.
    ...(repository !== undefined && { repository: { type: 'git', url: `git+${repository}.git` } }),
    publishConfig: { access: 'public', provenance: true },
    type: 'module',
    engines: { node: '>=20.12' },
    sideEffects: false,
    exports: {
      ...Object.fromEntries(Object.entries(entryPoints).map(([name, file]) => [`./${name}`, moduleOf(file)])),
      './package.json': './package.json',
    },
    bin: { [name]: 'cli/main.js' },
  };
}

/** Where the two kinds of programs find a module and its types. */
function moduleOf(file: string) {
  return {
    require: { types: `./client/cjs/${file}.d.ts`, default: `./client/cjs/${file}.js` },
    default: { types: `./client/${file}.d.ts`, default: `./client/${file}.js` },
  };
}
