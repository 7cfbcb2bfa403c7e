import { describe, expect, test } from 'vitest';
import { csvLine } from '../../../console/parts/tables/csv.ts';

describe('csvLine', () => {
  test('quotes commas, quotes and line breaks', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 3, null])).toBe('"a,b","say ""hi""","two\nlines",3,\r\n');
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '＋1', '－1', '＠a'])(
    'puts an apostrophe before the text %j, which a spreadsheet reads as a formula',
    (name) => {
      expect(textOf(name)).toBe(`'${name}`);
    },
  );

  test.each([
    ['great;=HYPERLINK("x")', 'great;\'=HYPERLINK("x")'],
    ['fine\n@SUM(A1)', "fine\n'@SUM(A1)"],
    ['a\r\n-1;+2', "a\r\n'-1;'+2"],
    ['\t=1', "'\t'=1"],
  ])('puts an apostrophe into %j, where a spreadsheet that splits the text reads a formula', (name, expected) => {
    expect(textOf(name)).toBe(expected);
  });

  test('leaves other texts and all numbers unchanged', () => {
    expect(csvLine(['a=1', -2, "'quoted'", ' =1', '/room', 1e21])).toBe("a=1,-2,'quoted', =1,/room,1e+21\r\n");
  });
});

/** The text of a line with one cell, without quotes. */
function textOf(name: string): string {
  return csvLine([name])
    .slice(0, -2)
    .replace(/^"(.*)"$/s, '$1')
    .replaceAll('""', '"');
}
