import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { valuesOf } from '#client/build/values.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-values-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The built text for a module with this source. */
async function built(source: string): Promise<string> {
  const file = path.join(folder, `${crypto.randomUUID()}.mjs`);
  await writeFile(file, source);
  return valuesOf(file);
}

test('exports become constants of their values', async () => {
  const text = await built(`
    const made = ['a', 'b'].map((name, index) => ({ name, index }));
    export { made };
    export const none = null, text = 'a "b" \\n';
  `);
  const file = path.join(folder, 'again.mjs');
  await writeFile(file, text);

  expect({ ...(await import(/* @vite-ignore */ file)) }).toEqual({
    made: [
      { name: 'a', index: 0 },
      { name: 'b', index: 1 },
    ],
    none: null,
    text: 'a "b" \n',
  });
  expect(text).not.toContain('map(');
});

test.each(['() => 1', 'undefined', '{ a: undefined }', 'new Date(0)', 'new Map()', '[NaN]', '/a/', '1n', 'Symbol()'])(
  'an export that JSON cannot represent is rejected: %s',
  async (value) => {
    await expect(built(`export const used = ${value};`)).rejects.toThrow(
      /^(used cannot be represented as JSON|.*BigInt)/,
    );
  },
);
