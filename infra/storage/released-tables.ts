import { readFileSync } from 'node:fs';
import type { IndexSpec } from './entity-table.ts';

/** The tables of one version of the service: keys and indexes by table name. */
export type Tables = Readonly<Record<string, TableSpec>>;

type TableSpec = {
  readonly partitionKey: string;
  readonly sortKey?: string;
  readonly indexes?: readonly IndexSpec[];
};

/** File with the tables of the last release. `npm run release:tables` writes it. */
export const releasedTablesFile = new URL('released-tables.json', import.meta.url);

/** The tables of the last release. Empty before the first release. */
export function releasedTables(): Tables {
  return JSON.parse(readFileSync(releasedTablesFile, 'utf8'));
}

/**
 * Returns one sentence for each reason why one deployment cannot change the released tables to the current ones. CloudFormation
 * creates or deletes one index per table and update. It replaces a table whose keys change with an empty one. A new table may
 * have any number of indexes.
 */
export function hindrances(released: Tables, current: Tables): string[] {
  return Object.entries(released).flatMap(([name, before]) => {
    const after = current[name];
    if (!after) return [`${name} was released and is gone.`];
    const sameKeys = before.partitionKey === after.partitionKey && before.sortKey === after.sortKey;
    const changes = indexChanges(before.indexes ?? [], after.indexes ?? []);
    return [
      ...(sameKeys ? [] : [`${name} was released with other keys.`]),
      ...(changes.length > 1 ? [`${name} needs ${changes.length} deployments: ${changes.join(', ')}.`] : []),
    ];
  });
}

/** One entry for each index to delete and each to create. A changed index is deleted and created. */
function indexChanges(before: readonly IndexSpec[], after: readonly IndexSpec[]): string[] {
  const without = (indexes: readonly IndexSpec[], others: readonly IndexSpec[]) =>
    indexes.filter((index) => !others.some((other) => isSameIndex(index, other)));
  return [
    ...without(before, after).map(({ name }) => `delete ${name}`),
    ...without(after, before).map(({ name }) => `make ${name}`),
  ];
}

function isSameIndex(one: IndexSpec, other: IndexSpec): boolean {
  return (
    one.name === other.name &&
    one.partitionKey === other.partitionKey &&
    one.sortKey === other.sortKey &&
    String(one.projection) === String(other.projection)
  );
}
