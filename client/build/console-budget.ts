import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { builtConsole } from './console.ts';

// Fails if the first view of the console loads more JavaScript than its budget.

/** An entry of Vite's manifest. */
type Chunk = { readonly file: string; readonly isEntry?: boolean; readonly imports?: readonly string[] };

const budgetBytes = 200_000;

const folder = await builtConsole();
const manifest: Readonly<Record<string, Chunk>> = JSON.parse(
  readFileSync(path.join(folder, '.vite/manifest.json'), 'utf8'),
);
const files = [...new Set(Object.values(manifest).flatMap((chunk) => (chunk.isEntry ? filesOf(chunk) : [])))];
const sizes = files.map((file) => ({ file, bytes: gzipSync(readFileSync(path.join(folder, file))).length }));
const sum = sizes.reduce((bytes, each) => bytes + each.bytes, 0);
console.log(
  `The first view of the console loads ${kilobytes(sum)} of JavaScript, compressed. Its budget is ${kilobytes(budgetBytes)}.`,
);
if (sum > budgetBytes) {
  for (const { file, bytes } of sizes) console.error(`${file}: ${kilobytes(bytes)}`);
  process.exitCode = 1;
}

/** A file and those that it loads before it runs. Views that are loaded later are not among them. */
function filesOf({ file, imports = [] }: Chunk): string[] {
  return [file, ...imports.flatMap((name) => (manifest[name] ? filesOf(manifest[name]) : []))];
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
