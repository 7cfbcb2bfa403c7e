import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

/** The modules whose values are computed when a function is bundled. They depend on nothing but files of the repository. */
const builtFiles = /\.built\.ts$/;

/**
 * An esbuild plugin that loads each module named `*.built.ts` while it bundles, and replaces it by what it exports, as JSON. So a function need not
 * compute it each time it starts (docs/decisions/0095-lean-contracts.md).
 */
export const builtValues: Plugin = {
  name: 'built-values',
  setup({ onLoad }) {
    onLoad({ filter: builtFiles }, async ({ path }) => {
      const values: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href);
      const constants = Object.entries(values).map(
        ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
      );
      return { contents: constants.join('\n') };
    });
  },
};
