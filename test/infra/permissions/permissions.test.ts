import { describe, expect, test } from 'vitest';
import { functionAccess } from '#infra/functions/function-access.ts';
import { stageNames } from '#infra/settings/stages.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import {
  foldersOfOrganization,
  jobOutputKey,
  partMediaKey,
  partOutputKey,
} from '#shared/domain/transcriptions/transcript-location.ts';
import { transcriptPrefixes } from '#shared/runtime/names.ts';
import {
  at,
  everySetting,
  listOf,
  type Resource,
  refersTo,
  stackOf,
  statementsOf,
  statementsOfRole,
} from '../../support/infra/templates.ts';

const stack = stackOf('prod');
const targetTypes = [
  ...['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::SQS::Queue', 'AWS::IAM::Role'],
  ...['AWS::Events::EventBus', 'AWS::SecretsManager::Secret'],
];

/** A short name: the folder of a function, or the construct of another resource. */
const shortName = ({ path }: Resource) =>
  path
    .split('/')
    .slice(1)
    .filter((part) => !/^(Api\w+|Workers?|Function|Resource|Queue|Table|Bucket)$/.test(part))
    .join('/');

function placeOf(resource: unknown): string {
  const target = stack.resources.find(({ id, type }) => targetTypes.includes(type) && refersTo(resource, id));
  const rest = (at(resource, 'Fn::Join', 1) as readonly unknown[] | undefined)?.at(-1);
  const suffix = typeof rest === 'string' ? rest : at(resource, 'Fn::GetAtt', 1) === 'StreamArn' ? '/stream' : '';
  return `${target ? shortName(target) : ''}${suffix}` || JSON.stringify(resource);
}

/** The permissions of each role, without logging. A change here changes what a compromised function can do. */
function allowed(): Record<string, string[]> {
  const functions = stack
    .all('AWS::Lambda::Function')
    .map((one): [string, Resource] => [shortName(one), stack.referred(one.properties.Role, 'AWS::IAM::Role')]);
  const ofFunctions = new Set(functions.map(([, role]) => role.id));
  const others = stack
    .all('AWS::IAM::Role')
    .filter(({ id, path }) => !ofFunctions.has(id) && !path.includes('/Canary/')) // rollout.test.ts covers these roles
    .map((role): [string, Resource] => [shortName(role), role]);
  return Object.fromEntries(
    [...functions, ...others].map(([name, role]) => [
      name,
      statementsOfRole(stack, role)
        .flatMap(({ actions, resources }) =>
          resources.flatMap((resource) => actions.map((action) => `${action} on ${placeOf(resource)}`)),
        )
        .filter((line) => !line.startsWith('logs:'))
        .sort(),
    ]),
  );
}

test('each role has exactly the recorded permissions', () => {
  expect(allowed()).toMatchSnapshot();
});

/** The allowed wildcards. They stand for names that exist only at run time. Policies must name all other resources. */
const wildcards: readonly RegExp[] = [
  /^(Recordings|AccessLogs)Bucket\/\*$/,
  /^TranscriptsBucket\/(generated|live|work|hooks)\/\*$/,
  /^:secret:Roomscribe-\w+\/connections\/\*$/,
  /^:transcription-job\/Roomscribe-\w+\.\*$/,
];

/** Actions that need "*" as their resource, because they create or list resources or accept no resource. */
const nameless = [
  'transcribe:StartTranscriptionJob',
  'cloudwatch:DescribeAlarms',
  'dynamodb:ListStreams',
  'xray:PutTraceSegments,xray:PutTelemetryRecords',
];
const stacks = [...stageNames.map((stage) => ({ stage, config: {} })), { stage: 'prod', config: everySetting }];

describe.each(stacks)('the policies of $stage with tracing $config.tracing', ({ stage, config }) => {
  const ofStage = stackOf(stage, { config });
  const allowing = ofStage.resources
    .flatMap(({ path, properties }) =>
      [properties.PolicyDocument, ...listOf(properties.Policies).map((policy) => at(policy, 'PolicyDocument'))].flatMap(
        (document) => statementsOf(document).map((statement) => ({ path, ...statement })),
      ),
    )
    .filter(
      ({ effect, principal }) => effect === 'Allow' && !ofStage.helpers.some(({ id }) => refersTo(principal, id)),
    );

  test('name each action', () => {
    expect(allowing.length).toBeGreaterThan(20);
    for (const { path, actions } of allowing)
      expect([path, ...actions.filter((action) => !/^[a-z0-9]+:[A-Za-z]+$/.test(String(action)))]).toEqual([path]);
  });

  test('name each resource that has a name', () => {
    for (const { path, actions, resources } of allowing) {
      const wild = resources.filter((resource) => JSON.stringify(resource).includes('*')).map(placeOf);
      const unnamed = wild.filter((place) => !wildcards.some((wildcard) => wildcard.test(place)));
      const takesNoResource = nameless.includes(String(actions));
      expect([path, ...unnamed]).toEqual(takesNoResource ? [path, '"*"'] : [path]);
    }
  });
});

test('no allow statement has a wildcard principal', () => {
  for (const { properties } of stack.resources) {
    for (const document of [properties.PolicyDocument, properties.AssumeRolePolicyDocument]) {
      for (const { effect, principal } of statementsOf(document)) {
        if (effect === 'Allow') expect(JSON.stringify(principal ?? '')).not.toMatch(/"\*"/);
      }
    }
  }
});

const roleOf = (name: string) =>
  stack.referred(
    stack.all('AWS::Lambda::Function').find((one) => shortName(one) === name)?.properties.Role,
    'AWS::IAM::Role',
  );

test('the role that signs links can only read transcripts, and only the functions that sign may assume it', () => {
  const [role, ...more] = stack.all('AWS::IAM::Role').filter(({ path }) => path.includes('TranscriptLinkRole'));
  if (!role || more.length > 0) throw new Error('Expected exactly one role that signs links.');
  const statements = statementsOfRole(stack, role);
  expect(statements.map(({ actions }) => actions)).toEqual([['s3:GetObject']]);
  expect(statements[0]?.resources.map(placeOf)).toEqual(['TranscriptsBucket/generated/*', 'TranscriptsBucket/live/*']);

  const signers = [roleOf('create-access-link'), roleOf('follow-access-link')];
  const trusted = statementsOf(role.properties.AssumeRolePolicyDocument);
  expect(trusted.map(({ principal }) => JSON.stringify(principal)).sort()).toEqual(
    signers.map(({ id }) => JSON.stringify({ AWS: { 'Fn::GetAtt': [id, 'Arn'] } })).sort(),
  );
  for (const statement of trusted) expect(statement).toMatchObject({ effect: 'Allow', actions: ['sts:AssumeRole'] });
  const assuming = stack
    .all('AWS::IAM::Role')
    .filter((each) => statementsOfRole(stack, each).some(({ actions }) => actions.includes('sts:AssumeRole')));
  expect(assuming.map(({ id }) => id).sort()).toEqual(signers.map(({ id }) => id).sort());
});

test('no function may read recordings to link to them, unless the stage allows such links', () => {
  const rolesOf = (one: typeof stack) =>
    one.all('AWS::IAM::Role').filter(({ path }) => path.includes('RecordingLinkRole'));
  expect(rolesOf(stack)).toEqual([]);
  const ofSigner = allowed()['create-recording-link'] ?? [];
  expect(ofSigner.filter((line) => !line.startsWith('dynamodb:'))).toEqual([]);

  const linking = stackOf('prod', { config: { recordingLinks: true } });
  const [role, ...more] = rolesOf(linking);
  if (!role || more.length > 0) throw new Error('Expected exactly one role that signs links to recordings.');
  const granted = statementsOfRole(linking, role).map(({ actions, resources }) => [
    ...actions,
    ...resources.map(placeOf),
  ]);
  expect(granted).toEqual([
    ['s3:GetObject', 'RecordingsBucket/*'],
    ['s3:ListBucket', 'RecordingsBucket'],
  ]);
  const signer = linking.referred(
    linking.all('AWS::Lambda::Function').find((one) => shortName(one) === 'create-recording-link')?.properties.Role,
    'AWS::IAM::Role',
  );
  const trusted = statementsOf(role.properties.AssumeRolePolicyDocument);
  expect(trusted.map(({ principal }) => principal)).toEqual([{ AWS: { 'Fn::GetAtt': [signer.id, 'Arn'] } }]);
  const own = statementsOfRole(linking, signer).filter(({ actions }) => !String(actions[0]).startsWith('dynamodb:'));
  expect(own.flatMap(({ actions }) => actions).filter((action) => !String(action).startsWith('logs:'))).toEqual([
    'sts:AssumeRole',
  ]);
});

test('only the function that creates links may write them, and only the function that opens them may read one by its key', () => {
  const [table] = stack.all('AWS::DynamoDB::Table').filter(({ path }) => path.includes('/AccessLinksTable/'));
  const allowedOn = stack.all('AWS::IAM::Role').flatMap((role) =>
    statementsOfRole(stack, role)
      .filter(({ resources }) => table && resources.some((resource) => refersTo(resource, table.id)))
      .map(({ actions }) => [role.path.split('/').find((part) => part.endsWith('-access-link')), ...actions]),
  );
  expect(allowedOn.sort()).toEqual([
    ['create-access-link', 'dynamodb:PutItem'],
    ['follow-access-link', 'dynamodb:GetItem'],
  ]);
});

/** The statements of all functions, with the name of each function. */
const ofFunctions = stack.all('AWS::Lambda::Function').flatMap((one) => {
  const statements = statementsOfRole(stack, stack.referred(one.properties.Role, 'AWS::IAM::Role'));
  return statements.map((statement) => ({ name: shortName(one), ...statement }));
});
/** The functions that may do something, and where. */
const mayDo = (actions: RegExp) =>
  ofFunctions
    .filter((statement) => statement.actions.some((action) => actions.test(String(action))))
    .flatMap(({ name, resources }) => resources.map((resource) => [name, placeOf(resource)]))
    .sort();

test('one function puts events, on the bus of the stage alone, and no other account may', () => {
  expect(mayDo(/^events:/)).toEqual([['put-notice-events', 'NoticeBus']]);
  expect(ofFunctions.flatMap(({ actions }) => actions.filter((each) => String(each).startsWith('events:')))).toEqual([
    'events:PutEvents',
  ]);
  expect(stack.resources.filter(({ type }) => type === 'AWS::Events::EventBusPolicy')).toEqual([]);
});

test('one function reads the stream of notices', () => {
  expect(mayDo(/^dynamodb:(DescribeStream|GetRecords|GetShardIterator)$/)).toEqual([
    ['relay-notices', 'NoticesTable/stream'],
  ]);
  expect(mayDo(/^dynamodb:ListStreams$/)).toEqual([['relay-notices', '"*"']]);
});

/** Functions that sign calls of webhooks, or show the secret of a webhook once. */
const signers = ['create-webhook', 'deliver-notices', 'rotate-webhook-secret', 'test-webhook'];

test('only functions that sign calls of webhooks or create their secrets may read the secret of the stage, and none may change it', () => {
  const readers = ofFunctions.filter(({ resources }) => resources.map(placeOf).includes('WebhookSigning'));
  for (const { actions } of readers) expect(actions).toEqual(['secretsmanager:GetSecretValue']);
  expect(readers.map(({ name }) => name)).toContain('deliver-notices');
  expect(readers.filter(({ name }) => !signers.includes(name))).toEqual([]);
  expect(Object.entries(functionAccess).filter(([, access]) => access.derivesWebhookSecrets)).toHaveLength(
    readers.length,
  );
});

test('functions may read connections by their keys alone, only the receiver of webhooks may read their secrets, and none may change either', () => {
  const [table] = stack.all('AWS::DynamoDB::Table').filter(({ path }) => path.includes('/ConnectionsTable/'));
  const statements = stack.all('AWS::IAM::Role').flatMap((role) =>
    statementsOfRole(stack, role).map((statement) => ({
      name: role.path.split('/').find((part) => /^(receive-hook|translate-hooks)$/.test(part)) ?? role.path,
      ...statement,
    })),
  );
  const onTable = statements.filter(
    ({ resources }) => table && resources.some((resource) => refersTo(resource, table.id)),
  );
  expect(onTable.map(({ name, actions }) => [name, ...actions]).sort()).toEqual([
    ['receive-hook', 'dynamodb:GetItem'],
    ['translate-hooks', 'dynamodb:GetItem'],
  ]);
  const onSecrets = statements.filter(({ resources }) => JSON.stringify(resources).includes('/connections/'));
  expect(onSecrets.map(({ name, actions }) => [name, ...actions])).toEqual([
    ['receive-hook', 'secretsmanager:GetSecretValue'],
  ]);
});

test.each(['receive-hook', 'deliver-notices'])('%s may decrypt secrets with the key of the stage', (name) => {
  const withKey = stackOf('prod', { config: everySetting });
  const [one] = withKey.all('AWS::Lambda::Function').filter(({ path }) => path.includes(`/${name}/`));
  const [key] = withKey.all('AWS::KMS::Key').filter(({ path }) => path.includes('/EncryptionKey/'));
  const onKey = statementsOfRole(withKey, withKey.referred(one?.properties.Role, 'AWS::IAM::Role')).filter(
    ({ resources }) => key && resources.some((resource) => refersTo(resource, key.id)),
  );
  expect(onKey.flatMap(({ actions }) => actions)).toContain('kms:Decrypt');
});

test('Transcribe may read recordings and parts and write its output, but read no transcript, with the role that starts its jobs', () => {
  const placesOf = (action: string) =>
    statementsOfRole(stack, roleOf('start-transcription'))
      .filter(({ actions }) => actions.includes(action))
      .flatMap(({ resources }) => resources.map(placeOf));
  expect(placesOf('s3:GetObject')).toEqual(['RecordingsBucket/*', 'TranscriptsBucket/work/*']);
  expect(placesOf('s3:PutObject')).toEqual([
    'TranscriptsBucket/generated/*',
    'TranscriptsBucket/work/*',
    'TranscriptsBucket/.write_access_check_file.temp',
  ]);
  const organizationId = OrganizationId.parse('acme');
  expect(jobOutputKey({ organizationId, transcriptionId: 't' })).toMatch(/^generated\//);
  const part = { organizationId, workId: 't', part: 1 };
  expect([partMediaKey(part, 'ogg'), partOutputKey(part)]).toEqual([
    expect.stringMatching(/^work\//),
    expect.stringMatching(/^work\//),
  ]);
});

test('the prefixes in the policies are those of the folders of organizations', () => {
  const folders = Object.values(transcriptPrefixes).map((prefix) => `${prefix}acme/`);
  expect(foldersOfOrganization(OrganizationId.parse('acme'))).toEqual(folders);
});
