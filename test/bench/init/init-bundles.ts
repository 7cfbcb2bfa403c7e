import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';
import { bundleFormat, bundleOptions, functionFolders } from '#infra/bundling/bundling.ts';

/** A function: its bundle, and the AWS clients in it. */
export type Bundled = {
  readonly name: string;
  readonly file: string;
  readonly bytes: number;
  /** The bundle that CDK would make of the same entry. */
  readonly cdkFile: string;
  readonly clients: readonly string[];
};

/** What `NodejsFunction` of CDK gives esbuild if nothing is set: the SDK is not in the bundle, because the runtime has one. */
const cdkOptions: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  external: ['@aws-sdk/*'],
  absWorkingDir: bundleOptions.absWorkingDir,
  logLevel: 'error',
};

/** Bundles every function into a folder, as the stack does and as CDK would. */
export function makeBundles(folder: string): readonly Bundled[] {
  const ours = path.join(folder, 'ours');
  const ofCdk = path.join(folder, 'cdk');
  const { metafile } = buildSync({ ...bundleOptions, outdir: ours, write: true, metafile: true });
  buildSync({ ...cdkOptions, entryPoints: bundleOptions.entryPoints, outdir: ofCdk });
  const inputs = new Map(
    Object.entries(metafile.outputs).map(([file, output]) => [
      path.resolve(bundleOptions.absWorkingDir, file),
      output.inputs,
    ]),
  );
  return functionFolders.map((name): Bundled => {
    const file = path.join(ours, name, 'index.js');
    writeFileSync(path.join(ours, name, 'package.json'), bundleFormat);
    const sources = Object.entries(inputs.get(file) ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
    const clients = sources.flatMap(([source]) => /@aws-sdk\/client-([^/]+)\//.exec(source)?.[1] ?? []);
    const cdkFile = path.join(ofCdk, name, 'index.js');
    return { name, file, bytes: statSync(file).size, cdkFile, clients: [...new Set(clients)] };
  });
}

/** Bundles the program that loads a bundle. Returns its file. */
export function makeLoader(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const outfile = path.join(folder, 'load.cjs');
  const { absWorkingDir, platform, target, format } = bundleOptions;
  const entryPoints = ['test/bench/init/init-process.ts'];
  buildSync({ absWorkingDir, platform, target, format, entryPoints, outfile, bundle: true });
  return outfile;
}
