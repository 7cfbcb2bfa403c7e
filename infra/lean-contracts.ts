import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { Node, Project } from 'ts-morph';

/** The files that define what the API takes and gives. Loading them has no effect but their constants. */
const contractFiles = /[\\/]shared[\\/]contracts[\\/][^\\/]+\.ts$/;

/**
 * An esbuild plugin that marks the constants of contracts as free of effects. So a bundle has only those that its function uses
 * (docs/decisions/0095-lean-contracts.md).
 */
export const leanContracts: Plugin = {
  name: 'lean-contracts',
  setup({ onLoad }) {
    onLoad({ filter: contractFiles }, async ({ path }) => ({
      contents: withPureConstants(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/**
 * Wraps the value of each constant of a module in a function that is called at once, and marks the call as pure. esbuild leaves it out if
 * nothing uses the constant, and inlines the function otherwise.
 */
export function withPureConstants(source: string): string {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const file = project.createSourceFile('contract.ts', source);
  const values = file
    .getVariableDeclarations()
    .flatMap((constant) => constant.getInitializer() ?? [])
    .filter((value) => !Node.isArrowFunction(value));
  return values.reduceRight(
    (text, value) =>
      `${text.slice(0, value.getStart())}/* @__PURE__ */ (() => (${value.getText()}))()${text.slice(value.getEnd())}`,
    file.getFullText(),
  );
}
