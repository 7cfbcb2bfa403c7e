import { Project } from 'ts-morph';
import { expect, test } from 'vitest';
import { asPlainTypes } from '#client/build/plain-types.ts';

/** The plain types of a module with this source. */
function written(source: string, other = ''): string {
  const project = new Project({
    useInMemoryFileSystem: true,
    compilerOptions: { strict: true, exactOptionalPropertyTypes: true },
  });
  project.createSourceFile('other.ts', other);
  return asPlainTypes(project.createSourceFile('types.ts', source));
}

test('a computed type is written out and keeps its comments', () => {
  expect(
    written(`
      type Shape = { a: string; b: number };
      /** Both, read only. */
      export type Frozen = { readonly [Name in keyof Shape]: Shape[Name] | null };
    `),
  ).toBe(
    '/** Both, read only. */\nexport type Frozen = {\n    readonly a: string | null;\n    readonly b: number | null;\n};\n',
  );
});

test('optional properties stay distinct from properties that may be undefined', () => {
  const text = written('export type Both = { missing?: 1; undefined?: 1 | undefined };');
  expect(text).toContain('missing?: 1;');
  expect(text).toContain('undefined?: 1 | undefined;');
});

test('a named part is referenced by its name, even if it is optional', () => {
  const text = written(`
    export type State = 'on' | 'off';
    export type All = { list: readonly ('on' | 'off')[]; none: 'on' | 'off' | null; maybe?: ('on' | 'off') | undefined };
  `);
  expect(text).toContain("export type State = 'on' | 'off';");
  expect(text).toContain('list: readonly State[];');
  expect(text).toContain('none: State | null;');
  expect(text).toContain('maybe?: State | undefined;');
});

test('a computed type of another module is written in full, and a named one gets its name in this module', () => {
  const other =
    'type Or<Type> = { value: Type | null }; export type Leaf = Or<string>; export type Tree = { leaf: Leaf; or: Or<1> };';
  const text = written(
    "import type * as o from './other'; export type Tree = o.Tree; export type Leaf = o.Leaf;",
    other,
  );
  expect(text).toMatch(/^export type Tree = \{\n {4}leaf: Leaf;\n {4}or: \{\n {8}value: 1 \| null;\n {4}\};\n\};$/m);
  expect(text).toMatch(/^export type Leaf = \{\n {4}value: string \| null;\n\};$/m);
});

test('a type that refers to a type without a name in this module is rejected', () => {
  const other = 'export type Leaf = { value: string }; export type Tree = { leaf: Leaf };';
  expect(() => written("import type * as o from './other'; export type Tree = o.Tree;", other)).toThrow(/export Leaf/);
});

test('properties of API types have the descriptions and the order of the API', () => {
  const text = written('export type AccessLink = { expires: number; accessLink: string };');
  expect(text).toMatch(
    /\/\*\* URL of the file\..* \*\/\n {4}accessLink: string;\n {4}\/\*\* .* \*\/\n {4}expires: number;/,
  );
});

test('a constant is declared with its type', () => {
  expect(written('/** How often. */\nexport const count = 3 as const;')).toBe(
    '/** How often. */\nexport declare const count: 3;\n',
  );
});

test('a type with more than plain properties is rejected', () => {
  expect(() => written('export type Bad = { call(): void };')).toThrow(/plain properties/);
});
