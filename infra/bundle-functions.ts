import { build } from 'esbuild';
import { bundleOptions } from './bundling.ts';

// Bundles all functions into the folder that is given. `infra/bundling.ts` runs it as a program and waits for it, because synthesis is
// synchronous and esbuild's plugins are not.

const [outdir = bundleOptions.outdir] = process.argv.slice(2);
await build({ ...bundleOptions, outdir, write: true });
