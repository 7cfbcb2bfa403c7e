import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { writePackage } from './package.ts';

// `npm run check:package`: builds the package, and checks the file that `npm publish` would take. publint checks its
// manifest, are-the-types-wrong its types for ES modules and CommonJS, and npm the publication without publishing.

const programs = fileURLToPath(new URL('../../node_modules/.bin/', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'roomscribe-package-'));

try {
  const built = path.join(folder, 'dist');
  await writePackage(built, 'https://github.com/example/roomscribe');
  run('npm', ['pack', built, '--pack-destination', folder, '--silent']);
  const [tarball = ''] = globSync(path.join(folder, '*.tgz'));
  run(path.join(programs, 'publint'), ['run', tarball, '--strict']);
  run(path.join(programs, 'attw'), [tarball, '--no-emoji', '--format', 'ascii']);
  run('npm', ['publish', tarball, '--dry-run']);
} catch (error) {
  console.error(`The package is not fit for npm publish: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(program: string, args: readonly string[]): void {
  console.log(`> ${path.basename(program)} ${args.join(' ')}`);
  execFileSync(program, args, { cwd: folder, stdio: 'inherit' });
}
