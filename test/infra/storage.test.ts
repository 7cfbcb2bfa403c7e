import { describe, expect, test } from 'vitest';
import { stageConfig, stageNames } from '#infra/settings/stages.ts';
import { transcriptionFilters, transcriptionSortFields } from '#shared/contracts/transcriptions/transcription.ts';
import { attributeNames, indexNames } from '#shared/runtime/names.ts';
import { listKey } from '#shared/storage/transcriptions/list-key.ts';
import {
  at,
  listOf,
  type Resource,
  refersTo,
  stackOf,
  statementsOf,
  statementsOfRole,
} from '../support/infra/templates.ts';
import { organizationId } from '../support/operations/records.ts';

/** Attributes with values that start with an organization's ID: see test/unit/storage/transcriptions/keys and insights/keys. */
const ofOrganizations: readonly unknown[] = [
  attributeNames.organizationId,
  attributeNames.organizationRoom,
  attributeNames.organizationShard,
  attributeNames.organizationState,
  attributeNames.organizationType,
  attributeNames.organizationRecording,
  attributeNames.organizationSession,
  attributeNames.organizationExternalId,
  attributeNames.organizationSessionExternalId,
  attributeNames.factOwner,
  attributeNames.organizationWebhook,
];

type KeySchema = { readonly KeySchema?: unknown };

const keySchema = (partitionKey: string, sortKey: string) => [
  { AttributeName: partitionKey, KeyType: 'HASH' },
  { AttributeName: sortKey, KeyType: 'RANGE' },
];

describe.each(stageNames)('the tables of %s', (stage) => {
  const stack = stackOf(stage);
  const tables = stack.all('AWS::DynamoDB::Table');

  test('are billed on demand, have point-in-time recovery and expire rows', () => {
    for (const { properties } of tables) {
      expect(properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        TimeToLiveSpecification: { AttributeName: attributeNames.expiresAt, Enabled: true },
      });
    }
  });

  test('have the organization first in every key, except for files of recordings, links, connections of platforms and in the indexes of what is due', () => {
    for (const { path, properties } of tables) {
      const own = [
        ...(path.includes('/RecordingFilesTable/') ? [attributeNames.fileLocation] : []),
        ...(path.includes('/AccessLinksTable/') ? [attributeNames.tokenHash] : []),
        ...(path.includes('/ConnectionsTable/') ? [attributeNames.connectionId] : []),
      ];
      expect(own.length > 0 ? own : ofOrganizations).toContain(at(properties.KeySchema, 0, 'AttributeName'));
      for (const index of listOf(properties.GlobalSecondaryIndexes)) {
        const isOfDue = at(index, 'IndexName') === indexNames.byDueAt;
        expect(isOfDue ? [attributeNames.dueShard] : ofOrganizations).toContain(
          at(index, 'KeySchema', 0, 'AttributeName'),
        );
      }
    }
  });

  test('have a partition key and a sort key, both text. A file, a link, a room and a connection are partitions of their own, without a sort key', () => {
    for (const { path, properties } of tables) {
      for (const definition of listOf(properties.AttributeDefinitions))
        expect(at(definition, 'AttributeType')).toBe('S');
      const typesOf = ({ KeySchema }: KeySchema) => listOf(KeySchema).map((key) => at(key, 'KeyType'));
      expect(typesOf(properties)).toEqual(
        /\/(RecordingFiles|AccessLinks|Rooms|Connections)Table\//.test(path) ? ['HASH'] : ['HASH', 'RANGE'],
      );
      for (const index of listOf(properties.GlobalSecondaryIndexes) as KeySchema[])
        expect(typesOf(index)).toEqual(['HASH', 'RANGE']);
    }
  });

  test('and the buckets are retained and protected in prod, and deleted with the stack in other stages', () => {
    const expected = stage === 'prod' ? 'Retain' : 'Delete';
    for (const { deletionPolicy, updateReplacePolicy } of [...tables, ...stack.all('AWS::S3::Bucket')]) {
      expect([deletionPolicy, updateReplacePolicy]).toEqual([expected, expected]);
    }
    for (const { properties } of tables) expect(properties.DeletionProtectionEnabled === true).toBe(stage === 'prod');
  });
});

describe.each(stageNames)('the stream of %s', (stage) => {
  const stack = stackOf(stage);

  test('is of the notices alone, and has the items that are written', () => {
    const streamed = stack
      .all('AWS::DynamoDB::Table')
      .filter(({ properties }) => properties.StreamSpecification !== undefined);
    expect(streamed.map(({ path }) => path.split('/').at(1))).toEqual(['NoticesTable']);
    expect(streamed[0]?.properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_IMAGE' });
  });
});

describe.each(stageNames)('the secret of %s, from which those of webhooks are derived,', (stage) => {
  const secrets = stackOf(stage).all('AWS::SecretsManager::Secret');

  // CloudFormation makes a new value if one of these changes, and then no signature is valid any more.
  test('is the only one, and always has the same id and the same rule for its value', () => {
    expect(secrets.map(({ id, properties }) => [id, properties.GenerateSecretString])).toEqual([
      ['WebhookSigning5B1BF192', { ExcludePunctuation: true, PasswordLength: 64 }],
    ]);
    for (const { properties } of secrets) expect(properties).not.toHaveProperty('Name'); // a deleted name is taken for weeks
  });

  test('remains in prod if it is removed or replaced, and is deleted with the stack in other stages', () => {
    const expected = stage === 'prod' ? 'Retain' : 'Delete';
    for (const { deletionPolicy, updateReplacePolicy } of secrets)
      expect([deletionPolicy, updateReplacePolicy]).toEqual([expected, expected]);
  });
});

describe.each(stageNames)('the owners of the files of recordings in %s', (stage) => {
  const stack = stackOf(stage);

  test('are written by one function, with conditional updates only, and read by none', () => {
    const [table] = stack.all('AWS::DynamoDB::Table').filter(({ path }) => path.includes('/RecordingFilesTable/'));
    if (!table) throw new Error('There is no table of the files of recordings.');
    const granted = stack.all('AWS::IAM::Role').flatMap((role) =>
      statementsOfRole(stack, role)
        .filter(({ resources }) => resources.some((resource) => refersTo(resource, table.id)))
        .map(({ actions }) => [role.path.split('/').find((part) => part === 'record-room-events'), actions]),
    );
    expect(granted).toEqual([['record-room-events', ['dynamodb:UpdateItem']]]);
  });
});

describe.each(stageNames)('the buckets of %s', (stage) => {
  const stack = stackOf(stage);
  const buckets = stack.all('AWS::S3::Bucket');
  const [accessLogs] = buckets.filter(({ path }) => path.includes('/AccessLogsBucket/'));
  if (!accessLogs) throw new Error('There is no bucket for access logs.');

  test('block public access', () => {
    for (const { properties } of buckets) {
      expect(properties.PublicAccessBlockConfiguration).toEqual({
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      });
      expect(properties.OwnershipControls).toEqual({ Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] });
    }
  });

  test('are encrypted and abort unfinished uploads after a day', () => {
    for (const { properties } of buckets) {
      const rules = listOf(at(properties.BucketEncryption, 'ServerSideEncryptionConfiguration'));
      expect(rules.map((rule) => at(rule, 'ServerSideEncryptionByDefault', 'SSEAlgorithm'))).toEqual([
        expect.stringMatching(/^(AES256|aws:kms)$/),
      ]);
      expect(listOf(at(properties.LifecycleConfiguration, 'Rules'))).toContainEqual(
        expect.objectContaining({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' }),
      );
    }
  });

  test('accept only TLS connections', () => {
    for (const { id } of buckets) {
      const statements = stack
        .all('AWS::S3::BucketPolicy')
        .filter(({ properties }) => refersTo(properties.Bucket, id))
        .flatMap(({ properties }) => statementsOf(properties.PolicyDocument));
      const denied = statements.filter(({ effect, condition }) => {
        const isPlainHttp = at(condition, 'Bool', 'aws:SecureTransport') === 'false';
        return effect === 'Deny' && isPlainHttp;
      });
      expect(
        statements.filter(
          ({ effect, condition }) => effect === 'Deny' && at(condition, 'NumericLessThan', 's3:TlsVersion') === 1.2,
        ),
      ).toHaveLength(1);
      expect(denied).toHaveLength(1);
      expect(denied[0]).toMatchObject({ actions: ['s3:*'], principal: { AWS: '*' } });
      expect(denied[0]?.resources).toHaveLength(2); // the bucket and its objects
    }
  });

  test("allow only the service's roles, S3 log delivery, and the function that empties them", () => {
    for (const { properties } of stack.all('AWS::S3::BucketPolicy')) {
      const bucket = stack.referred(properties.Bucket, 'AWS::S3::Bucket');
      const allowed = statementsOf(properties.PolicyDocument).filter(({ effect }) => effect !== 'Deny');
      const others = allowed.filter(({ principal }) => !stack.helpers.some(({ id }) => refersTo(principal, id)));
      if (bucket.id !== accessLogs.id) expect(others).toEqual([]);
      else {
        expect(others).toMatchObject([
          { actions: ['s3:PutObject'], principal: { Service: 'logging.s3.amazonaws.com' } },
        ]);
        expect(stack.referred(others[0]?.condition, 'AWS::S3::Bucket').path).toContain('/RecordingsBucket/');
        expect(at(others[0]?.condition, 'StringEquals')).toEqual({ 'aws:SourceAccount': { Ref: 'AWS::AccountId' } });
      }
    }
  });

  test('log requests, except for the transcripts bucket, whose log would contain the signatures of links', () => {
    for (const { id, path, properties } of buckets) {
      if (id === accessLogs.id || path.includes('/TranscriptsBucket/')) {
        expect(properties).not.toHaveProperty('LoggingConfiguration');
      } else expect(refersTo(at(properties.LoggingConfiguration, 'DestinationBucketName'), accessLogs.id)).toBe(true);
    }
  });

  test('keep old versions of recordings for a week, and of no other file', () => {
    for (const { path, properties } of buckets) {
      const rules = listOf(at(properties.LifecycleConfiguration, 'Rules'));
      const ofOldVersions = rules.filter((rule) => at(rule, 'NoncurrentVersionExpiration') !== undefined);
      if (path.includes('/RecordingsBucket/')) {
        expect(properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
        expect(ofOldVersions).toEqual([
          {
            ExpiredObjectDeleteMarker: true,
            NoncurrentVersionExpiration: { NoncurrentDays: 7 },
            Status: 'Enabled',
          },
        ]);
      } else {
        expect(properties).not.toHaveProperty('VersioningConfiguration');
        expect(ofOldVersions).toEqual([]);
      }
    }
  });

  test('expire intermediate files after two weeks and webhooks after one, and no other file of the service', () => {
    for (const { path, properties } of buckets.filter((bucket) => bucket !== accessLogs)) {
      const rules = listOf(at(properties.LifecycleConfiguration, 'Rules'));
      const expiring = rules.filter((rule) => at(rule, 'ExpirationInDays') !== undefined);
      const expected = [
        { ExpirationInDays: 14, Prefix: 'work/', Status: 'Enabled' },
        { ExpirationInDays: 7, Prefix: 'hooks/', Status: 'Enabled' },
      ];
      expect([path, ...expiring]).toEqual([path, ...(path.includes('/TranscriptsBucket/') ? expected : [])]);
    }
  });

  test('expire the access log like other logs', () => {
    const { logRetention } = stageConfig(stage, () => undefined);
    const kept = listOf(at(accessLogs.properties.LifecycleConfiguration, 'Rules'));
    expect(kept).toContainEqual({ ExpirationInDays: logRetention, Status: 'Enabled' });
  });

  test('are emptied and deleted with the stack in stages that keep no data', () => {
    const emptied = stack.helpers.filter(({ type }) => type === 'Custom::S3AutoDeleteObjects');
    const expected = stage === 'prod' ? [] : buckets.map(({ id }) => id);
    expect(emptied.map(({ properties }) => at(properties.BucketName, 'Ref')).sort()).toEqual([...expected].sort());
    for (const { deletionPolicy } of emptied) expect(deletionPolicy).toBe('Delete');
    if (stage === 'prod') expect(stack.helpers).toEqual([]);
  });

  test('are emptied by a function whose log group is deleted with the stack', () => {
    for (const { properties } of stack.helpers.filter(({ type }) => type === 'AWS::Lambda::Function')) {
      const group = stack.referred(at(properties.LoggingConfig, 'LogGroup'), 'AWS::Logs::LogGroup');
      expect(group.path).toContain('/BucketEmptierLogs/');
      expect(group.deletionPolicy).toBe('Delete');
    }
    expect(stack.helpers.some(({ type }) => type === 'AWS::Lambda::Function')).toBe(stage !== 'prod');
  });
});

describe('the indexes of the transcriptions', () => {
  const stack = stackOf('prod');
  const [table] = stack.all('AWS::DynamoDB::Table').filter(({ path }) => path.includes('TranscriptionsTable'));
  if (!table) throw new Error('There is no transcriptions table.');
  const indexes = new Map(
    listOf(table.properties.GlobalSecondaryIndexes).map((index) => [at(index, 'IndexName'), index] as const),
  );
  const lists = [
    ...transcriptionSortFields.map((field) => ({ field, filter: 'none', ...listKey(organizationId(), field) })),
    ...transcriptionFilters.flatMap((filter) => {
      const fields = filter === 'roomName' ? transcriptionSortFields : (['startDate'] as const);
      return fields.map((field) => ({ field, filter, ...listKey(organizationId(), field, [filter, 'x']) }));
    }),
  ];
  const queriesOf = (name: string) => {
    const [one] = stack.all('AWS::Lambda::Function').filter(({ path }) => path.includes(`/${name}/`));
    const role: Resource = stack.referred(one?.properties.Role, 'AWS::IAM::Role');
    return statementsOfRole(stack, role)
      .filter(({ actions }) => actions.includes('dynamodb:Query'))
      .flatMap(({ resources }) =>
        resources.flatMap((resource) => {
          const suffix = at(resource, 'Fn::Join', 1, 1); // none if the table itself is queried
          return suffix === undefined ? [] : [String(suffix).replace('/index/', '')];
        }),
      )
      .sort();
  };

  test.each(lists)('serve a list by $field with filter $filter in one query', ({ index, partition, sortKey }) => {
    expect(indexes.get(index)).toMatchObject({
      KeySchema: keySchema(partition[0], sortKey),
      Projection: { ProjectionType: 'ALL' },
    });
  });

  test('serve due transcriptions in one query for each shard', () => {
    expect(indexes.get(indexNames.byDueAt)).toMatchObject({
      KeySchema: keySchema(attributeNames.dueShard, attributeNames.dueAt),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    });
  });

  test('have no index other than those for lists and due transcriptions', () => {
    expect([...indexes.keys()].sort()).toEqual(
      [...new Set([...lists.map(({ index }) => index), indexNames.byDueAt])].sort(),
    );
  });

  test('are each available only to the functions that query them', () => {
    expect(queriesOf('list-transcriptions')).toEqual([...new Set(lists.map(({ index }) => index))].sort());
    expect(queriesOf('reconcile-transcriptions')).toEqual([indexNames.byDueAt]);
  });
});
