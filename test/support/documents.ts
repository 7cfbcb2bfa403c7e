import { globSync, readFileSync } from 'node:fs';

/** Every page that people read, by its path from the root. */
export const documents: readonly string[] = globSync(['*.md', 'docs/**/*.md', 'tools/**/*.md']).sort();

/** The fenced blocks of a page in one language, without what a list indents them by. */
export function blocksOf(document: string, language: string): string[] {
  return blocksIn(readFileSync(document, 'utf8'), language);
}

/** The commands of a page between two of its headings; a part without any is an error. */
export function commandsBetween(document: string, from: string, to: string): string[] {
  return stepsBetween(document, 'sh', from, to).map(({ code }) => code);
}

/** A block of code, and what the page says that it prints: the `text` block after it. */
export type Step = { readonly code: string; readonly output: string };

/** The blocks of code of a page, between two of its headings if those are given; to find none is an error. */
export function stepsBetween(document: string, language: string, from?: string, to?: string): Step[] {
  const text = readFileSync(document, 'utf8');
  const start = from === undefined ? 0 : text.indexOf(`\n${from}\n`);
  const end = to === undefined ? text.length : text.indexOf(`\n${to}\n`);
  const blocks = start < 0 ? [] : allBlocksIn(text.slice(start, end));
  const steps = blocks.flatMap((block, index) => {
    if (block.language !== language) return [];
    const next = blocks[index + 1];
    return { code: block.body, output: next?.language === 'text' ? next.body : '' };
  });
  if (steps.length === 0) throw new Error(`${document} has no block of ${language} between "${from}" and "${to}".`);
  return steps;
}

function blocksIn(text: string, language: string): string[] {
  return allBlocksIn(text).flatMap((block) => (block.language === language ? block.body : []));
}

function allBlocksIn(text: string): { readonly language: string; readonly body: string }[] {
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)\n\1```$/gms)].map(([, indent = '', language = '', body = '']) => ({
    language,
    body: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
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
