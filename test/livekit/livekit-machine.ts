import { execFile } from 'node:child_process';
import { access, chmod, cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { startMachine } from '../support/shared-machine.ts';

const run = promisify(execFile);
/** Later versions need Go modules that a strict proxy may refuse. */
const version = 'v1.8.4';
const server = path.resolve(`node_modules/.cache/livekit-server-${version}`);
const example = 'examples/livekit-recorder';

declare module 'vitest' {
  interface ProvidedContext {
    livekitServer: string;
  }
}

/** Builds LiveKit and installs the example's packages, unless both are there, and starts a local runner. */
export default async function startLivekitMachine(project: TestProject): Promise<() => Promise<void>> {
  if (!(await exists(server))) await buildServer();
  if (!(await exists(`${example}/node_modules`))) await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: example });
  project.provide('livekitServer', server);
  return startMachine(project);
}

async function buildServer(): Promise<void> {
  await run('go', ['version']).catch(() => {
    throw new Error(
      'Go is missing. Install Go 1.23 or newer from https://go.dev/dl/: this test builds LiveKit with it.',
    );
  });
  const downloaded = await run('go', ['mod', 'download', '-json', `github.com/livekit/livekit-server@${version}`]);
  const { Dir } = JSON.parse(downloaded.stdout) as { readonly Dir: string };
  const source = await mkdtemp(path.join(tmpdir(), 'livekit-server-'));
  try {
    await cp(Dir, source, { recursive: true });
    await makeWritable(source); // the module cache is read-only
    await mkdir(path.dirname(server), { recursive: true });
    const env = { ...process.env, CGO_ENABLED: '0' }; // it needs no C compiler
    await run('go', ['build', '-o', `${server}.new`, './cmd/server'], { cwd: source, env, maxBuffer: 10_000_000 });
    await rename(`${server}.new`, server);
  } finally {
    await rm(source, { recursive: true, force: true });
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(path.join(folder, entry.name));
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
