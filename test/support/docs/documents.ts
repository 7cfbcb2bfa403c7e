import { globSync, readFileSync } from 'node:fs';

/** Every page of the documentation, by its path from the root. */
export const documents: readonly string[] = globSync([
  '{,client/build/,functions/,test/emulator/}*.md',
  '{docs,shared,tools}/**/*.md',
]).sort();

/** The fenced blocks of a page in one language, without the indentation of lists. */
export function blocksOf(document: string, language: string): string[] {
  return blocksIn(readFileSync(document, 'utf8'), language);
}

/** The commands of a page between two headings. Throws if there are none. */
export function commandsBetween(document: string, from: string, to: string): string[] {
  return stepsBetween(document, 'sh', from, to).map(({ code }) => code);
}

/** A block of code, and its output in the `text` block after it. */
export type Step = { readonly code: string; readonly output: string };

/** The blocks of code of a page, optionally between two headings. Throws if there are none. */
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
  if (steps.length === 0) throw new Error(`${document} has no ${language} block between "${from}" and "${to}".`);
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

/** The valid link targets within a page: its headings, as GitHub spells them. */
export function anchorsOf(document: string): ReadonlySet<string> {
  const text = readFileSync(document, 'utf8').replaceAll(/^ *```.*?^ *```$/gms, '');
  return new Set([...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchor(title)));
}

/** The targets of the links in a page that stay within the project. */
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
