import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'esbuild';

/** The modules of functions whose values are computed when these are bundled. The import rules let them depend on nothing but descriptions and pure modules of Node. */
const builtFiles = /[\\/]functions[\\/].+\.built\.ts$/;

/**
 * An esbuild plugin that loads each module named `*.built.ts` of a function while it bundles, and replaces it by what it exports, as JSON. So a function need not
 * compute it each time it starts (docs/decisions/0095-lean-contracts.md).
 */
export const builtValues: Plugin = {
  name: 'built-values',
  setup({ onLoad }) {
    onLoad({ filter: builtFiles }, async ({ path }) => {
      const values: Readonly<Record<string, unknown>> = await import(pathToFileURL(path).href);
      return { contents: asConstants(values) };
    });
  },
};

/** The source of a module that exports these values. Throws for a value that JSON does not keep, such as a function. */
export function asConstants(values: Readonly<Record<string, unknown>>): string {
  const constants = Object.entries(values).map(([name, value]) => {
    const text = JSON.stringify(value) ?? 'null';
    if (!isDeepStrictEqual(JSON.parse(text), value)) throw new Error(`${name} is not JSON, so it cannot be built.`);
    return `export const ${name} = ${text};`;
  });
  return constants.join('\n');
}
