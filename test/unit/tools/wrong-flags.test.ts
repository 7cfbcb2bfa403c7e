import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

// The tests of the other commands call their functions.
test.each(['synth', 'release:tables', 'describe', 'build', 'bench'])(
  'npm run %s refuses a wrong flag with one sentence and its usage, and does nothing',
  (script) => {
    const program = String(scripts[script]).replace('node ', '');
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, '--hepl'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(new RegExp(`^(error: )?unknown option '--hepl'.*^Usage: npm run ${script}`, 'ims'));
    expect(stderr).not.toMatch(/^ +at /m);
  },
);
