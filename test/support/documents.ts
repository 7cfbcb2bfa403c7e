import { globSync, readFileSync } from 'node:fs';

/** Every page that people read, by its path from the root. */
export const documents: readonly string[] = globSync(['*.md', 'docs/**/*.md', 'infra/**/*.md']).sort();

/** The fenced blocks of a page in one language, without what a list indents them by. */
export function blocksOf(document: string, language: string): string[] {
  return blocksIn(readFileSync(document, 'utf8'), language);
}

/** The commands of a page between two of its headings; a part without any is an error. */
export function commandsBetween(document: string, from: string, to: string): string[] {
  const text = readFileSync(document, 'utf8');
  const [start, end] = [text.indexOf(`\n${from}\n`), text.indexOf(`\n${to}\n`)];
  const blocks = start < 0 ? [] : blocksIn(text.slice(start, end), 'sh');
  if (blocks.length === 0) throw new Error(`${document} has no commands between "${from}" and "${to}".`);
  return blocks;
}

function blocksIn(text: string, language: string): string[] {
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)\n\1```$/gms)]
    .filter(([, , found]) => found === language)
    .map(([, indent = '', , body = '']) => body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
}

/** What a page's links may point at: its headings, spelled as GitHub spells them. */
export function anchorsOf(document: string): ReadonlySet<string> {
  const text = readFileSync(document, 'utf8').replaceAll(/^ *```.*?^ *```$/gms, '');
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchor(title)));
}

/** The targets of a page's links that stay within the project. */
export function linksOf(document: string): string[] {
  const text = readFileSync(document, 'utf8').replaceAll(/^ *```.*?^ *```$/gms, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^\w+:/.test(target));
}

function anchor(title: string): string {
  return title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
