import { type Lookup, resolveIntrinsics } from './intrinsic-functions.ts';
import type { Template } from './synthesize.ts';

/** The stack name, account, region and URLs of the local deployment. */
export type Deployment = {
  readonly stackName: string;
  readonly region: string;
  readonly accountId: string;
  readonly apiUrl: string;
  readonly sqsUrl: string;
};

/**
 * The name of a resource. Unlike in CloudFormation it has no random part, so a restarted runner finds its data again.
 */
export function physicalName(type: string, logicalId: string, { stackName }: Deployment): string {
  const name = `${stackName}-${logicalId}`;
  return type === 'AWS::S3::Bucket' ? name.toLowerCase().slice(0, 63) : name; // bucket names are lowercase with at most 63 characters
}

/** Resolves references to the parameters and resources of a template to local values. */
export function lookupOf(template: Template, deployment: Deployment): Lookup {
  const pseudoParameters: Readonly<Record<string, string>> = {
    'AWS::Region': deployment.region,
    'AWS::AccountId': deployment.accountId,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': deployment.stackName,
    'AWS::StackId': arn(deployment, 'cloudformation', `stack/${deployment.stackName}/local`),
  };
  const identityOf = (logicalId: string): Identity | undefined => {
    const resource = template.Resources[logicalId];
    if (resource === undefined) return undefined;
    const { Type: type, Properties } = resource;
    const name = physicalName(type, logicalId, deployment);
    if (type === 'AWS::Lambda::Alias') {
      const functionName = resolveIntrinsics(Properties.FunctionName, lookup);
      return { ref: arn(deployment, 'lambda', `function:${functionName}:${Properties.Name}`), attributes: {} };
    }
    if (type === 'AWS::Cognito::UserPoolResourceServer') return { ref: String(Properties.Identifier), attributes: {} };
    return identities[type]?.(name, deployment) ?? { ref: name, attributes: {} };
  };
  const lookup: Lookup = {
    ref: (logicalId) =>
      pseudoParameters[logicalId] ?? identityOf(logicalId)?.ref ?? template.Parameters[logicalId]?.Default,
    attribute: (logicalId, attribute) => identityOf(logicalId)?.attributes[attribute],
  };
  return lookup;
}

/** An ARN of this deployment. */
export function arn(
  { region, accountId }: Pick<Deployment, 'region' | 'accountId'>,
  service: string,
  rest: string,
): string {
  const isGlobal = service === 'iam' || service === 's3';
  return ['arn', 'aws', service, isGlobal ? '' : region, service === 's3' ? '' : accountId, rest].join(':');
}

type Identity = { readonly ref: string; readonly attributes: Readonly<Record<string, string>> };

/**
 * The `Ref` value and the attributes of each resource type. For any other type `Ref` is the name, and it has no
 * attributes.
 */
const identities: Readonly<Record<string, (name: string, deployment: Deployment) => Identity>> = {
  'AWS::DynamoDB::Table': (name, at) => ({
    ref: name,
    attributes: {
      Arn: arn(at, 'dynamodb', `table/${name}`),
      StreamArn: arn(at, 'dynamodb', `table/${name}/stream/local`),
    },
  }),
  'AWS::SQS::Queue': (name, at) => ({
    ref: `${at.sqsUrl}/${at.accountId}/${name}`,
    attributes: { Arn: arn(at, 'sqs', name), QueueName: name, QueueUrl: `${at.sqsUrl}/${at.accountId}/${name}` },
  }),
  'AWS::S3::Bucket': (name, at) => ({ ref: name, attributes: { Arn: arn(at, 's3', name) } }),
  'AWS::Lambda::Function': (name, at) => ({ ref: name, attributes: { Arn: arn(at, 'lambda', `function:${name}`) } }),
  'AWS::Lambda::Version': (name, at) => ({ ref: arn(at, 'lambda', `function:${name}`), attributes: { Version: '1' } }),
  'AWS::IAM::Role': (name, at) => ({ ref: name, attributes: { Arn: arn(at, 'iam', `role/${name}`) } }),
  'AWS::KMS::Key': (name, at) => ({ ref: name, attributes: { Arn: arn(at, 'kms', `key/${name}`) } }),
  'AWS::Logs::LogGroup': (name, at) => ({ ref: name, attributes: { Arn: arn(at, 'logs', `log-group:${name}:*`) } }),
  'AWS::Events::EventBus': (name, at) => ({
    ref: name,
    attributes: { Arn: arn(at, 'events', `event-bus/${name}`), Name: name },
  }),
  'AWS::SecretsManager::Secret': (name, at) => ({ ref: arn(at, 'secretsmanager', `secret:${name}`), attributes: {} }),
  'AWS::Events::Rule': (name, at) => ({ ref: name, attributes: { Arn: arn(at, 'events', `rule/${name}`) } }),
  'AWS::ApiGatewayV2::Api': (name, at) => ({ ref: name, attributes: { ApiId: name, ApiEndpoint: at.apiUrl } }),
  'AWS::CloudFront::Distribution': (name) => ({ ref: name, attributes: { DomainName: `${name}.cloudfront.net` } }),
  // Unused: the name leads to AWS, and clients reach the local runner by its port.
  'AWS::ApiGatewayV2::DomainName': (name) => ({ ref: name, attributes: { RegionalDomainName: name } }),
};
