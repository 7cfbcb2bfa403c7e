import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = 'docs/decisions';
const records = globSync(`${folder}/[0-9]*.md`).sort();
const index = readFileSync(`${folder}/README.md`, 'utf8');

/** The value of a field in the header of a record. */
function fieldOf(text: string, name: string): string {
  return new RegExp(`^- ${name}: (.+)$`, 'm').exec(text)?.[1] ?? '';
}

describe.each(records)('the decision record %s', (file) => {
  const text = readFileSync(file, 'utf8');
  const number = path.basename(file).slice(0, 4);

  test('has a number, a status, dates and all sections', () => {
    expect(text).toMatch(new RegExp(`^# ${number}\\. \\S`));
    expect(fieldOf(text, 'Status')).toMatch(/^(proposed|accepted|superseded by \[\d{4}\]\(\d{4}-[\w-]+\.md\))$/);
    const [decided, checked] = [fieldOf(text, 'Decided'), fieldOf(text, 'Checked last')];
    expect(decided).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(checked).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(checked >= decided).toBe(true);
    const sections = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(sections).toEqual(['Context', 'Options', 'Decision', 'Consequences']);
  });
});

test('the index lists every record once, with its title and status, in the order of the numbers', () => {
  const rows = index.split('\n').filter((line) => /^\| \[\d{4}\]/.test(line));
  const expected = records.map((file) => {
    const text = readFileSync(file, 'utf8');
    const name = path.basename(file);
    const title = /^# \d{4}\. (.+)$/m.exec(text)?.[1];
    return `| [${name.slice(0, 4)}](${name}) | ${title} | ${fieldOf(text, 'Status')} |`;
  });
  expect(rows).toEqual(expected);
  expect(new Set(records.map((file) => path.basename(file).slice(0, 4))).size).toBe(records.length);
});
