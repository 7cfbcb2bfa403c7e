import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'esbuild';

/**
 * Replaces modules by the values of their exports, so that a bundle has the values but not the code that computes them. The
 * modules run once, during the build.
 */
export function valuesInPlaceOf(files: readonly string[]): Plugin {
  return {
    name: 'values',
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) =>
        files.includes(path) ? { contents: await valuesOf(path), loader: 'js' } : undefined,
      );
    },
  };
}

/** A module's exports as constants. Throws for an export that JSON cannot represent. */
export async function valuesOf(file: string): Promise<string> {
  const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href);
  return Object.entries(exported)
    .map(([name, value]) => `export const ${name} = ${toJson(name, value)};\n`)
    .join('');
}

function toJson(name: string, value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  if (json !== undefined && isDeepStrictEqual(JSON.parse(json), value)) return json;
  throw new Error(
    `${name} cannot be represented as JSON: a module that the build replaces by its values must export plain data.`,
  );
}
