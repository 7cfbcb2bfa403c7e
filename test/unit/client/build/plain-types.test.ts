import { Project } from 'ts-morph';
import { expect, test } from 'vitest';
import { asPlainTypes } from '../../../../client/build/plain-types.ts';

/** What is written for a module with this source. */
function written(source: string, other = ''): string {
  const project = new Project({
    useInMemoryFileSystem: true,
    compilerOptions: { strict: true, exactOptionalPropertyTypes: true },
  });
  project.createSourceFile('other.ts', other);
  return asPlainTypes(project.createSourceFile('types.ts', source));
}

test('a type that is computed is written out, with its own comments', () => {
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

test('what may be missing stays apart from what may be undefined', () => {
  const text = written('export type Both = { missing?: 1; undefined?: 1 | undefined };');
  expect(text).toContain('missing?: 1;');
  expect(text).toContain('undefined?: 1 | undefined;');
});

test('a part that has a name is called by it, also where it may be missing', () => {
  const text = written(`
    export type State = 'on' | 'off';
    export type All = { list: readonly ('on' | 'off')[]; none: 'on' | 'off' | null; maybe?: ('on' | 'off') | undefined };
  `);
  expect(text).toContain("export type State = 'on' | 'off';");
  expect(text).toContain('list: readonly State[];');
  expect(text).toContain('none: State | null;');
  expect(text).toContain('maybe?: State | undefined;');
});

test('a computed type of another module is written in full, and one with a name by that of this module', () => {
  const other =
    'type Or<Type> = { value: Type | null }; export type Leaf = Or<string>; export type Tree = { leaf: Leaf; or: Or<1> };';
  const text = written(
    "import type * as o from './other'; export type Tree = o.Tree; export type Leaf = o.Leaf;",
    other,
  );
  expect(text).toMatch(/^export type Tree = \{\n {4}leaf: Leaf;\n {4}or: \{\n {8}value: 1 \| null;\n {4}\};\n\};$/m);
  expect(text).toMatch(/^export type Leaf = \{\n {4}value: string \| null;\n\};$/m);
});

test('a type that is made of another which has no name here is refused', () => {
  const other = 'export type Leaf = { value: string }; export type Tree = { leaf: Leaf };';
  expect(() => written("import type * as o from './other'; export type Tree = o.Tree;", other)).toThrow(/export Leaf/);
});

test("properties of the API's types have its words and its order", () => {
  const text = written('export type AccessLink = { expires: number; accessLink: string };');
  expect(text).toMatch(
    /\/\*\* URL of the file\..* \*\/\n {4}accessLink: string;\n {4}\/\*\* .* \*\/\n {4}expires: number;/,
  );
});

test('of a constant, its type is there', () => {
  expect(written('/** How often. */\nexport const count = 3 as const;')).toBe(
    '/** How often. */\nexport declare const count: 3;\n',
  );
});

test('what is more than plain properties is refused', () => {
  expect(() => written('export type Bad = { call(): void };')).toThrow(/plain properties/);
});
