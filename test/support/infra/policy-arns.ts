import type { Resource, SynthesizedStack } from './templates.ts';
import { at, listOf } from './templates.ts';

/** The ARN that `Ref` and `Fn::GetAtt` give for each type of resource, as CloudFormation's reference of the type says. */
const arns: Readonly<Record<string, (id: string) => string>> = {
  'AWS::ApiGatewayV2::Api': (id) => id,
  'AWS::CloudFront::Distribution': (id) => id,
  'AWS::CodeDeploy::Application': (id) => id,
  'AWS::CodeDeploy::DeploymentGroup': (id) => id,
  'AWS::DynamoDB::Table': (id) => `arn:aws:dynamodb:eu-west-1:123456789012:table/${id}`,
  'AWS::Events::EventBus': (id) => `arn:aws:events:eu-west-1:123456789012:event-bus/${id}`,
  'AWS::Events::Rule': (id) => `arn:aws:events:eu-west-1:123456789012:rule/${id}`,
  'AWS::IAM::Role': (id) => `arn:aws:iam::123456789012:role/${id}`,
  'AWS::KMS::Key': (id) => `arn:aws:kms:eu-west-1:123456789012:key/${id}`,
  'AWS::Lambda::Alias': (id) => `arn:aws:lambda:eu-west-1:123456789012:function:${id}:live`,
  'AWS::Lambda::Function': (id) => `arn:aws:lambda:eu-west-1:123456789012:function:${id}`,
  'AWS::Logs::LogGroup': (id) => `arn:aws:logs:eu-west-1:123456789012:log-group:${id}:log-stream:*`, // AWS gives `:*`, which includes these
  'AWS::S3::Bucket': (id) => `arn:aws:s3:::${id}`,
  'AWS::SecretsManager::Secret': (id) => `arn:aws:secretsmanager:eu-west-1:123456789012:secret:${id}-a1b2c3`,
  'AWS::SNS::Topic': (id) => `arn:aws:sns:eu-west-1:123456789012:${id}`,
  'AWS::SQS::Queue': (id) => `arn:aws:sqs:eu-west-1:123456789012:${id}`,
};

const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::AccountId': '123456789012',
  'AWS::Partition': 'aws',
  'AWS::Region': 'eu-west-1',
  'AWS::StackName': 'Roomscribe',
};

/** A value of a template as CloudFormation would resolve it, for the functions and types that policies use. Throws for others. */
export function resolved(stack: SynthesizedStack, value: unknown): string {
  if (typeof value === 'string') return value;
  const parts = at(value, 'Fn::Join', 1);
  if (parts !== undefined)
    return listOf(parts)
      .map((part) => resolved(stack, part))
      .join('');
  const substituted = at(value, 'Fn::Sub');
  if (typeof substituted === 'string')
    return substituted.replace(/\$\{([^}]+)\}/g, (_whole, name) => resolved(stack, { Ref: name }));
  const reference = at(value, 'Ref') ?? at(value, 'Fn::GetAtt', 0);
  const known = pseudoParameters[String(reference)];
  if (known !== undefined) return known;
  const resource = [...stack.resources, ...stack.helpers].find(({ id }) => id === reference);
  if (!resource) throw new Error(`No rule resolves ${JSON.stringify(value)}.`);
  return resolvedReference(resource, at(value, 'Fn::GetAtt', 1));
}

function resolvedReference({ id, type }: Resource, attribute: unknown): string {
  const arnOf = arns[type];
  if (!arnOf) throw new Error(`No rule says which ARN ${type} has.`);
  return attribute === 'StreamArn' ? `${arnOf(id)}/stream/2026-01-01T00:00:00.000` : arnOf(id);
}
