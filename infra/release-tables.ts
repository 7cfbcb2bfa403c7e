import { writeFileSync } from 'node:fs';
import { acceptOnlyHelp } from './help-flag.ts';
import { hindrances, releasedTables, releasedTablesFile } from './released-tables.ts';
import { entityTables } from './tables.ts';

acceptOnlyHelp(`npm run release:tables

Records the tables in infra/released-tables.json. Run it for each release.`);

/** Records the tables as released. After that, one more index per table may change. */
const reasons = hindrances(releasedTables(), entityTables);
if (reasons.length > 0) {
  console.error(`These tables cannot be deployed over the last release: ${reasons.join(' ')}`);
  process.exit(1);
}
writeFileSync(releasedTablesFile, `${JSON.stringify(entityTables, null, 2)}\n`);
console.log('Wrote infra/released-tables.json: commit it with the release.');
