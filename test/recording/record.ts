import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRunner } from '#tools/local/runner.ts';
import { withRecording } from './readme.ts';
import { record } from './recording.ts';

// `npm run record`: tries the command line on a machine of its own, and writes into README.md what is to be seen.

const dataDir = await mkdtemp(path.join(tmpdir(), 'roomscribe-'));
const runner = await startRunner({ port: 0, dataDir });
try {
  const recording = await record(runner.endpoints, 'acme');
  await writeFile('README.md', withRecording(await readFile('README.md', 'utf8'), recording));
} finally {
  await runner.stop();
  await rm(dataDir, { recursive: true, force: true });
}
