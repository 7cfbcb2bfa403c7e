import { readFileSync } from 'node:fs';
import type { IndexSpec } from './constructs/entity-table.ts';

/** The tables as one version of the service makes them: by name, the keys and the indexes. */
export type Tables = Readonly<Record<string, TableSpec>>;

type TableSpec = {
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly indexes?: readonly IndexSpec[];
};

/** Where the tables of the last release are kept; `npm run release:tables` writes it. */
export const releasedTablesFile = new URL('released-tables.json', import.meta.url);

/** The tables of the last release; none before the first. */
export function releasedTables(): Tables {
  return JSON.parse(readFileSync(releasedTablesFile, 'utf8'));
}

/**
 * Why the tables cannot follow the released ones in one deployment, a sentence each. CloudFormation makes or deletes one
 * index per table and update, and replaces a table, empty, whose keys change. A new table may have any number of indexes.
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

/** One for each index to delete and each to make; a changed one is both. */
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
    one.projection === other.projection
  );
}
