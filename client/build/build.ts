import { rmSync } from 'node:fs';
import { Command } from 'commander';
import { writePackage } from './package.ts';

const { to, repository } = new Command('npm run build --')
  .description('Builds the package that users install, for npm pack.')
  .option('--to <folder>', 'writes to this folder, which must not exist, instead of replacing dist')
  .option('--repository <url>', 'the web address of the source, which npm publish needs for provenance')
  .showHelpAfterError()
  .parse()
  .opts<{ to?: string; repository?: string }>();

const folder = to ?? 'dist';
if (to === undefined) rmSync(folder, { recursive: true, force: true });
try {
  await writePackage(folder, repository);
  console.log(`Wrote ${folder}.`);
} catch (error) {
  console.error(`The package was not built: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
