import { entityTables } from '#infra/tables.ts';
import { type TableName, tableNames } from '#shared/names.ts';
import type { MeteredCall } from './capacity-meter.ts';

/** Write units that one call consumed in one partition of a table or of an index (`rooms/by-rating`). */
export type PartitionUnits = { readonly place: string; readonly partition: string; readonly units: number };

type Item = Readonly<Record<string, unknown>>;
type Write = { readonly TableName: string; readonly Item?: Item; readonly Key?: Item };
type Input = {
  readonly TransactItems?: readonly Readonly<Record<'Put' | 'Delete', Write | undefined>>[];
} & Partial<Write>;

/**
 * Divides the write units of a call among the partitions of the items that it writes. The items that one request writes to a
 * table need the same units: those of one participant, mark or start each.
 */
export function unitsOfPartitions(call: MeteredCall, tables: Readonly<Record<string, string>>): PartitionUnits[] {
  if (!call.isWrite) return [];
  const writes = writesOf(call.input as Input);
  return Object.entries(call.units).flatMap(([place, units]) => {
    if (units === 0) return [];
    const [physicalName = '', index] = place.split('/');
    const table = tableNames.find((name) => tables[name] === physicalName);
    if (table === undefined) throw new Error(`No table has the name ${physicalName}.`);
    const partitions = writes
      .filter(({ TableName }) => TableName === physicalName)
      .flatMap(({ Item, Key }) => (Item ?? Key)?.[partitionKeyOf(table, index)] ?? []);
    if (partitions.length === 0) throw new Error(`No item of the request is in ${place}.`);
    return partitions.map((partition) => ({
      place: index === undefined ? table : `${table}/${index}`,
      partition: String(partition),
      units: units / partitions.length,
    }));
  });
}

function writesOf({ TransactItems, ...write }: Input): readonly Write[] {
  return TransactItems ? TransactItems.flatMap(({ Put, Delete }) => Put ?? Delete ?? []) : [write as Write];
}

function partitionKeyOf(table: TableName, index: string | undefined): string {
  const { partitionKey, indexes = [] } = entityTables[table];
  if (index === undefined) return partitionKey;
  return indexes.find(({ name }) => name === index)?.partitionKey ?? '';
}
