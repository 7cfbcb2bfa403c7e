import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

/** The modules that get a file of their own: large libraries that few messages need. */
const chunkFiles = /\.chunk\.ts$/;

/**
 * An esbuild plugin that bundles each module named `*.chunk.ts` into a file of its own, beside each bundle that loads it. So Node does not read it
 * before it is needed (docs/decisions/0096-chunks.md). It needs `metafile`, and makes no files where esbuild writes none.
 */
export const chunks: Plugin = {
  name: 'chunks',
  setup({ initialOptions, onResolve, onEnd }) {
    const sources = new Map<string, string>();
    onResolve({ filter: chunkFiles }, ({ path: specifier, resolveDir }) => {
      const file = chunkFileOf(specifier);
      sources.set(file, path.resolve(resolveDir, specifier));
      return { path: `./${file}`, external: true };
    });
    if (initialOptions.write === false) return;
    onEnd(async ({ metafile }) => {
      for (const [file, source] of sources) {
        const folders = foldersThatLoad(file, metafile);
        const options = { ...initialOptions, entryPoints: [source], plugins: [], write: false as const };
        const { outputFiles } = await build(options);
        for (const folder of folders.map((each) => path.resolve(initialOptions.absWorkingDir ?? '', each))) {
          for (const { contents } of outputFiles) await writeFile(path.join(folder, file), contents);
        }
      }
    });
  },
};

/** The name of the file that a module becomes: `mediabunny.chunk.cjs` of `./mediabunny.chunk.ts`. */
function chunkFileOf(specifier: string): string {
  return `${path.basename(specifier, '.ts')}.cjs`;
}

function foldersThatLoad(file: string, metafile: Metafile | undefined): readonly string[] {
  const outputs = Object.entries(metafile?.outputs ?? {});
  const loading = outputs.filter(([, { imports }]) => imports.some((loaded) => loaded.path === `./${file}`));
  return loading.map(([output]) => path.dirname(output));
}
