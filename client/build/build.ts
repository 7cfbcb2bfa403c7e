import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { writePackage } from './package.ts';

const usage = `npm run build [-- --to FOLDER] [--repository URL]

Builds the package that users install, for npm pack. Replaces dist, or writes to FOLDER, which must not exist. URL is
the web address of the source, which npm publish needs for provenance.`;

function readFlags() {
  try {
    const text = { type: 'string' } as const;
    return parseArgs({ options: { to: text, repository: text, help: { type: 'boolean' } } }).values;
  } catch (error) {
    return fail(`${messageOf(error).split('. To specify')[0]}.\n\n${usage}`);
  }
}

function fail(text: string): never {
  console.error(text);
  process.exit(1);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const { to, repository, help } = readFlags();
if (help) {
  console.log(usage);
} else {
  const folder = to ?? 'dist';
  if (to === undefined) rmSync(folder, { recursive: true, force: true });
  await writePackage(folder, repository).catch((error) => fail(`The package was not built: ${messageOf(error)}`));
  console.log(`Wrote ${folder}.`);
}
