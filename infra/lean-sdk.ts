import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The files in which SDK clients describe their operations. */
const schemaFiles = /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]dist-es[\\/]schemas[\\/]schemas_\d+\.js$/;
const packageFiles = /[\\/]@aws-sdk[\\/]client-[^\\/]+[\\/]package\.json$/;
const crc32File = /[\\/]@smithy[\\/]core[\\/]dist-es[\\/]submodules[\\/]checksum[\\/]crc32[\\/]Crc32Node\.js$/;

/**
 * An esbuild plugin that rewrites three kinds of files of the SDK, without changing what they do, so that a function has less to
 * load: the descriptions of operations, package files, and a checksum (docs/decisions/0092-lean-sdk.md).
 */
export const leanSdk: Plugin = {
  name: 'lean-sdk',
  setup({ onLoad }) {
    onLoad({ filter: schemaFiles }, async ({ path }) => ({ contents: withPlainKeys(await readFile(path, 'utf8')) }));
    onLoad({ filter: packageFiles }, async ({ path }) => {
      const { version } = JSON.parse(await readFile(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
    onLoad({ filter: crc32File }, async ({ path }) => ({ contents: withLateZlib(await readFile(path, 'utf8')) }));
  },
};

/**
 * Replaces keys such as `[_hH]` with the text of the constant: `"httpHeader"`. esbuild keeps every object with a computed key, because
 * computing the key could have an effect. So it would keep the descriptions of all operations.
 */
export function withPlainKeys(source: string): string {
  const texts = new Map([...source.matchAll(/^const (\w+) = ("[^"\\]*");$/gm)].map(([, name, text]) => [name, text]));
  return source.replaceAll(/\[(\w+)\]:/g, (key, name) => (texts.has(name) ? `${texts.get(name)}:` : key));
}

/** Loads Node's compression at the first checksum. Throws if the file is not the one that is expected. */
export function withLateZlib(source: string): string {
  const replacements = [
    [/^import \* as zlib from "node:zlib";\n/m, ''],
    [
      /^const zlibCrc32 = .*;$/m,
      'const zlibCrc32 = (...given) => process.getBuiltinModule("node:zlib").crc32(...given);',
    ],
  ] as const;
  return replacements.reduce((text, [pattern, replacement]) => {
    if (!pattern.test(text))
      throw new Error(`The SDK's CRC-32 has changed: no ${pattern} in it. See infra/lean-sdk.ts.`);
    return text.replace(pattern, replacement);
  }, source);
}
