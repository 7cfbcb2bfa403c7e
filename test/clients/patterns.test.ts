import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { assertPrograms } from './tools.ts';

// Tries every published pattern in other languages, on texts that fit and on texts that nearly do.

beforeAll(assertPrograms);

const folder = path.resolve('test/clients/patterns');
const documents = ['openapi', 'asyncapi', 'events.schema', 'transcript.schema'];
const patterns = [
  ...new Set(documents.flatMap((name) => patternsOf(JSON.parse(readFileSync(`docs/${name}.json`, 'utf8'))))),
];

function patternsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([keyword, part]) =>
    keyword === 'pattern' && typeof part === 'string' ? [part] : patternsOf(part),
  );
}

const notAscii = ['\u0660', '\u017f', '\u212a', 'é', '\u0085', '\u2028', '😀', '\u200b'];
const others = ['', '\n', '\r\n', '0', 'a', 'A', '/', '/a', '/a\nb', '\0', '..', ...notAscii];

/** Texts for a pattern: some that fit, what they become by a small change, and texts of any kind. */
function textsFor(pattern: string): string[] {
  const fitting = fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 40, seed: 1 });
  const changed = fitting.flatMap((text) => [
    ...['\n', '\r', '\r\n', '\n\n', '\u2028', '\u0085', '\0'].map((end) => text + end),
    ...[`\n${text}`, text.slice(1), text.slice(0, -1), text.toUpperCase(), text.repeat(2)],
    ...notAscii.map((character) => character + text.slice(1)),
  ]);
  return [...new Set([...fitting, ...changed, ...others])].filter((text) => text.isWellFormed());
}

const cases = patterns.flatMap((pattern) => textsFor(pattern).map((text) => ({ pattern, text })));
const base64 = (text: string) => Buffer.from(text).toString('base64');
const lines = cases.map(({ pattern, text }) => `${base64(pattern)},${base64(text)}\n`).join('');

const languages: readonly (readonly [language: string, program: string, ...args: string[]])[] = [
  ['Java', 'java', path.join(folder, 'Patterns.java')],
  ['Go', 'go', 'run', path.join(folder, 'patterns.go')],
  ['Python', 'python3', path.join(folder, 'patterns.py')],
];

test.each(languages)('every published pattern fits in %s what it fits in ECMAScript', (language, program, ...args) => {
  const answers = execFileSync(program, args, { input: lines, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .trim()
    .split('\n');
  expect(answers).toHaveLength(cases.length);
  const different = cases.flatMap(({ pattern, text }, index) => {
    const expected = new RegExp(pattern, 'u').test(text);
    const [found, whole] = [...(answers[index] ?? '')].map((digit) => digit === '1');
    // There `$` also fits before the end of the last line. Whoever compares the whole text has the same answer everywhere.
    const endsLine = language !== 'Go' && /[\n\r\u0085\u2028]$/.test(text);
    const isWhole = !pattern.endsWith('$') || whole === expected;
    return isWhole && (found === expected || endsLine) ? [] : [{ pattern, text, expected, found, whole }];
  });
  expect(different).toEqual([]);
});

test('the texts for each pattern have some that fit and some that do not, also but for a trailing newline', () => {
  for (const pattern of patterns) {
    const texts = textsFor(pattern);
    const fits = (text: string) => new RegExp(pattern, 'u').test(text);
    expect([texts.some(fits), texts.every(fits)], pattern).toEqual([true, false]);
    expect(
      texts.some((text) => text.endsWith('\n') && fits(text.slice(0, -1))),
      pattern,
    ).toBe(true);
  }
});
