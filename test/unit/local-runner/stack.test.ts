import { describe, expect, it } from 'vitest';
import { findFunction, readStack } from '#tools/local/template/stack.ts';
import type { Template } from '#tools/local/template/synthesize.ts';
import { describeOutputs } from '#tools/shared/endpoints.ts';

const deployment = {
  stackName: 'Test',
  region: 'us-east-1',
  accountId: '000000000000',
  apiUrl: 'http://127.0.0.1:1',
  sqsUrl: 'http://127.0.0.1:2',
};

type Resources = Readonly<
  Record<
    string,
    {
      readonly Type: string;
      readonly Properties?: Record<string, unknown>;
      readonly Condition?: string;
      readonly Metadata?: Record<string, string>;
    }
  >
>;

function read(resources: Resources, outputs: Template['Outputs'] = {}) {
  const api = { Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } } };
  const Resources = Object.fromEntries(
    Object.entries<Resources[string]>({ ...api, ...resources }).map(([id, { Properties = {}, ...resource }]) => [
      id,
      { Metadata: {}, ...resource, Properties },
    ]),
  );
  const template = { Resources, Outputs: outputs, Parameters: {} } as Template;
  return readStack({ stackName: 'Test', folder: '/assembly', template }, deployment);
}

/** A worker that its queue calls by an alias, in the form that CDK writes. */
function aliased(alias: Readonly<Record<string, unknown>> = {}): Resources {
  const FunctionName = { Ref: 'Worker' };
  return {
    Work: { Type: 'AWS::SQS::Queue' },
    Worker: {
      Type: 'AWS::Lambda::Function',
      Properties: { Handler: 'index.handler', Runtime: 'nodejs24.x' },
      Metadata: { 'aws:asset:path': 'asset.1' },
    },
    First: { Type: 'AWS::Lambda::Version', Properties: { FunctionName } },
    Live: {
      Type: 'AWS::Lambda::Alias',
      Properties: { FunctionName, FunctionVersion: { 'Fn::GetAtt': ['First', 'Version'] }, Name: 'live', ...alias },
    },
    Source: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: { 'Fn::GetAtt': ['Work', 'Arn'] },
        FunctionName: {
          'Fn::Join': ['', [{ 'Fn::Select': [6, { 'Fn::Split': [':', { Ref: 'Live' }] }] }, ':live']],
        },
      },
    },
  };
}

describe('the local runner, reading a template,', () => {
  it('reads a queue with its dead-letter queue', () => {
    const { queues } = read({
      Work: {
        Type: 'AWS::SQS::Queue',
        Properties: {
          VisibilityTimeout: 180,
          RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 5 },
        },
      },
      Dead: { Type: 'AWS::SQS::Queue' },
    });

    expect(queues.map(({ name }) => name)).toEqual(['Test-Work', 'Test-Dead']);
    expect(queues[0]?.properties.RedrivePolicy).toEqual({
      deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:Test-Dead',
      maxReceiveCount: 5,
    });
  });

  it('names queues, buckets and tables by the outputs of the stack', () => {
    const { outputs } = read(
      { Work: { Type: 'AWS::SQS::Queue' }, Dead: { Type: 'AWS::SQS::Queue' }, Files: { Type: 'AWS::S3::Bucket' } },
      {
        RoomEventsQueueUrl: { Value: { Ref: 'Work' } },
        RoomEventsDeadLetterQueueUrl: { Value: { Ref: 'Dead' } },
        FilesBucketName: { Value: { Ref: 'Files' } },
      },
    );

    expect(describeOutputs(outputs)).toEqual({
      queues: {
        roomEvents: 'http://127.0.0.1:2/000000000000/Test-Work',
        roomEventsDlq: 'http://127.0.0.1:2/000000000000/Test-Dead',
      },
      buckets: { files: 'test-files' },
      tables: {},
    });
  });

  it('reads the bus and its rules, the secret, and the stream of a table with what it invokes', () => {
    const { busNames, rules, secrets, tables, eventSources, functions } = read({
      ...aliased(),
      Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'Ignored' } },
      Rule: {
        Type: 'AWS::Events::Rule',
        Properties: { EventBusName: { Ref: 'Bus' }, EventPattern: { source: ['one'] } },
      },
      Secret: {
        Type: 'AWS::SecretsManager::Secret',
        Properties: { GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true } },
      },
      Table: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
          KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
          StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
        },
      },
      Stream: {
        Type: 'AWS::Lambda::EventSourceMapping',
        Properties: {
          EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
          FunctionName: { Ref: 'Worker' },
          StartingPosition: 'TRIM_HORIZON',
          MaximumRetryAttempts: 3,
        },
      },
    });

    expect(busNames).toEqual(['Test-Bus']);
    expect(rules.map(({ properties }) => properties.EventBusName)).toEqual(['Test-Bus']);
    const arn = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:Test-Secret';
    expect(secrets).toEqual([{ name: 'Test-Secret', arn, valueLength: 64 }]);
    expect(tables[0]?.properties.StreamSpecification).toEqual({ StreamViewType: 'NEW_IMAGE' });
    const stream = eventSources.find(({ logicalId }) => logicalId === 'Stream')?.properties;
    expect(stream).toMatchObject({ MaximumRetryAttempts: 3, MaximumRecordAgeInSeconds: -1 });
    expect(stream?.EventSourceArn).toMatch(/:table\/Test-Table\/stream\//);
    expect(findFunction(functions, String(stream?.FunctionName))).toBe(functions[0]);
  });

  it('ignores permissions and logs', () => {
    expect(() => read({ Role: { Type: 'AWS::IAM::Role' }, Logs: { Type: 'AWS::Logs::LogGroup' } })).not.toThrow();
  });

  it('ignores only the function that empties buckets, which runs when a stack is deleted', () => {
    const emptier = { Type: 'AWS::Lambda::Function', Properties: { Runtime: { 'Fn::FindInMap': ['A', 'B', 'C'] } } };
    const emptied = {
      Type: 'Custom::S3AutoDeleteObjects',
      Properties: { ServiceToken: { 'Fn::GetAtt': ['Emptier', 'Arn'] }, BucketName: { Ref: 'Files' } },
    };
    const files = { Type: 'AWS::S3::Bucket' };
    expect(read({ Files: files, Emptied: emptied, Emptier: emptier }).functions).toEqual([]);
    expect(() => read({ Files: files, Emptier: emptier })).toThrow(/Fn::FindInMap/);
  });

  it('resolves an alias to its function', () => {
    const { functions, eventSources } = read(aliased());
    const [target, ...others] = functions;
    expect(others).toEqual([]);
    expect(findFunction(functions, 'arn:aws:lambda:us-east-1:000000000000:function:Test-Worker:live')).toBe(target);
    expect(findFunction(functions, String(eventSources[0]?.properties.FunctionName))).toBe(target);
    expect(() => findFunction(functions, 'Test-Worker:other')).toThrow(/Test-Worker:other, which it does not have/);
  });

  it('rejects an alias with a second version, which would get no calls locally', () => {
    const resources = aliased({ RoutingConfig: { AdditionalVersionWeights: [] } });
    expect(() => read(resources)).toThrow(/Live \(AWS::Lambda::Alias\).*RoutingConfig/s);
  });

  it('ignores CodeDeploy resources and custom domain names', () => {
    const types = ['AWS::CodeDeploy::Application', 'AWS::CodeDeploy::DeploymentGroup', 'AWS::ApiGatewayV2::DomainName'];
    const resources = Object.fromEntries(types.map((Type) => [Type.split(':').at(-1) ?? '', { Type }]));
    const outputs = { Target: { Value: { 'Fn::GetAtt': ['DomainName', 'RegionalDomainName'] } } };
    expect(() => read(resources, outputs)).not.toThrow();
  });

  it.each<[string, Resources, RegExp]>([
    ['an unknown custom resource', { Seed: { Type: 'Custom::Seed' } }, /Seed of type Custom::Seed/],
    [
      'a type that the local runner does not support',
      { Stream: { Type: 'AWS::Kinesis::Stream' } },
      /Stream of type AWS::Kinesis::Stream/,
    ],
    [
      'a property that changes the behavior of a resource',
      { Work: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } } },
      /Work \(AWS::SQS::Queue\).*FifoQueue/s,
    ],
    [
      'a secret whose value is made otherwise',
      {
        Secret: {
          Type: 'AWS::SecretsManager::Secret',
          Properties: {
            GenerateSecretString: { PasswordLength: 64, ExcludePunctuation: true, GenerateStringKey: 'a' },
          },
        },
      },
      /Secret \(AWS::SecretsManager::Secret\).*GenerateStringKey/s,
    ],
    ['a condition', { Work: { Type: 'AWS::SQS::Queue', Condition: 'IsProd' } }, /Work with a condition/],
  ])('rejects %s and names it', (_, resources, message) => {
    expect(() => read(resources)).toThrow(message);
  });
});
