import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { Node, Project, type Statement, SyntaxKind, type VariableDeclaration } from 'ts-morph';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { description } from '#functions/api/description/get-api-description/description.built.ts';
import { asConstants, builtValues } from '#infra/built-values.ts';
import { bundleOptions } from '#infra/bundling.ts';
import { leanContracts, withPureConstants } from '#infra/lean-contracts.ts';

/** The files that the plugin rewrites. */
const files = globSync('shared/contracts/*.ts');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-lean-contracts-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Plugins = NonNullable<BuildOptions['plugins']>;

/** Bundles a file with these plugins, and loads it. */
async function loaded(file: string, plugins: Plugins): Promise<Readonly<Record<string, unknown>>> {
  const outfile = path.join(folder, `${file.replaceAll(/\W/g, '-')}-${plugins.length}.mjs`);
  const entryPoints = [file];
  await build({ entryPoints, outfile, plugins, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return import(pathToFileURL(outfile).href);
}

/** The text of what a module exports, with its functions and patterns. */
function textOf(exported: Readonly<Record<string, unknown>>): string {
  const seen = new Set<unknown>();
  return JSON.stringify(exported, (_, value) => {
    if (typeof value === 'function' || value instanceof RegExp) return String(value);
    if (typeof value !== 'object' || value === null) return value;
    if (seen.has(value)) return 'seen';
    seen.add(value);
    if (value instanceof Map || value instanceof Set) return [...value];
    return '_zod' in value ? { ...value, def: value._zod.def } : value; // zod hides the rules of a check there
  });
}

/** The bytes of a contract in a bundle of this code. */
async function bytesOf(contract: string, contents: string, plugins: Plugins): Promise<number> {
  const { entryPoints, ...options } = bundleOptions;
  const stdin = { contents, resolveDir: process.cwd() };
  const { metafile } = await build({ ...options, stdin, plugins, metafile: true });
  return Object.values(metafile.outputs)[0]?.inputs[contract]?.bytesInOutput ?? 0;
}

describe.each(files)('the constants of %s', (file) => {
  test('stay the same', async () => {
    const [lean, original] = [await loaded(file, [leanContracts]), await loaded(file, [])];
    expect(Object.keys(lean)).toEqual(Object.keys(original));
    expect(textOf(lean)).toBe(textOf(original));
  });
});

test('the comparison sees the rules of schemas', () => {
  const lengths = [1, 99].map((length) => textOf({ text: z.string().check(z.minLength(length)) }));
  expect(lengths[0]).not.toBe(lengths[1]);
});

/** The names of a constant: one, or those of a pattern. */
function namesOf(constant: VariableDeclaration): readonly string[] {
  const elements = constant.getNameNode().getDescendantsOfKind(SyntaxKind.BindingElement);
  return elements.length > 0 ? elements.map((element) => element.getName()) : [constant.getName()];
}

/** The statements of a module that may be there for an effect: not those that import, define a function or a type, or a constant that something uses. */
function effectsIn(source: string): readonly string[] {
  const kinds = new Set(['ImportDeclaration', 'ExportDeclaration', 'FunctionDeclaration', 'TypeAliasDeclaration']);
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const file = project.createSourceFile('contract.ts', source);
  const names = file.getDescendantsOfKind(SyntaxKind.Identifier).map((identifier) => identifier.getText());
  const isUsed = (name: string) => names.indexOf(name) !== names.lastIndexOf(name);
  const isConstant = (statement: Statement) =>
    Node.isVariableStatement(statement) &&
    statement.getDeclarationKind() === 'const' &&
    (statement.isExported() || statement.getDeclarations().every((constant) => namesOf(constant).some(isUsed)));
  const others = file.getStatements().filter((each) => !kinds.has(each.getKindName()) && !isConstant(each));
  return others.map((statement) => statement.getText());
}

test('contracts consist of constants, functions and types, so loading one has no effect that a bundle could lose', () => {
  expect(files.length).toBeGreaterThan(30);
  const effects = files.map((file) => [file, effectsIn(readFileSync(file, 'utf8'))] as const);
  expect(effects.filter(([, statements]) => statements.length > 0)).toEqual([]);
});

test.each(['register(x);', 'let a = register(x);', 'const _ = register(x);', 'const { a, b } = register(x);'])(
  'an effect is found in %s',
  (effect) => {
    const used = 'const x = 1;\nexport const y = x;';
    expect(effectsIn(`${used}\n${effect}`)).toEqual([effect]);
  },
);

test('a bundle has only the schemas of a contract that it uses', async () => {
  const contract = 'shared/contracts/webhooks.ts';
  const contents = `export { WebhookPath } from './${contract}';`;
  const [lean, original] = [await bytesOf(contract, contents, [leanContracts]), await bytesOf(contract, contents, [])];
  expect(lean).toBeGreaterThan(0);
  expect(lean).toBeLessThan(original / 4);
});

test('constants are marked as pure, and functions stay as they are', () => {
  expect(withPureConstants('export const a = f(1), b = 2;\nconst g = () => a;\nfunction h() { const c = a; }')).toBe(
    'export const a = /* @__PURE__ */ (() => (f(1)))(), b = /* @__PURE__ */ (() => (2))();\nconst g = () => a;\nfunction h() { const c = a; }',
  );
});

test('a value that JSON does not keep is an error', () => {
  for (const value of [() => 1, new Map(), Number.NaN, { a: undefined }, new Date(0)])
    expect(() => asConstants({ value })).toThrow('value is not JSON');
});

test('the description of the API is computed when its function is bundled', async () => {
  const file = 'functions/api/description/get-api-description/description.built.ts';
  expect((await loaded(file, [builtValues])).description).toEqual(description);
  expect(await bytesOf('docs/openapi.json', `export { description } from './${file}';`, [builtValues])).toBe(0);
});
