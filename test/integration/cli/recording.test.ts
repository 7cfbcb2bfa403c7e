import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { recordingIn } from '../../recording/readme.ts';
import { record } from '../../recording/recording.ts';
import { endpoints, organization } from '../../support/machine.ts';

test('the README shows the command line as it is', async () => {
  const recorded = await record(endpoints, organization());
  const shown = recordingIn(await readFile('README.md', 'utf8'));
  expect(shown, 'The command line shows something else by now: npm run record').toBe(recorded);
  const lines = shown.split('\n');
  expect(lines.length).toBeLessThanOrEqual(90);
}, 120_000);
