import { describe, expect, test } from 'vitest';
import { hindrances, releasedTables, type Tables } from '#infra/released-tables.ts';
import { stageNames } from '#infra/stages.ts';
import { entityTables } from '#infra/tables.ts';
import { attributeNames, indexNames } from '#shared/names.ts';
import { at, listOf, stackOf } from '../support/templates.ts';

const index = (name: string, projection: 'all' | 'keys' = 'keys') =>
  ({ name, partitionKey: attributeNames.organizationId, sortKey: 'rating', projection }) as const;
const rooms = (...indexes: ReturnType<typeof index>[]): Tables => ({
  rooms: { partitionKey: attributeNames.organizationId, sortKey: attributeNames.roomName, indexes },
});

test('the tables can be deployed over those of the last release, in one deployment', () => {
  expect(hindrances(releasedTables(), entityTables)).toEqual([]);
});

test.each(stageNames)('the tables of %s are those that a release records', (stage) => {
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

describe('over a released table', () => {
  const released = rooms(index('by-rating'), index(indexNames.byStartDate));

  test.each<[string, Tables]>([
    ['nothing changes', released],
    ['the order of the indexes does', rooms(index(indexNames.byStartDate), index('by-rating'))],
    ['one index is made', rooms(index('by-rating'), index(indexNames.byStartDate), index('by-end'))],
    ['one index is deleted', rooms(index('by-rating'))],
    ['a table is new', { ...released, lobbies: { ...entityTables.transcriptions } }],
  ])('one deployment does where %s', (_, current) => {
    expect(hindrances(released, current)).toEqual([]);
  });

  test.each<[string, Tables, RegExp]>([
    ['two indexes are made', rooms(...['by-rating', indexNames.byStartDate, 'a', 'b'].map((name) => index(name))), /2/],
    ['one is deleted and one made', rooms(index('by-rating'), index('by-end')), /delete by-start-date, make by-end/],
    [
      'one changes',
      rooms(index('by-rating', 'all'), index(indexNames.byStartDate)),
      /delete by-rating, make by-rating/,
    ],
    ['the keys change', { rooms: { ...released.rooms, partitionKey: 'other', sortKey: 'key' } }, /other keys/],
    ['the table is gone', {}, /rooms was released and is gone/],
  ])('one deployment does not where %s', (_, current, reason) => {
    expect(hindrances(released, current)).toEqual([expect.stringMatching(reason)]);
  });
});
