import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

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
      const source = path.resolve(resolveDir, specifier);
      const other = sources.get(file) ?? source;
      if (other !== source) throw new Error(`${other} and ${source} both become ${file}. Rename one of them.`);
      sources.set(file, source);
      return { path: `./${file}`, external: true };
    });
    if (initialOptions.write === false) return;
    onEnd(async ({ metafile }) => {
      for (const [file, source] of sources) {
        const content = await bundledChunk(source, initialOptions);
        const folders = foldersThatLoad(file, metafile);
        for (const folder of folders.map((each) => path.resolve(initialOptions.absWorkingDir ?? '', each)))
          await writeFile(path.join(folder, file), content);
      }
    });
  },
};

/** The name of the file that a module becomes: `mediabunny.chunk.cjs` of `./mediabunny.chunk.ts`. */
function chunkFileOf(specifier: string): string {
  return `${path.basename(specifier, '.ts')}.cjs`;
}

/** The code of a chunk. Throws if it has a module of our own besides itself, because the functions have another copy of that. */
async function bundledChunk(source: string, { absWorkingDir = '', ...options }: BuildOptions): Promise<Uint8Array> {
  const { metafile, outputFiles } = await build({
    ...options,
    absWorkingDir,
    entryPoints: [source],
    plugins: [],
    metafile: true,
    write: false,
  });
  const inputs = Object.keys(metafile.inputs).filter((input) => path.resolve(absWorkingDir, input) !== source);
  const own = inputs.filter((input) => !input.includes('node_modules/'));
  if (own.length > 0)
    throw new Error(`${source} may import only packages, but its chunk would have ${own.join(', ')}.`);
  const [output] = outputFiles;
  if (!output) throw new Error(`esbuild made nothing of ${source}.`);
  return output.contents;
}

function foldersThatLoad(file: string, metafile: Metafile | undefined): readonly string[] {
  const outputs = Object.entries(metafile?.outputs ?? {});
  const loading = outputs.filter(([, { imports }]) => imports.some((loaded) => loaded.path === `./${file}`));
  return loading.map(([output]) => path.dirname(output));
}
