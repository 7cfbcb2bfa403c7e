import { expect, test } from 'vitest';
import { deliberate, differences, whereby } from '../../support/insights/whereby.ts';

const { source, operations } = whereby;

test(`differs from Whereby's description (${source.commit.slice(0, 7)}) only where a table says why`, () => {
  expect(Object.keys(operations)).toHaveLength(10); // the fixture is whole
  const found = differences();
  expect({ unexpected: found.filter((each) => !(each in deliberate)) }).toEqual({ unexpected: [] });
  const gone = Object.keys(deliberate).filter((row) => !found.includes(row));
  expect({ 'no difference any more: remove these rows from test/support/insights/whereby.ts': gone }).toEqual({
    'no difference any more: remove these rows from test/support/insights/whereby.ts': [],
  });
});
