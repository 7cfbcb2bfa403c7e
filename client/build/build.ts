import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writePackage } from './package.ts';

const usage = `npm run build [-- --to FOLDER]

Builds the package that users install, for npm pack. Replaces dist, or writes to FOLDER, which must not exist.`;

const { to, help } = parseArgs({ options: { to: { type: 'string' }, help: { type: 'boolean' } } }).values;
if (help) {
  console.log(usage);
} else {
  const folder = to ?? 'dist';
  if (to === undefined) rmSync(folder, { recursive: true, force: true });
  await writePackage(folder);
  console.log(`Wrote ${folder}.`);
}
