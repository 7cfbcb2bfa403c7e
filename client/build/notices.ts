import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

type Package = { readonly name: string; readonly version: string; readonly license?: string };

/** The folder of licence texts for packages that publish none: `<name>.txt`, with `+` instead of `/`. */
const ownTexts = path.join(import.meta.dirname, 'licenses');

/** The notices of all packages of these files, relative to `root`. `holder` begins their first line. Throws for a package without a licence text. */
export function thirdPartyNotices(root: string, files: readonly string[], holder: string): string {
  const folders = new Set(files.flatMap((file) => packageFolder(file) ?? []));
  const notices = new Map([...folders].map((folder) => noticeOf(path.resolve(root, folder))));
  const sorted = [...notices].sort(([one], [other]) => (one < other ? -1 : 1));
  const head = `${holder} the packages below, each under the terms that follow its name.\n`;
  return [head, ...sorted.map(([title, text]) => `${'-'.repeat(80)}\n${title}\n\n${text}`)].join('\n');
}

/** The folder of a file's package: `node_modules/@b/c` for `node_modules/@b/c/lib/d.js`. Undefined for this project's files. */
function packageFolder(file: string): string | undefined {
  return /^.*\bnode_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
}

function noticeOf(folder: string): [title: string, text: string] {
  const { name, version, license }: Package = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const published = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file));
  const files = published.map((file) => path.join(folder, file));
  if (!published.some((file) => !/^notice/i.test(file))) {
    const own = path.join(ownTexts, `${name.replace('/', '+')}.txt`);
    if (!existsSync(own))
      throw new Error(`${name} publishes no licence text: add the text as ${own}, or remove the package.`);
    files.push(own);
  }
  const texts = files.map((file) => `${readFileSync(file, 'utf8').trim()}\n`);
  return [`${name} ${version} (${license})`, texts.join('\n')];
}
