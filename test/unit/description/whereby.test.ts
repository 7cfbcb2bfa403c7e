import { expect, test } from 'vitest';
import { deliberate, differences, unfinished, whereby } from '../../support/whereby.ts';

const { source, operations } = whereby;

test(`differs from Whereby's description (${source.commit.slice(0, 7)}) only where a table says why`, () => {
  expect(Object.keys(operations)).toHaveLength(10); // the fixture is whole
  const found = differences();
  const isExpected = (difference: string) => difference in deliberate || unfinished.includes(difference);
  expect({ unexpected: found.filter((each) => !isExpected(each)) }).toEqual({ unexpected: [] });
  const gone = [...Object.keys(deliberate), ...unfinished].filter((row) => !found.includes(row));
  expect({ 'no difference any more: remove these rows from test/support/whereby.ts': gone }).toEqual({
    'no difference any more: remove these rows from test/support/whereby.ts': [],
  });
});
