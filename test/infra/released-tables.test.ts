import { describe, expect, test } from 'vitest';
import { stageNames } from '#infra/settings/stages.ts';
import { hindrances, releasedTables, type Tables } from '#infra/storage/released-tables.ts';
import { entityTables } from '#infra/storage/tables.ts';
import { attributeNames, indexNames } from '#shared/runtime/names.ts';
import { at, listOf, stackOf } from '../support/infra/templates.ts';

const index = (name: string, projection: 'all' | 'keys' = 'keys') =>
  ({ name, partitionKey: attributeNames.organizationId, sortKey: 'rating', projection }) as const;
const rooms = (...indexes: ReturnType<typeof index>[]): Tables => ({
  rooms: { partitionKey: attributeNames.organizationId, sortKey: attributeNames.roomName, indexes },
});

test('the current tables can be deployed over those of the last release in one deployment', () => {
  expect(hindrances(releasedTables(), entityTables)).toEqual([]);
});

test.each(stageNames)('the tables in the stack of %s match those that a release records', (stage) => {
  const made = stackOf(stage)
    .all('AWS::DynamoDB::Table')
    .map(({ path, properties }) => ({
      name: path.split('/')[1],
      indexes: listOf(properties.GlobalSecondaryIndexes).map((each) => at(each, 'IndexName')),
    }));
  const recorded = Object.entries(entityTables).map(([name, { indexes = [] }]) => ({
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}Table`,
    indexes: indexes.map((each) => each.name),
  }));
  expect(made).toEqual(expect.arrayContaining(recorded));
  expect(made).toHaveLength(recorded.length);
});

describe('hindrances, compared with a released table,', () => {
  const released = rooms(index('by-rating'), index(indexNames.byStartDate));

  test.each<[string, Tables]>([
    ['nothing changes', released],
    ['only the order of the indexes changes', rooms(index(indexNames.byStartDate), index('by-rating'))],
    ['one index is created', rooms(index('by-rating'), index(indexNames.byStartDate), index('by-end'))],
    ['one index is deleted', rooms(index('by-rating'))],
    ['a table is new', { ...released, lobbies: { ...entityTables.transcriptions } }],
  ])('is empty if %s', (_, current) => {
    expect(hindrances(released, current)).toEqual([]);
  });

  test.each<[string, Tables, RegExp]>([
    [
      'two indexes are created',
      rooms(...['by-rating', indexNames.byStartDate, 'a', 'b'].map((name) => index(name))),
      /2/,
    ],
    [
      'one index is deleted and one is created',
      rooms(index('by-rating'), index('by-end')),
      /delete by-start-date, make by-end/,
    ],
    [
      'one index changes',
      rooms(index('by-rating', 'all'), index(indexNames.byStartDate)),
      /delete by-rating, make by-rating/,
    ],
    ['the keys change', { rooms: { ...released.rooms, partitionKey: 'other', sortKey: 'key' } }, /other keys/],
    ['the table no longer exists', {}, /rooms was released and is gone/],
  ])('has a reason if %s', (_, current, reason) => {
    expect(hindrances(released, current)).toEqual([expect.stringMatching(reason)]);
  });
});
