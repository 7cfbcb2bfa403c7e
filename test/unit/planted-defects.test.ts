import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plantedDefects } from '../fuzz/defects.ts';

test.each(plantedDefects)('`npm run fuzz:planted` can plant: $name', ({ file, from }) => {
  expect(readFileSync(file, 'utf8').split(from)).toHaveLength(2);
});
