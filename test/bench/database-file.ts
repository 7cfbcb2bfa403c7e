import { createHash } from 'node:crypto';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { AttributeDefinition, AttributeValue, KeySchemaElement, Projection } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Rows } from '../support/insights/stored-rooms.ts';
import { itemBytes } from '../support/storage/capacity-meter.ts';

// Writes rows into the database file of the local DynamoDB (Dynoxide 1.2.1, version 9 of its file), which must not run meanwhile. It has
// one SQL table for each table and each index. test/integration/runner/database-file.test.ts compares the result with that of real writes.

const fileVersion = '9';
/** Rows of so many at a time are sorted for each index: the more, the less the pages of the file are written in random order. */
const chunk = 50_000;

type Item = Record<string, AttributeValue>;
/** A key as the file has it. Only strings are keys here. */
type Key = readonly [partition: string, sort: string];
/** A table or an index: its SQL table, and its own key. An index has the names of its attributes, unless it has all of them. */
type Part = { readonly sqlTable: string; readonly keys: readonly string[] };
type Index = Part & { readonly attributes: ReadonlySet<string> | undefined };

/** Opens a database file for one writer that loses everything if the machine stops. `close` makes it a file that Dynoxide opens. */
export function openDatabaseFile(file: string): {
  readonly fill: (tableName: string, rows: Rows, onProgress?: (written: number) => void) => void;
  readonly close: () => void;
} {
  const database = new DatabaseSync(file, { defensive: false }); // so that there need be no journal
  const settings = ['journal_mode = DELETE', 'journal_mode = OFF', 'synchronous = OFF', 'locking_mode = EXCLUSIVE'];
  for (const setting of [...settings, 'cache_size = -1000000']) database.exec(`PRAGMA ${setting}`);
  const { value } = database.prepare("SELECT value FROM _config WHERE key = 'schema_version'").get() ?? {};
  if (value !== fileVersion) throw new Error(`The local DynamoDB has files of version ${value}, not ${fileVersion}.`);
  return {
    fill: (tableName, rows, onProgress) => fillTable(database, tableName, rows, onProgress),
    close: () => {
      database.exec('PRAGMA journal_mode = WAL');
      database.close();
    },
  };
}

function fillTable(
  database: DatabaseSync,
  tableName: string,
  { count, make }: Rows,
  onProgress: ((written: number) => void) | undefined,
): void {
  const { table, indexes } = partsOf(database, tableName);
  const insert = insertInto(database, table.sqlTable, ['pk', 'sk', 'item_json', 'item_size', 'hash_prefix']);
  const inserts = indexes.map(({ sqlTable }) =>
    insertInto(database, sqlTable, ['gsi_pk', 'gsi_sk', 'table_pk', 'table_sk', 'item_json']),
  );
  for (let start = 0; start < count; start += chunk) {
    const end = Math.min(count, start + chunk);
    const entries = indexes.map((): string[][] => []);
    database.exec('BEGIN');
    for (let row = start; row < end; row += 1) {
      const values = make(row);
      const { key, json, entriesOf } = encoded(marshall(values, { removeUndefinedValues: true }), table);
      insert.run(...key, json, itemBytes(values), hashPrefix(key));
      for (const [position, entry] of entriesOf(indexes).entries()) if (entry) entries[position]?.push(entry);
    }
    for (const [position, statement] of inserts.entries()) insertInOrder(statement, entries[position] ?? []);
    database.exec('COMMIT');
    onProgress?.(end);
  }
}

/** What the file has of an item: its key, its JSON, and its entry in each index that has one. */
function encoded(item: Item, table: Part) {
  const key = keyIn(item, table);
  if (!key) throw new Error(`An item has no ${table.keys.join(' and ')}.`);
  const attributes = Object.entries(item).map(([name, value]) => [name, `"${name}":${JSON.stringify(value)}`] as const);
  const json = (shows: (name: string) => boolean) =>
    `{${attributes.flatMap(([name, text]) => (shows(name) ? [text] : [])).join(',')}}`;
  const entriesOf = (indexes: readonly Index[]) =>
    indexes.map((index) => {
      const own = keyIn(item, index);
      return own && [...own, ...key, json((name) => index.attributes?.has(name) ?? true)];
    });
  return { key, json: json(() => true), entriesOf };
}

function keyIn(item: Item, { keys }: Part): Key | undefined {
  const [partition, sort] = keys.map((name) => item[name]);
  if (!partition || (keys.length > 1 && !sort)) return undefined;
  return [`S:${partition.S}`, sort ? `S:${sort.S}` : ''];
}

/** By this, a table is divided for scans in parallel. */
function hashPrefix([partition]: Key): string {
  return createHash('md5')
    .update(`Outliers${partition.slice('S:'.length)}`)
    .digest('hex')
    .slice(0, 6);
}

function insertInOrder(statement: StatementSync, entries: readonly string[][]): void {
  const ordered = entries
    .map((entry) => ({ order: `${entry[0]}${entry[1]}`, entry }))
    .toSorted((one, other) => (one.order < other.order ? -1 : 1));
  for (const { entry } of ordered) statement.run(...entry);
}

function insertInto(database: DatabaseSync, table: string, columns: readonly string[]): StatementSync {
  return database.prepare(`INSERT INTO "${table}" (${columns.join()}) VALUES (${columns.map(() => '?').join()})`);
}

type Definition = {
  readonly IndexName: string;
  readonly KeySchema: readonly KeySchemaElement[];
  readonly Projection: Projection;
};

/** The table and its indexes, as the file describes them. */
function partsOf(database: DatabaseSync, tableName: string): { readonly table: Part; readonly indexes: Index[] } {
  const described = database
    .prepare('SELECT key_schema, attribute_definitions, gsi_definitions FROM _tables WHERE table_name = ?')
    .get(tableName);
  if (!described) throw new Error(`The database file has no table ${tableName}.`);
  const parse = (column: string) => JSON.parse(String(described[column] ?? '[]'));
  const types: readonly AttributeDefinition[] = parse('attribute_definitions');
  if (types.some(({ AttributeType }) => AttributeType !== 'S'))
    throw new Error(`${tableName} has keys that are no strings.`);
  const table = { sqlTable: tableName, keys: namesOf(parse('key_schema')) };
  const indexes = (parse('gsi_definitions') as readonly Definition[]).map(({ IndexName, KeySchema, Projection }) => {
    const keys = namesOf(KeySchema);
    const named = new Set([...table.keys, ...keys, ...(Projection.NonKeyAttributes ?? [])]);
    const attributes = Projection.ProjectionType === 'ALL' ? undefined : named;
    return { sqlTable: `${tableName}::gsi::${IndexName}`, keys, attributes };
  });
  return { table, indexes };
}

/** The names of a key's attributes, with that of the partition first. */
function namesOf(schema: readonly KeySchemaElement[]): string[] {
  const nameOf = (type: string) =>
    schema.filter(({ KeyType }) => KeyType === type).map(({ AttributeName = '' }) => AttributeName);
  return [...nameOf('HASH'), ...nameOf('RANGE')];
}
