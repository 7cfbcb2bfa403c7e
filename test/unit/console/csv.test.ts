import { describe, expect, test } from 'vitest';
import { csvLine } from '../../../client/console/parts/csv.ts';

describe('csvLine', () => {
  test('quotes commas, quotes and line breaks', () => {
    expect(csvLine(['a,b', 'say "hi"', 'two\nlines', 3, null])).toBe('"a,b","say ""hi""","two\nlines",3,\r\n');
  });

  test('keeps a spreadsheet from running text as a formula', () => {
    expect(csvLine(['=1+1', '@sum', '-2', -2])).toBe("'=1+1,'@sum,'-2,-2\r\n");
    expect(csvLine(['x;=1+1', '＝1+1', 'a\t=1'])).toBe("x;'=1+1,'＝1+1,a\t'=1\r\n");
  });
});
