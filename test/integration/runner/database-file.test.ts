import { rm } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import getPort from 'get-port';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { toRoomRow, toSessionRow } from '#shared/storage/insights/rows.ts';
import { startDynamoDb } from '#tools/local/services/dynamodb/dynamodb-process.ts';
import { createTables } from '#tools/local/services/dynamodb/tables.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { openDatabaseFile } from '../../bench/database-file.ts';
import { makeDataFolder } from '../../support/data-folder.ts';
import { storedRoom, storedSession, writeRows } from '../../support/insights/stored-rooms.ts';
import { dynamodb, endpoints } from '../../support/machine.ts';
import { capacityMeter } from '../../support/storage/capacity-meter.ts';

type Made = (index: number) => Record<string, unknown>;

const organizationId = OrganizationId.parse('made-directly');
const room = { organizationId, roomName: '/"größte"\\Räume 😀' };
const count = 200;
const madeRooms: Made = (index) =>
  // The last room is shown by no list.
  toRoomRow({
    ...storedRoom(organizationId, index),
    ...(index === 0 && room),
    ...(index === count - 1 && { createdAt: null, firstSessionStartedAt: null }),
  });
const madeSessions: Made = (index) => toSessionRow(storedSession(room, index));

/** An empty table like that of the shared runner, in a new database file. */
async function emptyTable(name: 'rooms' | 'roomSessions') {
  const folder = await makeDataFolder('database-file-');
  onTestFinished(() => rm(folder, { recursive: true }));
  const { Table = {} } = await dynamodb.send(new DescribeTableCommand({ TableName: endpoints.tables[name] }));
  const { AttributeDefinitions = [], KeySchema = [], GlobalSecondaryIndexes = [] } = Table;
  const properties = { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } as never; // as the template has them
  const whileRunning = async (work: (url: string) => Promise<void>) => {
    const { url, stop } = await startDynamoDb(folder, await getPort());
    await work(url).finally(stop);
  };
  await whileRunning((url) => createTables(url, [{ logicalId: name, name, properties }], { fresh: false }));
  return { file: path.join(folder, 'dynamodb.db'), whileRunning };
}

/** The SQL tables of a table and of its indexes with all their rows, and the attributes of each item in any order. */
function contentOf(file: string, table: string) {
  const database = new DatabaseSync(file, { readOnly: true });
  const named = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ? || '*'");
  const content = named.all(table).map(({ name }) => {
    const rows = database.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2, 3, 4`).all();
    return [name, rows.map(({ item_json, ...row }) => ({ ...row, item: JSON.parse(String(item_json)) }))];
  });
  database.close();
  return Object.fromEntries(content);
}

describe('rows written into the database file', () => {
  it.each([
    ['rooms', madeRooms],
    ['roomSessions', madeSessions],
  ] as const)('are those that DynamoDB writes: %s', async (name, make) => {
    const [direct, real] = [await emptyTable(name), await emptyTable(name)];
    const database = openDatabaseFile(direct.file);
    database.fill(name, { count, make });
    database.close();

    await real.whileRunning((url) => writeRows(capacityMeter(clientSettings(url)).documents, name, { count, make }));

    const written = contentOf(real.file, name);
    expect(written[name]).toHaveLength(count);
    expect(contentOf(direct.file, name)).toEqual(written);
  });
});
