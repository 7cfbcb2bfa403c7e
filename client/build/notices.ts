import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

type Package = { readonly name: string; readonly version: string; readonly license?: string };

/** Licence texts of packages that publish none with their files: `<name, + for />.txt`. */
const ownTexts = path.join(import.meta.dirname, 'licenses');

/** The notices of every package that these files, from `root`, belong to; throws for a package without a licence text. */
export function thirdPartyNotices(root: string, files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => packageFolder(file) ?? []));
  const notices = new Map([...folders].map((folder) => noticeOf(path.resolve(root, folder))));
  const sorted = [...notices].sort(([one], [other]) => (one < other ? -1 : 1));
  const head = 'cli/main.js holds the packages below, each under the terms that follow its name.\n';
  return [head, ...sorted.map(([title, text]) => `${'-'.repeat(80)}\n${title}\n\n${text}`)].join('\n');
}

/** `node_modules/a/node_modules/@b/c` of `node_modules/a/node_modules/@b/c/lib/d.js`; none for a file of this project. */
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
      throw new Error(`${name} comes without a licence text: put it into ${own}, or do without it.`);
    files.push(own);
  }
  const texts = files.map((file) => `${readFileSync(file, 'utf8').trim()}\n`);
  return [`${name} ${version} (${license})`, texts.join('\n')];
}
