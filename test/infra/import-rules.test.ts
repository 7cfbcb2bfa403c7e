import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';

const use = (names: string, from: string) => `import { ${names} } from '${from}';\nexport const used = [${names}];\n`;
const useAll = (from: string) => `import * as all from '${from}';\nexport const used = all;\n`;

const handler = 'functions/api/insights/fixture/handler.ts';
const index = 'functions/api/insights/fixture/index.ts';
const access = 'functions/api/insights/fixture/access.ts';
const restricted = 'style/noRestrictedImports';

/** A violation of each rule: a file of a layer, what it must not say, and the rule that must say so. */
const violations: readonly (readonly [file: string, source: string, rule: string])[] = [
  ['shared/domain/a.ts', use('a', '../storage/a.ts'), restricted],
  ['shared/domain/b.ts', use('a', '#shared/storage/a.ts'), restricted],
  ['shared/domain/c.ts', use('a', '../adapters/s3/a.ts'), restricted],
  ['shared/domain/d.ts', use('a', '../http/a.ts'), restricted],
  ['shared/domain/e.ts', use('a', '../queue/a.ts'), restricted],
  ['shared/domain/f.ts', use('S3Client', '@aws-sdk/client-s3'), restricted],
  ['shared/domain/g.ts', use('readEnv', '../env.ts'), restricted],
  ['shared/domain/h.ts', use('envNames', '../names.ts'), restricted],
  ['shared/domain/i.ts', use('log', '../logger.ts'), restricted],
  ['shared/domain/j.ts', use('App', 'aws-cdk-lib'), restricted],
  ['shared/use-cases/a.ts', use('a', '../storage/a.ts'), restricted],
  ['shared/use-cases/b.ts', use('a', '../adapters/s3/a.ts'), restricted],
  ['shared/use-cases/c.ts', use('S3Client', '@aws-sdk/client-s3'), restricted],
  ['shared/http/g.ts', use('a', '../use-cases/a.ts'), restricted],
  ['shared/queue/f.ts', use('a', '../use-cases/a.ts'), restricted],
  ['infra/j.ts', use('a', '../shared/use-cases/a.ts'), restricted],
  ['shared/contracts/a.ts', use('a', '../storage/a.ts'), restricted],
  ['shared/contracts/b.ts', use('a', '../adapters/s3/a.ts'), restricted],
  ['shared/contracts/c.ts', use('a', '../http/a.ts'), restricted],
  ['shared/contracts/d.ts', use('a', '../queue/a.ts'), restricted],
  ['shared/contracts/e.ts', use('S3Client', '@aws-sdk/client-s3'), restricted],
  ['shared/contracts/f.ts', use('readEnv', '../env.ts'), restricted],
  ['shared/contracts/g.ts', use('log', '../logger.ts'), restricted],
  ['shared/contracts/h.ts', use('rateLimitAccess', '../access.ts'), restricted],
  ['shared/storage/a.ts', use('a', '../http/a.ts'), restricted],
  ['shared/storage/b.ts', use('a', '../queue/a.ts'), restricted],
  ['shared/storage/c.ts', use('readEnv', '../env.ts'), restricted],
  ['shared/adapters/s3/a.ts', use('a', '../../http/a.ts'), restricted],
  ['shared/adapters/s3/b.ts', use('a', '../../queue/a.ts'), restricted],
  ['shared/adapters/s3/c.ts', use('readEnv', '../../env.ts'), restricted],
  ['shared/http/a.ts', use('a', '../storage/a.ts'), restricted],
  ['shared/http/b.ts', use('a', '../adapters/s3/a.ts'), restricted],
  ['shared/http/c.ts', use('a', '../domain/a.ts'), restricted],
  ['shared/http/d.ts', use('a', '../queue/a.ts'), restricted],
  ['shared/http/e.ts', use('S3Client', '@aws-sdk/client-s3'), restricted],
  ['shared/http/f.ts', use('envNames', '../names.ts'), restricted],
  ['shared/queue/a.ts', use('a', '../storage/a.ts'), restricted],
  ['shared/queue/e.ts', use('envNames', '../names.ts'), restricted],
  ['shared/queue/b.ts', use('a', '../adapters/s3/a.ts'), restricted],
  ['shared/queue/c.ts', use('a', '../domain/a.ts'), restricted],
  ['shared/queue/d.ts', use('a', '../http/a.ts'), restricted],
  ...['contracts', 'domain', 'storage', 'adapters/s3', 'http', 'queue'].flatMap((layer) => {
    const up = '../'.repeat(layer.split('/').length + 1);
    return [
      [`shared/${layer}/x.ts`, use('a', '#functions/api/a.ts'), restricted],
      [`shared/${layer}/y.ts`, use('a', `${up}functions/api/a.ts`), restricted],
      [`shared/${layer}/z.ts`, use('a', '#infra/a.ts'), restricted],
      [`shared/${layer}/zod.ts`, use('z', 'zod'), restricted],
    ] as const;
  }),
  ['shared/a.ts', use('a', '#functions/api/a.ts'), restricted],
  ['shared/b.ts', use('a', '../infra/a.ts'), restricted],
  ['shared/zod.ts', use('z', 'zod'), restricted],
  [handler, use('aRepository', '#shared/storage/a.ts'), restricted],
  [handler.replace('fixture', 'b'), use('anAdapter', '#shared/adapters/s3/a.ts'), restricted],
  [handler.replace('fixture', 'c'), useAll('#shared/storage/a.ts'), restricted],
  [handler.replace('fixture', 'e'), use('S3Client', '@aws-sdk/client-s3'), restricted],
  [handler.replace('fixture', 'f'), use('readEnv', '#shared/env.ts'), restricted],
  [handler.replace('fixture', 'g'), use('envNames', '#shared/names.ts'), restricted],
  [handler.replace('fixture', 'h'), use('a', '../other/handler.ts'), restricted],
  [handler.replace('fixture', 'i'), use('a', '#functions/api/other/handler.ts'), restricted],
  [handler.replace('fixture', 'j'), use('App', 'aws-cdk-lib'), restricted],
  [handler.replace('fixture', 'k'), use('z', 'zod'), restricted],
  [index.replace('fixture', 'l'), use('a', '../other/handler.ts'), restricted],
  [index.replace('fixture', 'm'), use('a', '#functions/api/other/handler.ts'), restricted],
  [index.replace('fixture', 'n'), use('App', 'aws-cdk-lib'), restricted],
  [index.replace('fixture', 'o'), use('a', '#infra/a.ts'), restricted],
  [index.replace('fixture', 'p'), use('z', 'zod'), restricted],
  [access, use('a', '#shared/storage/a.ts'), restricted],
  [access.replace('fixture', 'b'), use('S3Client', '@aws-sdk/client-s3'), restricted],
  [access.replace('fixture', 'c'), use('handler', './handler.ts'), restricted],
  ['infra/a.ts', use('a', '../shared/storage/a.ts'), restricted],
  ['infra/b.ts', use('a', '#shared/storage/a.ts'), restricted],
  ['infra/c.ts', use('a', '../shared/adapters/s3/a.ts'), restricted],
  ['infra/d.ts', use('a', '../shared/domain/a.ts'), restricted],
  ['infra/e.ts', use('a', '../shared/http/a.ts'), restricted],
  ['infra/f.ts', use('a', '../shared/queue/a.ts'), restricted],
  ['infra/constructs/g.ts', use('a', '../../functions/api/a.ts'), restricted],
  ['infra/h.ts', use('z', 'zod'), restricted],
  ...['shared', 'shared/contracts', 'shared/domain', 'shared/storage', 'shared/http', 'shared/queue'].map(
    (layer) =>
      [
        `${layer}/client.ts`,
        use('Roomscribe', `${layer.replaceAll(/\w+/g, '..')}/client/index.ts`),
        restricted,
      ] as const,
  ),
  [handler.replace('fixture', 'q'), use('Roomscribe', '../../../../client/index.ts'), restricted],
  [index.replace('fixture', 'r'), use('Roomscribe', '../../../../client/index.ts'), restricted],
  ['infra/i.ts', use('Roomscribe', '../client/index.ts'), restricted],
  ['tools/local/a.ts', use('Roomscribe', '../../client/index.ts'), restricted],
  ['tools/operations/a.ts', use('Roomscribe', '../../client/index.ts'), restricted],
  ['client/a.ts', use('endpoints', '../shared/contracts/endpoints.ts'), restricted],
  ['client/b.ts', use('endpoints', '#shared/contracts/endpoints.ts'), restricted],
  ['client/c.ts', use('readFile', 'node:fs'), restricted],
  ['client/d.ts', use('readFile', 'fs'), restricted],
  ['client/e.ts', useAll('zod/mini'), restricted],
  ['client/f.ts', use('commander', 'commander'), restricted],
  ['client/g.ts', use('program', './cli/program.ts'), restricted],
  ['client/h.ts', use('chalk', '@some/package'), restricted],
  [
    'client/contract.ts',
    use('used as other', '../shared/domain/one.ts').replace('[used as other]', '[other]'),
    restricted,
  ],
  ['client/types.ts', use('readFile', 'node:fs'), restricted],
  ['client/cli/a.ts', use('endpoints', '../../shared/contracts/endpoints.ts'), restricted],
  ['client/cli/b.ts', use('endpoints', '#shared/contracts/endpoints.ts'), restricted],
  ['client/cli/output/c.ts', use('a', '../../../infra/a.ts'), restricted],
  ['client/cli/d.ts', use('a', '../../functions/api/a.ts'), restricted],
  ['client/cli/e.ts', use('a', '../../test/a.ts'), restricted],
  ['client/cli/f.ts', use('writePackage', '../build/package.ts'), restricted],
  ['client/cli/g.ts', useAll('zod/mini'), restricted],
  ['client/cli/h.ts', use('S3Client', '@aws-sdk/client-s3'), restricted],
  ['client/cli/parameters.ts', use('a', '../../shared/domain/a.ts'), restricted],
  ['client/build/a.ts', use('endpoints', '../../shared/contracts/endpoints.ts'), restricted],
  ['client/build/b.ts', use('Roomscribe', '../index.ts'), restricted],
  ['client/build/c.ts', use('a', '#infra/a.ts'), restricted],
  ['client/env.ts', 'export const used = process.env.HOME;\n', 'style/noProcessEnv'],
  ['client/cli/env.ts', 'export const used = process.env.HOME;\n', 'style/noProcessEnv'],
  ['client/console.ts', 'console.log();\n', 'suspicious/noConsole'],
  ['shared/domain/env-a.ts', 'export const used = process.env.HOME;\n', 'style/noProcessEnv'],
  ['shared/adapters/s3/env-b.ts', 'export const used = process.env.HOME;\n', 'style/noProcessEnv'],
  ['functions/api/insights/q/index.ts', 'export const used = process.env.HOME;\n', 'style/noProcessEnv'],
  ['shared/domain/index.ts', "export * from './fine.ts';\n", 'performance/noBarrelFile'],
  [
    'shared/domain/one.ts',
    use('used as other', './two.ts').replace('[used as other]', '[other]'),
    'suspicious/noImportCycles',
  ],
  [
    'shared/domain/two.ts',
    use('used as other', './one.ts').replace('[used as other]', '[other]'),
    'suspicious/noImportCycles',
  ],
  ['shared/domain/enum.ts', 'export enum Used {\n  One,\n}\n', 'style/noEnum'],
];

/** What each layer does in the project, and must go on doing. */
const allowed: readonly (readonly [file: string, source: string])[] = [
  ['shared/domain/fine.ts', use('RecordingNotFound', '../errors.ts')],
  ['shared/contracts/fine.ts', `${useAll('zod/mini')}`],
  ['shared/storage/fine.ts', use('DynamoDBClient', '@aws-sdk/client-dynamodb')],
  ['shared/storage/fine-2.ts', use('isFine', '../domain/fine.ts')],
  ['shared/adapters/s3/fine.ts', use('S3Client', '@aws-sdk/client-s3')],
  ['shared/http/fine.ts', use('isFine', '../contracts/fine.ts')],
  ['shared/queue/fine.ts', use('SQSClient', '@aws-sdk/client-sqs')],
  ['shared/env.ts', 'export const used = process.env.HOME;\n'],
  [
    handler.replace('fixture', 'fine'),
    "import type { AType } from '#shared/storage/a.ts';\nexport type Used = AType;\n",
  ],
  [index.replace('fixture', 'fine'), use('aRepository', '#shared/storage/a.ts')],
  [access.replace('fixture', 'fine'), use('rateLimitAccess', '#shared/access.ts')],
  ['infra/fine-3.ts', use('access', '../functions/api/insights/fine/access.ts')],
  ['infra/fine.ts', use('envNames', '../shared/names.ts')],
  ['infra/fine-2.ts', use('App', 'aws-cdk-lib')],
  ['client/fine.ts', use('routes', './routes.ts')],
  ['client/cli/fine.ts', use('Command', 'commander')],
  ['client/cli/fine-2.ts', useAll('node:fs')],
  ['client/cli/commands/fine.ts', use('Roomscribe', '../../index.ts')],
  [
    'client/cli/commands/fine-2.ts',
    "import api from '../../../docs/openapi.json' with { type: 'json' };\nexport { api };\n",
  ],
  ['client/build/fine.ts', use('build', 'esbuild')],
];

const Report = z.object({
  diagnostics: z.array(
    z.object({
      category: z.string(),
      location: z.object({ path: z.union([z.string(), z.object({ file: z.string() })]) }),
    }),
  ),
});

let folder: string;
const found = new Map<string, Set<string>>();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-rules-'));
  const config = JSON.parse(await readFile('biome.json', 'utf8'));
  await cp('package.json', path.join(folder, 'package.json'));
  await writeFile(path.join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }));
  for (const [file, source] of [...violations, ...allowed]) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), source);
  }
  for (const { category, location } of (await lint()).diagnostics) {
    const file = typeof location.path === 'string' ? location.path : location.path.file;
    const name = path.relative(folder, path.resolve(folder, file)).replaceAll('\\', '/');
    found.set(name, (found.get(name) ?? new Set()).add(category.replace(/^lint\//, '')));
  }
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

async function lint() {
  const biome = path.resolve('node_modules/.bin/biome');
  const args = ['lint', '--reporter=json', '--max-diagnostics=none', '.'];
  const { stdout } = await promisify(execFile)(biome, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: { stdout: string }) => error,
  );
  return Report.parse(JSON.parse(stdout));
}

describe('a violation of an import rule is an error', () => {
  test.each(violations)('%s: %s', (file, _source, rule) => {
    expect([...(found.get(file) ?? [])]).toContain(rule);
  });
});

test.each(allowed)('%s may say: %s', (file) => {
  expect([...(found.get(file) ?? [])]).toEqual([]);
});

// Biome tells values from types by the case of their first letter alone.
test.each(globSync('functions/**/handler.ts'))('%s takes nothing but types from storage and adapters', async (file) => {
  const imports =
    (await readFile(file, 'utf8')).match(/^import\s[^;]*?from '#shared\/(storage|adapters)\/[^']+'/gm) ?? [];
  expect(imports.filter((statement) => !statement.startsWith('import type'))).toEqual([]);
});

test('the library takes nothing but types into its types', async () => {
  const imports = (await readFile('client/types.ts', 'utf8')).match(/^import\s[^;]*?;/gm) ?? [];
  expect(imports).not.toEqual([]);
  expect(imports.filter((statement) => !statement.startsWith('import type'))).toEqual([]);
});

test('no file is there twice, or one violation would hide another', () => {
  const files = [...violations, ...allowed].map(([file]) => file);
  expect(new Set(files).size).toBe(files.length);
});
