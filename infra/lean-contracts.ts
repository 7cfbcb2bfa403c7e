import { readFile } from 'node:fs/promises';
import { parse } from 'acorn';
import { type Plugin, transform } from 'esbuild';

/** The files that define what the API takes and gives. Loading them has no effect but their constants. */
const contractFiles = /[\\/]shared[\\/]contracts[\\/][^\\/]+\.ts$/;

/**
 * An esbuild plugin that marks the constants of contracts as free of effects. So a bundle has only those that its function uses
 * (docs/decisions/0095-lean-contracts.md).
 */
export const leanContracts: Plugin = {
  name: 'lean-contracts',
  setup({ onLoad }) {
    onLoad({ filter: contractFiles }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'ts' });
      return { contents: withPureConstants(code) };
    });
  },
};

/**
 * Wraps the value of each constant of a module in a function that is called at once, and marks the call as pure. esbuild leaves it out if
 * nothing uses the constant, and inlines the function otherwise.
 */
export function withPureConstants(source: string): string {
  const values = parse(source, { ecmaVersion: 'latest', sourceType: 'module' })
    .body.map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
    .flatMap((declared) => (declared?.type === 'VariableDeclaration' ? declared.declarations : []))
    .flatMap(({ init }) => (init && init.type !== 'ArrowFunctionExpression' ? [init] : []));
  return values.reduceRight(
    (text, { start, end }) =>
      `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`,
    source,
  );
}
