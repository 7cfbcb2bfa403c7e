import { describe, expect, test } from 'vitest';
import { stageNames } from '#infra/settings/stages.ts';
import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import { participantSortFields, roomSessionSortFields, roomSortFields } from '#shared/contracts/insights/insights.ts';
import {
  attributeNames,
  envNames,
  indexNames,
  minuteSums,
  participantPartitions,
  queueNames,
  samplesByTime,
  sortAttributeName,
  sortIndexName,
  tableNames,
} from '#shared/runtime/names.ts';
import { at, listOf, type Resource, refersTo, stackOf, statementsOfRole } from '../support/infra/templates.ts';

/** DynamoDB's quota of global secondary indexes for a table. */
const maxIndexes = 20;

type Sorted = {
  readonly fields: readonly string[];
  readonly readsTable?: boolean;
  readonly isDueByTime?: boolean;
  readonly isSampledByTime?: boolean;
  readonly partitions: readonly [key: string, prefix?: string][];
};

/** The sort fields of the contract and the partitions of each insights table. */
const sorted: readonly (Sorted & { readonly table: string; readonly lister: string })[] = [
  {
    table: 'RoomsTable',
    lister: 'list-room-insights',
    fields: roomSortFields,
    partitions: [[attributeNames.organizationShard]],
  },
  {
    table: 'RoomSessionsTable',
    lister: 'list-room-session-insights',
    fields: roomSessionSortFields,
    isDueByTime: true, // open sessions, which close-idle-sessions closes
    partitions: [[attributeNames.organizationRoom]],
  },
  {
    table: 'ParticipantsTable',
    lister: 'list-participants',
    fields: participantSortFields,
    readsTable: true, // the sorted lists of sessions
    partitions: participantPartitions.map((name) => [name, name]),
  },
  // Facts are read by their key, and samples by their time.
  {
    table: 'InsightFactsTable',
    lister: 'get-participant',
    fields: [],
    readsTable: true,
    isSampledByTime: true,
    partitions: [],
  },
  // Usage is sorted by its key.
  { table: 'UsageDaysTable', lister: 'list-usage', fields: [], readsTable: true, partitions: [] },
];

const indexesOf = ({ fields, partitions }: Sorted) =>
  partitions.flatMap(([key, prefix]) => fields.map((field) => ({ name: sortIndexName(field, prefix), key, field })));

describe.each(stageNames)('the insights of %s', (stage) => {
  const stack = stackOf(stage);
  const one = (type: string, path: string): Resource => {
    const [found, ...more] = stack.all(type).filter((resource) => resource.path.includes(`/${path}/`));
    if (!found || more.length > 0) throw new Error(`Expected exactly one ${path}.`);
    return found;
  };

  describe.each(sorted)('in $table', ({ table, lister, ...order }) => {
    const { id, properties } = one('AWS::DynamoDB::Table', table);
    const indexes = listOf(properties.GlobalSecondaryIndexes);

    test('have an index for each sort field of the contract, with little more than keys, one for sessions that are due, and no others', () => {
      expect(indexes).toEqual(
        expect.arrayContaining(
          indexesOf(order).map(({ name, key, field }) => ({
            IndexName: name,
            KeySchema: [
              { AttributeName: key, KeyType: 'HASH' },
              { AttributeName: sortAttributeName(field), KeyType: 'RANGE' },
            ],
            // Rooms are also filtered by the time of their creation, in every order.
            Projection:
              table === 'RoomsTable' && field !== 'createdAt'
                ? { ProjectionType: 'INCLUDE', NonKeyAttributes: ['createdAtSort'] }
                : { ProjectionType: 'KEYS_ONLY' },
          })),
        ),
      );
      const others = [
        ...(order.isDueByTime ? [indexNames.byDueAt] : []),
        ...(order.isSampledByTime ? [samplesByTime] : []),
      ];
      const names = [...indexesOf(order).map(({ name }) => name), ...others];
      expect(indexes.map((index) => at(index, 'IndexName')).sort()).toEqual(names.sort());
    });

    test('are listed through those indexes by their function', () => {
      const { properties: lambda } = one('AWS::Lambda::Function', lister);
      const queried = statementsOfRole(stack, stack.referred(lambda.Role, 'AWS::IAM::Role'))
        .filter(({ actions }) => actions.includes('dynamodb:Query'))
        .flatMap(({ resources }) => resources.filter((resource) => refersTo(resource, id)))
        .map((resource) => String(at(resource, 'Fn::Join', 1, 1) ?? ''));
      const names = indexesOf(order).map(({ name }) => `/index/${name}`);
      expect(queried.sort()).toEqual([...(order.readsTable ? [''] : []), ...names].sort());
    });
  });

  test('have an index of samples by time with little more than keys, which get-session-network reads alone', () => {
    const { id, properties } = one('AWS::DynamoDB::Table', 'InsightFactsTable');
    expect(listOf(properties.GlobalSecondaryIndexes)).toEqual([
      {
        IndexName: samplesByTime,
        KeySchema: [
          { AttributeName: attributeNames.factOwner, KeyType: 'HASH' },
          { AttributeName: attributeNames.spanKey, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [minuteSums] },
      },
    ]);
    const { properties: lambda } = one('AWS::Lambda::Function', 'get-session-network');
    const queried = statementsOfRole(stack, stack.referred(lambda.Role, 'AWS::IAM::Role'))
      .filter(({ actions }) => actions.includes('dynamodb:Query'))
      .flatMap(({ resources }) => resources.filter((resource) => refersTo(resource, id)))
      .map((resource) => at(resource, 'Fn::Join', 1, 1));
    expect(queried).toEqual([`/index/${samplesByTime}`]);
  });

  test.each(Object.values(insightEndpoints))(
    'have a route $path that requires a token',
    ({ method, path, operationId }) => {
      const [route] = stack
        .all('AWS::ApiGatewayV2::Route')
        .filter(({ properties }) => properties.RouteKey === `${method} ${path}`);
      expect(route?.properties.AuthorizationType).toBe('CUSTOM');
      const integration = stack.referred(route?.properties.Target, 'AWS::ApiGatewayV2::Integration');
      const { path: place } = stack.called(integration.properties.IntegrationUri);
      expect(place).toContain(`/${operationId}/`);
    },
  );

  test('receive samples through their own queue, with the worker that stores them', () => {
    const queue = one('AWS::SQS::Queue', 'networkSamplesQueue/Queue');
    const [mapping, ...more] = stack
      .all('AWS::Lambda::EventSourceMapping')
      .filter(({ properties }) => refersTo(properties.EventSourceArn, queue.id));
    expect(more).toEqual([]);
    const worker = stack.called(mapping?.properties.FunctionName);
    expect(worker.path).toContain('/record-network-samples/');
    const url = at(worker.properties.Environment, 'Variables', envNames.networkSamplesQueue);
    expect(refersTo(url, queue.id)).toBe(true);
  });
});

describe.each(stageNames)('the stack of %s', (stage) => {
  const stack = stackOf(stage);

  test('has at most 20 indexes for each table, without duplicates', () => {
    for (const { properties } of stack.all('AWS::DynamoDB::Table')) {
      const names = listOf(properties.GlobalSecondaryIndexes).map((index) => at(index, 'IndexName'));
      expect(names.length).toBeLessThanOrEqual(maxIndexes);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  test('has outputs for its queues, dead-letter queues and tables', () => {
    const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
    const queueOf = (output: string) =>
      stack.referred(at(stack.outputs[output], 'Value'), 'AWS::SQS::Queue').path.split('/').slice(1, -1).join('/');
    for (const name of queueNames) {
      expect(queueOf(`${capitalized(name)}QueueUrl`)).toBe(`${name}Queue/Queue`);
      expect(queueOf(`${capitalized(name)}DeadLetterQueueUrl`)).toBe(`${name}Queue/DeadLetterQueue`);
    }
    for (const name of tableNames) {
      const table = at(stack.outputs[`${capitalized(name)}TableName`], 'Value');
      expect(stack.referred(table, 'AWS::DynamoDB::Table').path).toContain(`/${capitalized(name)}Table/`);
    }
  });
});
