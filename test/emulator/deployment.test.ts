import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import {
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  DescribeUserPoolClientCommand,
  DescribeUserPoolCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTablesCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { DescribeEventBusCommand, EventBridgeClient, ListEventBusesCommand } from '@aws-sdk/client-eventbridge';
import {
  GetFunctionConfigurationCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  ListFunctionsCommand,
} from '@aws-sdk/client-lambda';
import {
  GetBucketCorsCommand,
  GetBucketEncryptionCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketPolicyCommand,
  GetBucketTaggingCommand,
  GetPublicAccessBlockCommand,
  ListBucketsCommand,
  PutBucketTaggingCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { GetSecretValueCommand, ListSecretsCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import {
  GetQueueAttributesCommand,
  ListQueuesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { outputNames } from '#infra/stack/outputs.ts';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { publicEndpointList } from '#shared/contracts/public-endpoints.ts';
import { selfAuthenticatedEndpointList } from '#shared/contracts/self-authenticated-endpoints.ts';
import { envNames } from '#shared/runtime/names.ts';
import { host } from '#tools/local/ports.ts';
import { errorMessage } from '#tools/shared/error-details.ts';
import { at, consolePage, listOf } from '../support/infra/templates.ts';
import { newSession, platformOf } from '../support/insights/session-events.ts';
import { type DeployedStack, deployedStack } from './deployed-stack.ts';
import { type Emulator, region, runCommand, startEmulator } from './emulator.ts';
import { rejections } from './rejections.ts';

let emulator: Emulator;
let aws: ReturnType<typeof clients>;

function clients(endpoint: string) {
  const settings = { endpoint, region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
  return {
    cloudFormation: new CloudFormationClient(settings),
    cloudWatch: new CloudWatchClient(settings),
    cognito: new CognitoIdentityProviderClient(settings),
    dynamodb: new DynamoDBClient(settings),
    eventBridge: new EventBridgeClient(settings),
    lambda: new LambdaClient(settings),
    secretsManager: new SecretsManagerClient(settings),
    s3: new S3Client({ ...settings, forcePathStyle: true }),
    sqs: new SQSClient(settings),
  };
}

const cdk = (...args: readonly string[]) => runCommand(emulator.env, 'cdk', ...args);
const assemblyOf = (name: string) => `cdk.out/emulator/${name}`;

/** Synthesizes a stage, with replacements for what the emulator rejects, and deploys it with the CDK command. */
async function deploy(stage: string, assembly: string, ...settings: readonly string[]): Promise<DeployedStack> {
  const app = ['--app', 'node test/emulator/app.ts', '--context', `stage=${stage}`, ...settings];
  await cdk('synth', '--quiet', '--output', assembly, ...app);
  await cdk('deploy', '--app', assembly, '--require-approval', 'never');
  return deployedStack(aws.cloudFormation, stage, assembly);
}

beforeAll(async () => {
  emulator = await startEmulator();
  aws = clients(emulator.url);
  await cdk('bootstrap', '--output', assemblyOf('bootstrap'));
});

afterAll(() => emulator?.stop());

test.each(rejections)(
  'the emulator still rejects what the deployment replaces: $message',
  async ({ example, message }) => {
    expect(await errorsOf(example)).toContain(message);
  },
);

describe('dev', () => {
  let dev: DeployedStack;
  beforeAll(async () => {
    dev = await deploy('dev', assemblyOf('dev'));
  });

  test('has every resource of the template', async () => {
    expect(await statusOf(dev)).toBe('CREATE_COMPLETE');
    for (const { logicalId, status } of dev.resources)
      expect([logicalId, status]).toEqual([logicalId, 'CREATE_COMPLETE']);
  });

  test('has queues with their dead-letter queue, visibility timeout and policy', async () => {
    const arns = new Map<string, string | undefined>();
    const attributesOf = async (QueueUrl: string) => {
      const answer = await aws.sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
      return answer.Attributes ?? {};
    };
    for (const { id } of dev.all('AWS::SQS::Queue')) arns.set(id, (await attributesOf(id)).QueueArn);
    for (const { id, properties } of dev.all('AWS::SQS::Queue')) {
      const { RedrivePolicy, VisibilityTimeout, Policy } = await attributesOf(id);
      if (properties.VisibilityTimeout !== undefined)
        expect(VisibilityTimeout).toBe(String(properties.VisibilityTimeout));
      const deadLetterQueue = dev.idOf(at(properties.RedrivePolicy, 'deadLetterTargetArn'));
      if (deadLetterQueue === undefined) expect(RedrivePolicy).toBeUndefined();
      else
        expect(JSON.parse(RedrivePolicy ?? '')).toEqual({
          deadLetterTargetArn: arns.get(deadLetterQueue),
          maxReceiveCount: at(properties.RedrivePolicy, 'maxReceiveCount'),
        });
      expect(Policy).toContain('"aws:SecureTransport"');
    }
    expect(new Set(arns.values()).size).toBe(arns.size);
  });

  test('has tables with their indexes', async () => {
    for (const { id: TableName, properties } of dev.all('AWS::DynamoDB::Table')) {
      const { Table } = await aws.dynamodb.send(new DescribeTableCommand({ TableName }));
      expect(Table).toMatchObject({ TableStatus: 'ACTIVE', DeletionProtectionEnabled: false });
      const indexes = listOf(properties.GlobalSecondaryIndexes);
      const wanted = indexes.map((index) => [at(index, 'IndexName'), at(index, 'KeySchema')]);
      const made = (Table?.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema }) => [IndexName, KeySchema]);
      expect(made.toSorted()).toEqual(wanted.toSorted());
    }
  });

  test('has encrypted, private buckets that accept only TLS', async () => {
    for (const { id: Bucket, properties } of dev.all('AWS::S3::Bucket')) {
      const encryption = await aws.s3.send(new GetBucketEncryptionCommand({ Bucket }));
      expect(encryption.ServerSideEncryptionConfiguration?.Rules).toHaveLength(1);
      const block = await aws.s3.send(new GetPublicAccessBlockCommand({ Bucket }));
      expect(block.PublicAccessBlockConfiguration).toEqual(properties.PublicAccessBlockConfiguration);
      const { Policy } = await aws.s3.send(new GetBucketPolicyCommand({ Bucket }));
      expect(Policy).toContain('"aws:SecureTransport"');
    }
  });

  // The table in README.md lists the tests of these settings. If the emulator supports one, test it above.
  test('still lacks the settings that the emulator ignores', async () => {
    for (const { id: Bucket } of dev.all('AWS::S3::Bucket')) {
      await expect(aws.s3.send(new GetBucketTaggingCommand({ Bucket }))).rejects.toThrow('TagSet does not exist');
      const lifecycle = aws.s3.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
      await expect(lifecycle).rejects.toThrow('lifecycle configuration does not exist');
    }
    for (const { id: TableName } of dev.all('AWS::DynamoDB::Table')) {
      const expiry = await aws.dynamodb.send(new DescribeTimeToLiveCommand({ TableName }));
      expect(expiry.TimeToLiveDescription?.TimeToLiveStatus).toBe('DISABLED');
      const { ContinuousBackupsDescription } = await aws.dynamodb.send(
        new DescribeContinuousBackupsCommand({ TableName }),
      );
      const recovery = ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
      expect(recovery?.PointInTimeRecoveryStatus).toBe('DISABLED');
    }
    for (const { id: SecretId } of dev.all('AWS::SecretsManager::Secret')) {
      const { SecretString } = await aws.secretsManager.send(new GetSecretValueCommand({ SecretId }));
      expect(SecretString).toMatch(/./);
      expect(SecretString).not.toMatch(/^[A-Za-z0-9]{64}$/);
    }
  });

  test('has functions with the names of the created resources in their environment, and with event sources', async () => {
    for (const { id: FunctionName, logicalId, properties } of dev.all('AWS::Lambda::Function')) {
      const made = await aws.lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
      const { Runtime, Timeout, MemorySize, Handler } = properties;
      expect(made).toMatchObject({ State: 'Active', Runtime, Timeout, MemorySize, Handler });
      for (const [name, value] of Object.entries(Object(at(properties.Environment, 'Variables')))) {
        const wanted = at(value, 'Ref') === undefined ? value : dev.idOf(value);
        if (typeof wanted !== 'string') continue; // joined by CloudFormation
        expect([logicalId, name, made.Environment?.Variables?.[name]]).toEqual([logicalId, name, wanted]);
      }
    }
    for (const { id: UUID, properties } of dev.all('AWS::Lambda::EventSourceMapping')) {
      const FunctionName = dev.idOf(properties.FunctionName);
      const { EventSourceMappings } = await aws.lambda.send(new ListEventSourceMappingsCommand({ FunctionName }));
      expect(EventSourceMappings).toContainEqual(
        expect.objectContaining({ UUID, State: 'Enabled', BatchSize: properties.BatchSize }),
      );
    }
  });

  test('has a stream of notices, and its function reads it', async () => {
    const streamed = dev.all('AWS::DynamoDB::Table').filter(({ properties }) => properties.StreamSpecification);
    expect(streamed).toHaveLength(1);
    const { Table } = await aws.dynamodb.send(new DescribeTableCommand({ TableName: streamed[0]?.id }));
    expect(Table?.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_IMAGE' });
    const { EventSourceMappings } = await aws.lambda.send(
      new ListEventSourceMappingsCommand({ EventSourceArn: Table?.LatestStreamArn }),
    );
    expect(EventSourceMappings).toMatchObject([
      { State: 'Enabled', FunctionArn: expect.stringMatching(/relaynotices.*:live$/), BatchSize: 100 },
    ]);
  });

  test('has an event bus with the name of the output', async () => {
    const Name = dev.outputs.get(outputNames.eventBusName);
    expect(Name).toBe('Roomscribe-dev-notices');
    const { Arn } = await aws.eventBridge.send(new DescribeEventBusCommand({ Name }));
    expect(Arn).toBe(dev.outputs.get(outputNames.eventBusArn));
  });

  test('has alarms that notify the topic of their severity', async () => {
    const topics = {
      Urgent: dev.outputs.get(outputNames.urgentAlarmTopicArn),
      'Can wait until morning': dev.outputs.get(outputNames.alarmTopicArn),
    };
    expect(new Set(Object.values(topics)).size).toBe(2);
    const actions = new Map<string | undefined, readonly string[] | undefined>();
    for await (const { MetricAlarms = [] } of paginateDescribeAlarms({ client: aws.cloudWatch }, {}))
      for (const { AlarmName, AlarmActions } of MetricAlarms) actions.set(AlarmName, AlarmActions);
    for (const { id, properties } of dev.all('AWS::CloudWatch::Alarm')) {
      const [severity] = String(properties.AlarmDescription).split(':');
      expect([id, actions.get(id)]).toEqual([id, [topics[severity as keyof typeof topics]]]);
    }
  });

  test('has a route for every endpoint, which requires a token or another credential unless it is public', async () => {
    for (const { method, path } of endpointList)
      expect([path, (await call(dev, method, path)).status]).toEqual([path, 401]);
    for (const { method, path, successStatus } of publicEndpointList)
      expect([path, (await call(dev, method, path)).status]).toEqual([path, successStatus]);
    for (const { method, path } of selfAuthenticatedEndpointList) {
      const address = path.replaceAll(/\{[^}]+\}/g, 'c'.repeat(43));
      expect([path, (await call(dev, method, address)).status]).toEqual([path, method === 'POST' ? 401 : 404]);
    }
    expect((await call(dev, 'GET', '/v1/nothing')).status).toBe(404);
  });

  test('supports the commands for operators', async () => {
    const UserPoolId = dev.outputs.get(outputNames.userPoolId);
    const { UserPool } = await aws.cognito.send(new DescribeUserPoolCommand({ UserPoolId }));
    expect(UserPool?.AdminCreateUserConfig?.AllowAdminCreateUserOnly).toBe(true);
    const { organizationId } = await createOrganization('initech');
    expect(await npm('organization', '--', 'list', '--stage', 'dev')).toContain(`initech  ${organizationId}`);
    expect(await npm('dlq', '--', 'list', '--stage', 'dev')).toContain('roomEvents');
  });

  test("accepts the tokens of its own user pool, records an organization's event, and returns its room to it alone", async () => {
    const acme = await createOrganization('acme');
    const other = await createOrganization('globex');
    const started = platformOf(acme.organizationId, Date.now).started(newSession('/emulated-room'));
    const QueueUrl = dev.outputs.get('RoomEventsQueueUrl');
    await aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(started) }));
    const token = await tokenOf(dev, acme);
    await vi.waitFor(
      async () => {
        const { status, body } = await call(dev, 'GET', '/v1/insights/rooms', token);
        expect([status, body]).toEqual([200, expect.stringContaining('"/emulated-room"')]);
      },
      { timeout: 30_000, interval: 500 },
    );
    const answer = await call(dev, 'GET', '/v1/insights/rooms', await tokenOf(dev, other));
    expect([answer.status, answer.body]).toEqual([200, expect.not.stringContaining('emulated-room')]);
  });

  test('puts a notice of an event on the bus, from where the example of a rule sends it to a queue', async () => {
    const { organizationId } = await createOrganization('soylent');
    const StackName = 'NoticeRule';
    await aws.cloudFormation.send(
      new CreateStackCommand({
        StackName,
        TemplateBody: readFileSync('examples/notice-rule/queue.yaml', 'utf8'),
        Parameters: [
          { ParameterKey: 'EventBusName', ParameterValue: dev.outputs.get(outputNames.eventBusName) },
          { ParameterKey: 'NoticeTypes', ParameterValue: 'room.session.started,transcription.finished' },
        ],
      }),
    );
    onTestFinished(async () => {
      await aws.cloudFormation.send(new DeleteStackCommand({ StackName }));
    });
    await vi.waitFor(async () => expect(await statusOf({ name: StackName })).toBe('CREATE_COMPLETE'));
    const { Stacks } = await aws.cloudFormation.send(new DescribeStacksCommand({ StackName }));
    const told = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'QueueUrl')?.OutputValue;

    const started = platformOf(organizationId, Date.now).started(newSession('/told-room'));
    const QueueUrl = dev.outputs.get('RoomEventsQueueUrl');
    await aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(started) }));
    const event = await vi.waitFor(
      async () => {
        const { Messages = [] } = await aws.sqs.send(new ReceiveMessageCommand({ QueueUrl: told }));
        expect(Messages).toHaveLength(1);
        return JSON.parse(Messages[0]?.Body ?? '');
      },
      { timeout: 30_000, interval: 500 },
    );
    const data = { revision: 1, roomName: '/told-room' };
    const notice = { id: expect.stringMatching(/^ntc_/), type: 'room.session.started', data };
    expect(event).toMatchObject({
      source: 'roomscribe',
      'detail-type': 'room.session.started',
      detail: { organizationId, ...notice },
    });
    const ofOrganization = new QueryCommand({
      TableName: dev.outputs.get('NoticesTableName'),
      KeyConditionExpression: 'organizationId = :organization',
      ExpressionAttributeValues: { ':organization': { S: organizationId } },
    });
    const rows = await vi.waitFor(
      async () => {
        const { Items = [] } = await aws.dynamodb.send(ofOrganization);
        for (const item of Items) expect(item).not.toHaveProperty('dueAt'); // it is relayed, so nobody sweeps it
        return Items;
      },
      { timeout: 10_000 },
    );
    expect(rows.map(({ noticeId }) => noticeId?.S)).toEqual([event.detail.id]);
  });

  test('takes the webhooks of a platform that a command connects, at the printed address and with the printed secret', async () => {
    const acme = await createOrganization('hooli');
    const connected = await npm('organization', '--', 'connect', 'hooli', 'jitsi', '--stage', 'dev');
    const connectionId = /id of the connection is (\S{43})\./.exec(connected)?.[1] ?? '';
    const address = /api_prefix = "([^"]+)"/.exec(connected)?.[1];
    const secret = /"Bearer (\S+)"/.exec(connected)?.[1];
    expect(address).toBe(`${dev.outputs.get(outputNames.apiUrl)}/v1/hooks/${connectionId}/jitsi`);
    const post = (token: string | undefined, at = address) => {
      const room = { room_name: 'hooked', room_jid: 'hooked@conference.meet.example', is_breakout: false };
      const created = { event_name: 'muc-room-created', ...room, created_at: Math.floor(Date.now() / 1000) };
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
      return send(at, 'POST', '/events/room/created', {
        headers,
        body: JSON.stringify({ ...created, meeting_id: randomUUID() }),
      });
    };
    const unknown = address?.replace(connectionId, 'c'.repeat(43));
    for (const refused of [await post(undefined), await post('wrong'), await post(secret, unknown)])
      expect([refused.status, JSON.parse(refused.body).code]).toEqual([401, 'unauthorized']);
    expect(await post(secret)).toEqual({ status: 200, body: '' });
    const token = await tokenOf(dev, acme);
    await vi.waitFor(
      async () => expect((await call(dev, 'GET', '/v1/insights/rooms', token)).body).toContain('"/hooked"'),
      { timeout: 30_000, interval: 500 },
    );

    const listed = await npm('organization', '--', 'connections', 'hooli', '--stage', 'dev');
    expect(listed).toMatch(
      new RegExp(`${connectionId}\\n {2}platform {10}Jitsi[^]*secrets {11}1\\n {2}waiting webhooks {2}0`),
    );
    const replayed = await npm('organization', '--', 'replay', 'hooli', connectionId, '--stage', 'dev');
    expect(replayed).toContain('Sent 1 of 1 stored webhooks');
    expect(await npm('organization', '--', 'delete', 'hooli', '--stage', 'dev', '--yes')).toContain(connectionId);
    const { SecretList } = await aws.secretsManager.send(new ListSecretsCommand());
    expect((SecretList ?? []).filter(({ Name }) => Name?.includes('/connections/'))).toEqual([]);
  });

  test('refuses a token that is changed, and a secret that is wrong', async () => {
    const credentials = await createOrganization('umbrella');
    const [head, payload, signature = ''] = (await tokenOf(dev, credentials)).split('.');
    const changed = [head, payload, [...signature].reverse().join('')].join('.');
    const refused = await call(dev, 'GET', '/v1/transcriptions', changed);
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([401, 'unauthorized']);
    await expect(tokenOf(dev, { ...credentials, secret: 'wrong' })).rejects.toThrow('invalid_client');
  });

  test('does not change if it is deployed again', async () => {
    expect(await cdk('deploy', '--app', assemblyOf('dev'), '--require-approval', 'never')).toContain('(no changes)');
    expect(await statusOf(dev)).toBe('CREATE_COMPLETE');
  });

  test('changes only what a setting affects', async () => {
    const name = envNames.rateLimitPointsPerMinute;
    const changed = await deploy('dev', assemblyOf('dev-changed'), '--context', 'rateLimitPointsPerMinute=500');
    expect(await statusOf(changed)).toBe('UPDATE_COMPLETE');
    expect(lastingIds(changed)).toEqual(lastingIds(dev));
    const limited = changed
      .all('AWS::Lambda::Function')
      .filter(({ properties }) => at(properties.Environment, 'Variables', name) !== undefined);
    expect(limited).toHaveLength(endpointList.length);
    for (const { id: FunctionName } of limited) {
      const { Environment } = await aws.lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
      expect(Environment?.Variables?.[name]).toBe('500');
    }
  });

  test('is deleted with all its resources, including full buckets', async () => {
    for (const { id: Bucket, properties } of dev.all('AWS::S3::Bucket')) {
      await aws.s3.send(new PutObjectCommand({ Bucket, Key: 'left/behind', Body: 'something' }));
      await tag(Bucket, properties);
    }
    await cdk('destroy', '--app', assemblyOf('dev'), '--force');
    const left = await Promise.all([
      aws.s3.send(new ListBucketsCommand()).then(({ Buckets = [] }) => Buckets.map(({ Name }) => Name)),
      aws.dynamodb.send(new ListTablesCommand()).then(({ TableNames = [] }) => TableNames),
      aws.sqs.send(new ListQueuesCommand()).then(({ QueueUrls = [] }) => QueueUrls),
      aws.lambda
        .send(new ListFunctionsCommand())
        .then(({ Functions = [] }) => Functions.map((each) => each.FunctionName)),
      aws.secretsManager
        .send(new ListSecretsCommand())
        .then(({ SecretList = [] }) => SecretList.map(({ Name }) => Name)),
      aws.eventBridge
        .send(new ListEventBusesCommand())
        .then(({ EventBuses = [] }) => EventBuses.map(({ Name }) => Name).filter((name) => name !== 'default')),
    ]);
    expect(left.flat().filter((each) => !each?.startsWith('cdk-'))).toEqual([]);
  });
});

describe('prod with a console', () => {
  let prod: DeployedStack;
  beforeAll(async () => {
    prod = await deploy('prod', assemblyOf('prod'), '--context', 'console=true');
  });

  test('can be deployed, and neither its stack nor its tables can be deleted', async () => {
    expect(await statusOf(prod)).toBe('CREATE_COMPLETE');
    for (const { logicalId, status } of prod.resources)
      expect([logicalId, status]).toEqual([logicalId, 'CREATE_COMPLETE']);
    await expect(aws.cloudFormation.send(new DeleteStackCommand({ StackName: prod.name }))).rejects.toThrow(
      /TerminationProtection/,
    );
    for (const { id: TableName } of prod.all('AWS::DynamoDB::Table')) {
      const { Table } = await aws.dynamodb.send(new DescribeTableCommand({ TableName }));
      expect(Table).toMatchObject({ TableStatus: 'ACTIVE', DeletionProtectionEnabled: true });
    }
  });

  /** What the distribution answers. The emulator has no TLS, and takes the header for it. */
  const distribution = (method: string, path: string, protocol = 'https') => {
    const { origin } = new URL(prod.outputs.get(outputNames.consoleUrl) ?? '');
    return answerOf(origin, method, path, { headers: { 'x-forwarded-proto': protocol } });
  };

  test('answers views of the console with its page, files as they are, and nothing else', async () => {
    const bucket = prod.all('AWS::S3::Bucket').find(({ logicalId }) => logicalId.startsWith('ConsoleHosting'));
    await copyPages(bucket?.id ?? '');
    const page = readFileSync(`${consolePage}/index.html`, 'utf8');
    for (const path of ['/console/', '/console/rooms', '/console/session'])
      expect(await distribution('GET', path)).toMatchObject({ status: 200, body: page });
    const script = 'assets/page-4f1c2a9b.js';
    const file = await distribution('GET', `/console/${script}`);
    expect(file).toMatchObject({ status: 200, body: readFileSync(`${consolePage}/${script}`, 'utf8') });
    expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await distribution('GET', '/console/assets/gone.js')).status).toBe(403);
    expect((await distribution('GET', '/robots.txt')).status).toBe(404);
    for (const path of ['/', '/console'])
      expect(await distribution('GET', path)).toMatchObject({ status: 302, headers: { location: '/console/' } });
    expect((await distribution('GET', '/console/', 'http')).status).toBe(301);
    expect((await distribution('PUT', '/console/index.html')).status).toBe(403);
  });

  test('sends the policies of the console, with the names of what was deployed', async () => {
    const { headers } = await distribution('GET', '/console/');
    const transcripts = `https://${prod.outputs.get('TranscriptsBucketName')}.s3.${region}.amazonaws.com`;
    const login = /connect-src 'self' (\S+)/.exec(String(headers['content-security-policy']))?.[1];
    expect(login).toMatch(
      new RegExp(`^https://roomscribe-people-[0-9a-f-]{36}\\.auth\\.${region}\\.amazoncognito\\.com$`),
    );
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringContaining(
        `connect-src 'self' ${login} ${transcripts}; media-src 'none';`,
      ),
      'strict-transport-security': 'max-age=63072000',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringContaining('camera=()'),
    });
  });

  test('lets people log in from the console alone, with a client without a secret', async () => {
    const client = await aws.cognito.send(
      new DescribeUserPoolClientCommand({
        UserPoolId: prod.outputs.get(outputNames.peoplePoolId),
        ClientId: prod.outputs.get(outputNames.consoleClientId),
      }),
    );
    const url = prod.outputs.get(outputNames.consoleUrl);
    expect(url).toMatch(/^https:\/\/d[0-9a-z]+\.cloudfront\.net\/console\/$/);
    expect(client.UserPoolClient).toMatchObject({
      CallbackURLs: [url],
      LogoutURLs: [url],
      AllowedOAuthFlows: ['code'],
    });
    expect(client.UserPoolClient).not.toHaveProperty('ClientSecret');
  });

  test('lets somebody log in whom a command invites, as a reader, as an editor, and no more when they are removed', async () => {
    const person = { email: 'anna@example.com', password: 'Correct-Horse-7-Battery' };
    await createOrganization('initech', 'prod');
    const people = (task: string, ...more: readonly string[]) =>
      npm('organization', '--', 'people', task, 'initech', ...more, '--stage', 'prod');
    expect(await people('add', person.email, '--role', 'reader')).toContain('is a reader in initech');
    // The person chooses a password at the first login. The emulator asks for no second factor.
    const UserPoolId = prod.outputs.get(outputNames.peoplePoolId);
    const chosen = { UserPoolId, Username: person.email, Password: person.password, Permanent: true };
    await aws.cognito.send(new AdminSetUserPasswordCommand(chosen));

    const removal = `/v1/transcriptions/${randomUUID()}`;
    const login = await logIn(prod, person);
    expect((await call(prod, 'GET', '/v1/transcriptions', login.accessToken)).status).toBe(200);
    const refused = await call(prod, 'DELETE', removal, login.accessToken);
    expect([refused.status, JSON.parse(refused.body).code]).toEqual([403, 'not_an_editor']);

    expect(await people('add', person.email, '--role', 'editor')).toContain('within 15 minutes');
    const asEditor = await logIn(prod, person); // the emulator leaves groups out of a refreshed token
    expect((await call(prod, 'DELETE', removal, asEditor.accessToken)).status).toBe(204);
    expect(await people('list')).toMatch(/^anna@example\.com {2}editor {2}\S+\n$/);

    expect(await people('remove', person.email)).toContain('Removed anna@example.com');
    await expect(refreshed(prod, login.refreshToken)).rejects.toThrow('invalid_grant');
    await expect(logIn(prod, person)).rejects.toThrow('no code');
  });

  test('lets pages of the console fetch transcripts by links', async () => {
    const Bucket = prod.outputs.get('TranscriptsBucketName');
    const { CORSRules } = await aws.s3.send(new GetBucketCorsCommand({ Bucket }));
    expect(CORSRules).toMatchObject([{ AllowedOrigins: ['https://*.cloudfront.net', 'null'] }]);
  });

  // The table in README.md says so. If the emulator passes on to its own API, call it here with a token of a person.
  test('still cannot call the API by the distribution', async () => {
    expect((await distribution('GET', '/v1/openapi.json')).status).toBe(502);
    expect((await distribution('GET', '/v1/openapi.json', 'http')).status).toBe(403);
  });
});

/** Puts the pages into the bucket of the console, as CDK's function does, which the emulator cannot run. */
async function copyPages(Bucket: string): Promise<void> {
  const files = { 'index.html': 'no-cache', 'assets/page-4f1c2a9b.js': 'public, max-age=31536000, immutable' };
  for (const [name, CacheControl] of Object.entries(files)) {
    const Body = readFileSync(`${consolePage}/${name}`);
    await aws.s3.send(new PutObjectCommand({ Bucket, Key: `console/${name}`, Body, CacheControl }));
  }
}

/** The IDs of all resources except function versions, which each change replaces. */
function lastingIds({ resources }: DeployedStack): readonly string[] {
  return resources.filter(({ type }) => type !== 'AWS::Lambda::Version').map(({ id }) => id);
}

/** The emulator's errors for a stack of one resource, on the call or during creation. Empty if it accepts the stack. */
async function errorsOf(resource: object): Promise<string> {
  const StackName = 'Refused';
  const TemplateBody = JSON.stringify({ Resources: { Example: resource } });
  try {
    await aws.cloudFormation.send(new CreateStackCommand({ StackName, TemplateBody }));
  } catch (error) {
    return errorMessage(error);
  }
  const events = await vi.waitFor(async () => {
    const { StackEvents = [] } = await aws.cloudFormation.send(new DescribeStackEventsCommand({ StackName }));
    expect(StackEvents[0]?.ResourceStatus).toMatch(/_COMPLETE$/);
    return StackEvents;
  });
  await aws.cloudFormation.send(new DeleteStackCommand({ StackName }));
  return events.map(({ ResourceStatusReason = '' }) => ResourceStatusReason).join('\n');
}

async function statusOf({ name }: Pick<DeployedStack, 'name'>): Promise<string | undefined> {
  const { Stacks } = await aws.cloudFormation.send(new DescribeStacksCommand({ StackName: name }));
  return Stacks?.[0]?.StackStatus;
}

/** Tags a bucket, as AWS does when it creates one. The function that empties buckets requires these tags. */
async function tag(Bucket: string, properties: Readonly<Record<string, unknown>>): Promise<void> {
  const TagSet = listOf(properties.Tags).map((each) => ({
    Key: String(at(each, 'Key')),
    Value: String(at(each, 'Value')),
  }));
  await aws.s3.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }));
}

const npm = (...args: readonly string[]) => runCommand(emulator.env, 'npm', 'run', '--silent', ...args);

type Credentials = { readonly organizationId: string; readonly secret: string };

/** Creates an organization as an operator does, and reads its credentials from the output. */
async function createOrganization(name: string, stage = 'dev'): Promise<Credentials> {
  const output = await npm('organization', '--', 'create', name, '--stage', stage);
  const [, organizationId, secret] = /organization id +(\S+)[\s\S]*client secret +(\S+)/.exec(output) ?? [];
  if (organizationId === undefined || secret === undefined) throw new Error(`No credentials in:\n${output}`);
  return { organizationId, secret };
}

/** Gets an access token at the stage's token URL. */
async function tokenOf(stack: DeployedStack, { organizationId, secret }: Credentials): Promise<string> {
  const { body } = await send(stack.outputs.get(outputNames.tokenUrl), 'POST', '', {
    body: 'grant_type=client_credentials',
    headers: {
      authorization: `Basic ${Buffer.from(`${organizationId}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
  const { access_token: token } = JSON.parse(body);
  if (typeof token !== 'string') throw new Error(`The token endpoint answered ${body}.`);
  return token;
}

/** The address of the login of people. */
function loginOf(stack: DeployedStack): string {
  const domain = stack.all('AWS::Cognito::UserPoolDomain').find(({ logicalId }) => logicalId.startsWith('People'));
  return `https://${domain?.id}.auth.${region}.amazoncognito.com`;
}

/** Sends a form to the login of people. */
function sendForm(stack: DeployedStack, path: string, fields: Readonly<Record<string, string | undefined>>) {
  const form = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return answerOf(loginOf(stack), 'POST', path, { headers, body: String(new URLSearchParams(form)) });
}

/** Logs a person in as the console does: by authorization code with PKCE. */
async function logIn(stack: DeployedStack, { email, password }: { readonly email: string; readonly password: string }) {
  const verifier = randomUUID() + randomUUID();
  const client_id = stack.outputs.get(outputNames.consoleClientId);
  const redirect_uri = stack.outputs.get(outputNames.consoleUrl);
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const asked = { client_id, redirect_uri, scope: 'openid roomscribe/access', response_type: 'code' };
  const { headers } = await sendForm(stack, '/login', {
    ...{ ...asked, code_challenge, code_challenge_method: 'S256' },
    ...{ username: email, password },
  });
  const code = URL.parse(headers.location ?? '')?.searchParams.get('code');
  if (!code) throw new Error('The login returned no code.');
  const exchange = { grant_type: 'authorization_code', client_id, redirect_uri, code, code_verifier: verifier };
  const { body } = await sendForm(stack, '/oauth2/token', exchange);
  const { access_token: accessToken, refresh_token: refreshToken } = JSON.parse(body);
  if (typeof accessToken !== 'string') throw new Error(`The token endpoint answered ${body}.`);
  return { accessToken, refreshToken: String(refreshToken) };
}

/** A new access token for a refresh token. */
async function refreshed(stack: DeployedStack, refresh_token: string): Promise<string> {
  const client_id = stack.outputs.get(outputNames.consoleClientId);
  const { body } = await sendForm(stack, '/oauth2/token', { grant_type: 'refresh_token', client_id, refresh_token });
  const { access_token: token } = JSON.parse(body);
  if (typeof token !== 'string') throw new Error(`The token endpoint answered ${body}.`);
  return token;
}

/** Calls the API, with a token or without. */
function call(stack: DeployedStack, method: string, path: string, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return send(stack.outputs.get(outputNames.apiUrl), method, path, { headers });
}

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly body?: string };

/** Sends a request to the emulator, and returns what matters of most answers. */
async function send(baseUrl: string | undefined, method: string, path: string, sent: Sent) {
  const { status, body } = await answerOf(baseUrl, method, path, sent);
  return { status, body };
}

/** The emulator's answer to a request. It selects the service by the host header, whose name need not resolve. */
async function answerOf(baseUrl: string | undefined, method: string, path: string, { headers, body = '' }: Sent) {
  const { host: authority, pathname } = new URL(`${baseUrl}${path}`);
  const { port } = new URL(emulator.url);
  const sent = request({ host, port, method, path: pathname, headers: { ...headers, host: authority } }).end(body);
  const [response] = await once(sent, 'response');
  const { statusCode: status, headers: received } = response as IncomingMessage;
  return { status, headers: received, body: await text(response) };
}
