import { rmSync } from 'node:fs';
import { writePackage } from './package.ts';

/** Writes the package that users install: anew into `dist/`, or into the folder that is named, which must not be there yet. */
const [folder = 'dist'] = process.argv.slice(2);
if (folder === 'dist') rmSync(folder, { recursive: true, force: true });
await writePackage(folder);
console.log(`Wrote ${folder}: npm pack ./${folder} makes the package's file.`);
