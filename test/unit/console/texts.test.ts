import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { texts } from '../../../console/texts/en.ts';

const sources = globSync('console/**/*.{ts,tsx}')
  .filter((file) => !file.includes('/texts/'))
  .map((file) => readFileSync(file, 'utf8').replaceAll(/\/\*.*?\*\/|(?<!:)\/\/[^\n]*/gs, ''))
  .filter((source) => source.includes('texts.'))
  .map((source) => ({ source, words: wordsOf(source) }));

/** What a module takes from the texts: members of them, and what it takes out of them or out of one of their groups by name. */
function wordsOf(source: string): ReadonlySet<string> {
  const chains = source.match(/\btexts(\s*\??\.\s*\w+)+/g) ?? [];
  const words = new Set(chains.flatMap((chain) => chain.match(/\w+/g) ?? []));
  let before = 0;
  while (before < words.size) {
    before = words.size;
    for (const [, pattern = '', root = ''] of source.matchAll(/\bconst \{((?:[^{}]|\{[^{}]*\})*)\} = (\w+)/g)) {
      if (words.has(root)) for (const word of pattern.match(/\w+/g) ?? []) words.add(word);
    }
    for (const [, group = '', member = ''] of source.matchAll(/(?<![\w.])(\w+)\.(\w+)/g)) {
      if (words.has(group)) words.add(member);
    }
  }
  return words;
}

/** Whether a module hands a group on as a whole, or takes a member by a name that only runs tell. */
function isTakenWhole(group: string, source: string): boolean {
  const reference = `(\\w+\\.)*${group}`;
  return new RegExp(
    `\\b${group}\\[|\\.\\.\\.\\(?[^\\n]*\\b${group}\\b|[({]${reference}[)}]|${group} \\}\\)|: ${reference}[ ,]`,
  ).test(source);
}

/** The paths of all texts. */
function pathsOf(group: object, path: readonly string[] = []): string[][] {
  return Object.entries(group).flatMap(([name, value]) =>
    typeof value === 'object' && !Array.isArray(value) ? pathsOf(value, [...path, name]) : [[...path, name]],
  );
}

function isUsed(path: readonly string[]): boolean {
  return sources.some(({ source, words }) => {
    const groups = path.slice(0, -1);
    const whole = groups.findIndex((group, depth) => depth > 0 && words.has(group) && isTakenWhole(group, source));
    const named = whole < 0 ? path : path.slice(0, whole + 1);
    return named.every((word) => words.has(word));
  });
}

test('a view uses each text', () => {
  const unused = pathsOf(texts).filter((path) => path[0] !== 'failures' && !isUsed(path));

  expect(unused.map((path) => path.join('.'))).toEqual([]);
});

/** What texts say of one: functions among them, called with 1. Those that take something else may fail. */
function ofOne(group: object): string[] {
  return Object.values(group).flatMap((value) => {
    if (typeof value === 'object') return ofOne(value);
    if (typeof value !== 'function') return [];
    try {
      return [String(value(1, 1, 1))];
    } catch {
      return [];
    }
  });
}

test('one thing is spoken of in the singular', () => {
  const plural = /\b1 (?!is\b|was\b|ms\b)(people|\w+s|\w+ minutes)\b|\b(latest|the) 1\b|^all 1\b|\b1 of 1\b.* were/;

  expect(ofOne(texts).filter((text) => plural.test(text))).toEqual([]);
});
