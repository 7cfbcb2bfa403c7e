import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Plugin } from 'esbuild';

/**
 * Puts in the place of modules what their exports are worth, so that a bundle holds the values and nothing of what they were
 * made from. The modules run once, in the build.
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

/** A module's exports as constants; throws for one that is more than JSON can carry. */
export async function valuesOf(file: string): Promise<string> {
  const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(file).href);
  return Object.entries(exported)
    .map(([name, value]) => `export const ${name} = ${toJson(name, value)};\n`)
    .join('');
}

function toJson(name: string, value: unknown): string {
  const json = JSON.stringify(value, null, 2);
  if (json !== undefined && isDeepStrictEqual(JSON.parse(json), value)) return json;
  throw new Error(`${name} is more than JSON can carry: a module whose values are built in holds plain data alone.`);
}
