import { writeFileSync } from 'node:fs';
import { hindrances, releasedTables, releasedTablesFile } from './released-tables.ts';
import { entityTables } from './tables.ts';

/** Records the tables as released. Run it for each release. After that, one more index per table may change. */
const reasons = hindrances(releasedTables(), entityTables);
if (reasons.length > 0) throw new Error(`These tables cannot be deployed over the last release: ${reasons.join(' ')}`);
writeFileSync(releasedTablesFile, `${JSON.stringify(entityTables, null, 2)}\n`);
console.log('Wrote infra/released-tables.json: commit it with the release.');
