import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cruise } from 'dependency-cruiser';
import { expect, test } from 'vitest';
import { forbidden, options } from '../../.dependency-cruiser.ts';

/** For each rule, a file and an import that the rule refuses. */
const refused: readonly (readonly [rule: string, file: string, imported: string])[] = [
  ['layers', 'shared/domain/media/one.ts', 'shared/use-cases/media/two.ts'],
  ['features', 'shared/domain/media/three.ts', 'shared/domain/webhooks/four.ts'],
  ['one function', 'functions/api/links/one/handler.ts', 'functions/api/links/two/handler.ts'],
  ['no circle', 'shared/domain/media/five.ts', 'shared/domain/media/five.ts'],
  ['contracts are data', 'shared/contracts/media/one.ts', 'shared/runtime/env.ts'],
  ['pure rules', 'shared/domain/media/six.ts', 'shared/runtime/logger.ts'],
  ['pure rules', 'shared/use-cases/media/one.ts', 'shared/runtime/metrics.ts'],
  ['layers', 'operations/one.ts', 'tools/local/two.ts'],
  ['layers', 'shared/queue/one.ts', 'shared/domain/media/six.ts'],
  ['platforms', 'shared/platforms/daily/one.ts', 'shared/runtime/logger.ts'],
  ['independent of the service', 'tools/local/transcribe/one.ts', 'shared/contracts/media/one.ts'],
  ['handlers', 'functions/api/links/three/handler.ts', 'shared/storage/links/links.ts'],
  ['access is data', 'functions/api/links/three/access.ts', 'shared/domain/media/six.ts'],
  ['client library', 'client/api.ts', 'client/cli/run.ts'],
  ['contract values', 'client/contract.ts', 'shared/domain/media/six.ts'],
  ['command line and console', 'console/app/one.ts', 'shared/contracts/media/one.ts'],
  ['serving', 'console/serving/one.ts', 'console/app/two.ts'],
  ['infra', 'infra/api/one.ts', 'functions/api/links/three/handler.ts'],
  ['independent of the service', 'tools/simulation/one.ts', 'shared/domain/media/six.ts'],
];

test('refuses an import for each rule, and every rule has one', async () => {
  const baseDir = await mkdtemp(path.join(tmpdir(), 'roomscribe-import-rules-'));
  await cp('package.json', path.join(baseDir, 'package.json'));
  const plant = async (file: string, text: string) => {
    await mkdir(path.dirname(path.join(baseDir, file)), { recursive: true });
    await writeFile(path.join(baseDir, file), text);
  };
  for (const [, , imported] of refused) await plant(imported, 'export const target = 1;\n');
  for (const [, file, imported] of refused) {
    const relative = path.posix.relative(path.dirname(file), imported);
    await plant(
      file,
      `import { target } from '${relative.startsWith('.') ? relative : `./${relative}`}';\nexport const one = target;\n`,
    );
  }
  const { output } = await cruise(['.'], { ...options, baseDir, validate: true, ruleSet: { forbidden } });
  await rm(baseDir, { recursive: true });
  if (typeof output === 'string') throw new TypeError('dependency-cruiser reported text.');
  const found = new Set(output.summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`));
  for (const [rule, file] of refused) expect(found).toContain(`${rule}: ${file}`);
  expect(new Set(refused.map(([rule]) => rule))).toEqual(new Set(forbidden.map(({ name }) => name)));
}, 60_000);
