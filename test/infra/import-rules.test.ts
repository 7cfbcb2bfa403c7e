import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forbidden, options, parts, unrestricted } from '../../.dependency-cruiser.ts';

const shared = (...folders: string[]) => folders.map((folder) => `#shared/${folder}/target.ts`);
const types = (...specifiers: string[]) => specifiers.map((specifier) => `type ${specifier}`);
const everyClient = ['client/target.ts', 'client/contract.ts', 'client/cli/target.ts'];
const aboveShared = ['#functions/api/target/handler.ts', 'infra/target.ts', '#tools/shared/target.ts', ...everyClient];
const sdk = '@aws-sdk/client-s3';

/** Files with imports that the rules must reject and imports that they must accept. A path that starts with a root folder is written as a relative path. */
const files: readonly (readonly [file: string, rejected: readonly string[], accepted: readonly string[]])[] = [
  ['shared/names.ts', ['zod/mini', 'node:fs'], []],
  ['shared/shown-name.ts', ['#shared/errors.ts', 'zod/mini', 'node:fs', ...aboveShared], []],
  ['shared/errors.ts', ['#shared/names.ts', ...aboveShared], []],
  ['shared/env.ts', ['#shared/errors.ts', sdk], ['#shared/names.ts', 'zod/mini']],
  [
    'shared/logger.ts',
    shared('contracts', 'domain'),
    ['#shared/env.ts', '#shared/errors.ts', 'any-package', 'node:util', 'type #shared/contracts/types.ts'],
  ],
  [
    'shared/retry.ts',
    ['#shared/logger.ts', 'any-package', ...shared('contracts', 'domain'), ...types('./domain/types.ts')],
    ['#shared/errors.ts', 'node:timers/promises', ...types('any-package')],
  ],
  [
    'shared/contracts/a.ts',
    [
      ...[
        '#shared/env.ts',
        '#shared/logger.ts',
        '#shared/access.ts',
        sdk,
        '@smithy/core',
        'node:fs',
        'any-package',
        ...aboveShared,
      ],
      ...shared('domain', 'use-cases', 'storage', 'adapters/s3', 'http', 'queue'),
    ],
    ['./target.ts', '#shared/names.ts', '#shared/errors.ts', 'zod/mini'],
  ],
  [
    'shared/domain/a.ts',
    [
      ...['#shared/names.ts', '#shared/env.ts', '../logger.ts', sdk, 'aws-cdk-lib', 'any-package', ...aboveShared],
      ...['node:fs', 'node:timers/promises'],
      ...shared('use-cases', 'storage', 'adapters/s3', 'http', 'queue'),
      ...types('../storage/types.ts', '../use-cases/types.ts'),
    ],
    ['./target.ts', '../errors.ts', '../contracts/target.ts', 'node:crypto'],
  ],
  [
    'shared/platforms/a.ts',
    [
      ...['../env.ts', '../logger.ts', sdk, 'node:fs', 'aws-cdk-lib'],
      ...shared('use-cases', 'storage', 'adapters/s3', 'http', 'queue'),
      ...aboveShared,
    ],
    ['../errors.ts', 'zod/mini', 'any-package', 'node:crypto', ...shared('contracts', 'domain')],
  ],
  [
    'shared/use-cases/a.ts',
    [
      ...['#shared/env.ts', '#shared/logger.ts', sdk, 'aws-cdk-lib', 'any-package', ...aboveShared],
      ...['node:fs', 'node:timers/promises'],
      ...shared('storage', 'adapters/s3', 'http', 'queue'),
      ...types('../storage/types.ts', '@aws-sdk/lib-dynamodb'),
    ],
    ['./target.ts', '../errors.ts', '../contracts/target.ts', '../domain/target.ts', 'node:crypto'],
  ],
  [
    'shared/adapters/s3/a.ts',
    ['../../env.ts', 'aws-cdk-lib', ...shared('use-cases', 'storage', 'http', 'queue'), ...aboveShared],
    [sdk, '#shared/logger.ts', '../../domain/target.ts', ...types('../../use-cases/types.ts')],
  ],
  [
    'shared/storage/a.ts',
    ['../env.ts', 'aws-cdk-lib', ...shared('use-cases', 'http', 'queue'), ...aboveShared],
    [sdk, '../names.ts', ...shared('contracts', 'domain', 'adapters/s3'), ...types('../use-cases/types.ts')],
  ],
  [
    'shared/http/a.ts',
    [
      ...['../env.ts', '../names.ts', sdk, ...aboveShared],
      ...shared('domain', 'use-cases', 'storage', 'adapters/s3', 'queue'),
    ],
    ['./target.ts', '../contracts/target.ts', 'any-package'],
  ],
  [
    'shared/queue/a.ts',
    ['../env.ts', ...shared('domain', 'use-cases', 'storage', 'adapters/s3', 'http'), ...aboveShared],
    ['./target.ts', '../names.ts', sdk],
  ],
  [
    'shared/correlated.ts',
    [sdk, ...shared('queue'), ...aboveShared],
    [...shared('domain', 'storage', 'http'), ...types('@aws-sdk/lib-dynamodb')],
  ],
  ['shared/access.ts', [sdk, '#functions/api/target/access.ts', ...shared('contracts')], ['./names.ts']],
  [
    'functions/api/one/access.ts',
    ['./handler.ts', sdk, '#infra/target.ts', 'aws-cdk-lib', ...shared('domain')],
    ['#shared/access.ts', '#shared/names.ts', ...shared('contracts')],
  ],
  [
    'functions/api/one/handler.ts',
    [
      ...[sdk, 'aws-cdk-lib', '#shared/env.ts', '#shared/names.ts', '#infra/target.ts', './access.ts', ...everyClient],
      ...[...shared('storage', 'adapters/s3'), '../target/handler.ts', '#functions/api/target/steps.ts'],
    ],
    [
      ...['./steps.ts', '#shared/errors.ts', '#shared/logger.ts', 'zod/mini', 'any-package'],
      ...shared('contracts', 'domain', 'use-cases', 'http', 'queue'),
      ...types('#shared/storage/types.ts', '#shared/adapters/s3/types.ts'),
    ],
  ],
  [
    'functions/api/one/index.ts',
    [
      ...['aws-cdk-lib', '#infra/target.ts', '../target/handler.ts', '#functions/api/target/handler.ts'],
      ...everyClient,
    ],
    [...['./target.ts', '#docs/openapi.json', sdk, '#shared/env.ts'], ...shared('storage', 'adapters/s3', 'use-cases')],
  ],
  [
    'infra/constructs/a.ts',
    [
      ...['#shared/env.ts', '#shared/logger.ts', sdk, '#tools/shared/target.ts', ...everyClient],
      ...['#functions/api/target/handler.ts', '../../functions/api/target/index.ts'],
      ...shared('storage', 'adapters/s3', 'domain', 'use-cases', 'http', 'queue'),
    ],
    [
      ...['../target.ts', '#shared/names.ts', '#shared/access.ts', '#functions/api/target/access.ts'],
      ...shared('contracts'),
      ...['aws-cdk-lib', 'constructs', 'node:path', 'any-package'],
    ],
  ],
  ['client/contract.ts', ['#shared/names.ts', 'node:fs', 'zod/mini', ...shared('domain')], shared('contracts')],
  ['client/types.ts', ['node:fs', 'zod', ...shared('contracts')], types('#shared/contracts/types.ts', 'zod/mini')],
  [
    'client/a.ts',
    ['node:fs', 'path', 'zod/mini', 'any-package', './cli/target.ts', ...shared('contracts')],
    ['./target.ts', './contract.ts', './types.ts'],
  ],
  ['client/cli/parameters.ts', shared('domain'), [...shared('contracts'), 'node:fs']],
  [
    'client/cli/output/a.ts',
    [
      ...['#infra/target.ts', '#functions/api/target/handler.ts', '../../../test/target.ts', '../../build/target.ts'],
      ...['zod/mini', sdk, '#shared/names.ts', ...shared('contracts')],
    ],
    [
      ...['../target.ts', '../parameters.ts', '../../target.ts', '../../console-serving/target.ts'],
      ...['#docs/openapi.json', 'any-package', 'node:fs'],
    ],
  ],
  ['client/console/contract.ts', ['#shared/names.ts', 'node:fs', 'zod/mini', ...shared('domain')], shared('contracts')],
  [
    'client/console/app/a.ts',
    ['node:fs', 'zod/mini', '../../contract.ts', '../../cli/target.ts', ...shared('contracts')],
    ['#shared/shown-name.ts', '../target.ts', '../contract.ts', '../../target.ts', '../../types.ts', 'any-package'],
  ],
  [
    'client/console-serving/a.ts',
    ['../target.ts', '../cli/target.ts', '../build/target.ts', '../console/target.tsx', 'any-package'],
    ['./target.ts', 'node:fs'],
  ],
  [
    'client/build/a.ts',
    ['../target.ts', '../cli/target.ts', '#infra/target.ts', ...shared('contracts')],
    ['./target.ts', '../console-serving/target.ts', 'any-package', 'node:fs', '#docs/openapi.json'],
  ],
  [
    'tools/shared/a.ts',
    ['../local/target.ts', '../simulation/target.ts', '../operations/target.ts', '../description/target.ts'],
    ['./target.ts', '../../infra/target.ts', sdk],
  ],
  [
    'tools/description/a.ts',
    ['../local/target.ts', '#infra/target.ts', ...shared('storage'), ...everyClient],
    ['../shared/target.ts', ...shared('contracts', 'domain')],
  ],
  [
    'tools/simulation/a.ts',
    ['../local/target.ts', '../operations/target.ts', ...shared('domain', 'storage'), ...everyClient],
    ['../shared/target.ts', ...shared('contracts'), sdk],
  ],
  [
    'tools/operations/a.ts',
    [
      '../local/target.ts',
      '../simulation/target.ts',
      '../description/target.ts',
      '../../test/target.ts',
      ...everyClient,
    ],
    [
      '../shared/target.ts',
      '#infra/target.ts',
      ...shared('domain', 'storage', 'queue', 'use-cases', 'adapters/s3'),
      sdk,
    ],
  ],
  [
    'tools/local/a.ts',
    ['../operations/target.ts', '../../test/target.ts', ...shared('domain', 'storage'), ...everyClient],
    ['../shared/target.ts', '../simulation/target.ts', '#infra/target.ts', sdk, 'node:sqlite'],
  ],
  [
    'tools/local/services/aws-json.ts',
    ['./target.ts', '../transcribe/target.ts', '#infra/target.ts', ...shared('contracts')],
    ['./service-error.ts', '../transcribe/log.ts', 'any-package', 'node:fs'],
  ],
  [
    'tools/local/transcribe/a.ts',
    [
      '#infra/target.ts',
      '../../shared/target.ts',
      '../target.ts',
      ...shared('contracts', 'domain', 'adapters/s3'),
      ...everyClient,
    ],
    ['../services/service-error.ts', './log.ts', sdk, 'any-package', 'node:fs'],
  ],
  ['test/a.ts', [], [sdk, 'aws-cdk-lib', '../tools/local/target.ts', ...shared('storage'), ...everyClient]],
  ['shared/domain/one.ts', ['./two.ts'], []],
  ['shared/domain/two.ts', ['./one.ts'], []],
  ['shared/domain/three.ts', types('./four.ts'), []],
  ['shared/domain/four.ts', types('./three.ts'), []],
];

/** Other forms of imports. */
const otherForms = {
  'shared/domain/dynamic.ts': "export const load = () => import('../storage/target.ts');\n",
  'shared/domain/re-export.ts': "export { target } from '../storage/target.ts';\n",
  'shared/domain/re-export-all.ts': "export * from '../storage/target.ts';\n",
  'shared/domain/side-effect.ts': "import '../storage/target.ts';\n",
  'shared/domain/using.ts':
    "export async function use() {\n  await using all = await import('../storage/target.ts');\n}\n",
  'shared/domain/annotation.ts': "export let target: import('../storage/target.ts').Target;\n",
};

let folder: string;
let planted: ICruiseResult;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-import-rules-'));
  await cp('package.json', path.join(folder, 'package.json'));
  const targets = files.flatMap(([file, ...imports]) => imports.flat().map((each) => targetOf(file, each)));
  for (const target of new Set(targets)) await plant(target, 'export const target = 1;\n');
  for (const [file, rejected, accepted] of files)
    await plant(file, [...rejected, ...accepted].map((each, index) => statement(file, each, index)).join(''));
  for (const [file, source] of Object.entries(otherForms)) await plant(file, source);
  planted = await cruised(folder);
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('npm run check', () => {
  test.each(files)('rejects forbidden imports in %s', (file, rejected, accepted) => {
    expect(dependenciesOf(file)).toHaveLength(rejected.length + accepted.length);
    expect(rejectedIn(file)).toEqual(new Set(rejected.map((each) => written(file, each))));
  });

  test.each(Object.keys(otherForms))('rejects the form of import in %s', (file) => {
    expect(rejectedIn(file)).toEqual(new Set(['../storage/target.ts']));
  });

  test('has no redundant rule: each rule rejects an import that no other rule rejects', () => {
    const rejectedByOne = planted.modules
      .flatMap(({ dependencies }) => dependencies.map(({ rules = [] }) => rules.map(({ name }) => name)))
      .filter((names) => names.length === 1);
    expect(new Set(rejectedByOne.flat())).toEqual(new Set(forbidden.map(({ name }) => name)));
  });

  test('reads every TypeScript file that git tracks and finds no violation', async () => {
    const { modules, summary } = await cruised(process.cwd());
    const seen = modules.map(({ source }) => source).filter((file) => /^(?!node_modules\/).+\.ts$/.test(file));
    expect(seen.sort()).toEqual(projectFiles());
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`)).toEqual([]);
  }, 60_000);
});

test('no file contains an import inside a type that the check cannot see, as in Promise<import(…)>', () => {
  const hidden = projectFiles().filter((file) => /[<|&]\s*import\(['"]/.test(readFileSync(file, 'utf8')));
  expect(hidden).toEqual([]);
});

describe('the table of parts', () => {
  const inOrder = Object.entries<(typeof parts)[keyof typeof parts]>(parts);

  test('has one row for every file', () => {
    const patterns = [unrestricted, ...inOrder.map(([, part]) => part.files)].map((pattern) => new RegExp(pattern));
    const wrong = projectFiles().filter((file) => patterns.filter((pattern) => pattern.test(file)).length !== 1);
    expect(wrong).toEqual([]);
  });

  test('lets a part import only parts of earlier rows', () => {
    const names = inOrder.map(([name]) => name);
    const upward = inOrder.flatMap(([name, { may, types = [] }]) =>
      [...may, ...types].filter((other) => names.indexOf(other as never) >= names.indexOf(name)),
    );
    expect(upward).toEqual([]);
  });
});

/** Every TypeScript file that git tracks or that is new and not ignored. Examples are programs of their own. */
function projectFiles(): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.ts', ':!examples'];
  return execFileSync('git', args, { encoding: 'utf8' }).trim().split('\n').sort();
}

async function cruised(baseDir: string): Promise<ICruiseResult> {
  const { output } = await cruise(['.'], { ...options, baseDir, validate: true, ruleSet: { forbidden } });
  if (typeof output === 'string') throw new TypeError('dependency-cruiser reported text.');
  return output;
}

function dependenciesOf(file: string) {
  return planted.modules.find(({ source }) => source === file)?.dependencies ?? [];
}

/** The imports of a file that a rule rejects, as written in the file. */
function rejectedIn(file: string): Set<string> {
  return new Set(
    dependenciesOf(file)
      .filter(({ valid }) => !valid)
      .map(({ module, protocol = '' }) => `${protocol}${module}`),
  );
}

const roots = /^(client|docs|functions|infra|shared|test|tools)\//;

/** An import as written in the file. */
function written(file: string, listed: string): string {
  const specifier = listed.replace('type ', '');
  return roots.test(specifier) ? path.posix.relative(path.dirname(file), specifier) : specifier;
}

function statement(file: string, listed: string, index: number): string {
  const keyword = listed.startsWith('type ') ? 'import type' : 'import';
  return `${keyword} { target as target${index} } from '${written(file, listed)}';\n`;
}

/** The file that an import resolves to. */
function targetOf(file: string, listed: string): string {
  const specifier = written(file, listed);
  if (specifier.startsWith('.')) return path.posix.join(path.dirname(file), specifier);
  if (specifier.startsWith('#')) return specifier.slice(1);
  return `node_modules/${specifier}/index.js`;
}

async function plant(file: string, source: string): Promise<void> {
  await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeFile(path.join(folder, file), source);
}
