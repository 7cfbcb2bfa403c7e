import { writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { hindrances, releasedTables, releasedTablesFile } from './released-tables.ts';
import { entityTables } from './tables.ts';

new Command('npm run release:tables')
  .description('Records the tables in infra/storage/released-tables.json. Run it for each release.')
  .showHelpAfterError()
  .parse();

/** Records the tables as released. After that, one more index per table may change. */
const reasons = hindrances(releasedTables(), entityTables);
if (reasons.length > 0) {
  console.error(`These tables cannot be deployed over the last release: ${reasons.join(' ')}`);
  process.exit(1);
}
writeFileSync(releasedTablesFile, `${JSON.stringify(entityTables, null, 2)}\n`);
console.log('Wrote infra/storage/released-tables.json: commit it with the release.');
