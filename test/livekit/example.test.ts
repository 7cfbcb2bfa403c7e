import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { test } from 'vitest';

test('the example compiles', async () => {
  await promisify(execFile)('npm', ['run', 'check'], { cwd: 'examples/livekit-recorder' });
});
