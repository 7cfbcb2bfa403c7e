import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';

const environment = 'export const home = process.env.HOME;\n';
const zodByName = "import { z } from 'zod';\nexport const name = z.string();\n";

/** Files and the Biome rule that each file violates. */
const violations: readonly (readonly [file: string, source: string, rule: string])[] = [
  ...['shared/domain/a.ts', 'functions/api/a/index.ts', 'client/a.ts', 'client/cli/a.ts'].map(
    (file) => [file, environment, 'style/noProcessEnv'] as const,
  ),
  ...['shared/a.ts', 'functions/api/a/handler.ts', 'infra/a.ts', 'tools/local/a.ts'].map(
    (file) => [file, zodByName, 'style/noRestrictedImports'] as const,
  ),
  ['client/b.ts', 'console.log();\n', 'suspicious/noConsole'],
  ['shared/domain/index.ts', "export * from './a.ts';\n", 'performance/noBarrelFile'],
  ['shared/domain/b.ts', 'export enum Size {\n  Small,\n}\n', 'style/noEnum'],
  ['shared/b.ts', "import { type Size } from './c.ts';\nexport type Sizes = Size[];\n", 'style/useImportType'],
];
const accepted = ['shared/env.ts', 'client/cli/main.ts', 'infra/b.ts', 'tools/local/b.ts', 'test/a.ts'];

const Report = z.object({
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string() }) })),
});

test('Biome reports each violation of a lint rule and accepts valid files', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-lint-rules-'));
  try {
    const config = JSON.parse(await readFile('biome.json', 'utf8'));
    await cp('package.json', path.join(folder, 'package.json'));
    await writeFile(path.join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }));
    for (const [file, source] of [...violations, ...accepted.map((file) => [file, environment] as const)]) {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), source);
    }
    const expected = violations.map(([file, , rule]) => `${file}: ${rule}`);
    expect((await lint(folder)).sort()).toEqual(expected.sort());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 60_000);

async function lint(folder: string): Promise<string[]> {
  const biome = path.resolve('node_modules/.bin/biome');
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', '.'];
  const { stdout } = await promisify(execFile)(biome, args, { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  return Report.parse(JSON.parse(stdout)).diagnostics.map(
    ({ category, location }) => `${path.posix.normalize(location.path)}: ${category.replace('lint/', '')}`,
  );
}
