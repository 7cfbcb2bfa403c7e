import path from 'node:path';
import * as z from 'zod';
import { UserError } from '#tools/shared/user-error.ts';
import { resolveIntrinsics } from './intrinsic-functions.ts';
import { arn, type Deployment, lookupOf, physicalName } from './physical-names.ts';
import { localMeaning, type Properties, type ResourceType, resourceTypes } from './resource-types.ts';
import type { Assembly, Template } from './synthesize.ts';

/** A resource of the stack with resolved and validated properties. */
export type Resource<Type extends ResourceType> = {
  readonly logicalId: string;
  /** The name of the resource, and the last part of its ARN. */
  readonly name: string;
  readonly properties: Properties<Type>;
};

/** A function of the stack. `name` is the name of its folder, and `codeFolder` contains its bundle. */
export type StackFunction = Resource<'AWS::Lambda::Function'> & {
  readonly arn: string;
  /** ARNs of its aliases. Each alias points to the only local version. */
  readonly aliasArns: readonly string[];
  readonly codeFolder: string;
};

/** A route of the HTTP API with its function and its authorizer. */
export type Route = {
  readonly routeKey: string;
  readonly function: StackFunction;
  readonly timeoutMs: number;
  /** Undefined for a public route. */
  readonly authorizer: Authorizer | undefined;
};

/** A Lambda authorizer. Its results are cached for some seconds, or not at all. */
export type Authorizer = { readonly id: string; readonly function: StackFunction; readonly cacheSeconds: number };

/** A secret whose value Secrets Manager makes: so many random letters and digits. */
export type StackSecret = { readonly name: string; readonly arn: string; readonly valueLength: number };

/** The CORS settings of the API. */
export type Cors = NonNullable<Properties<'AWS::ApiGatewayV2::Api'>['CorsConfiguration']>;

/** The parts of a synthesized stack that run locally. */
export type Stack = {
  readonly deployment: Deployment;
  readonly tables: readonly Resource<'AWS::DynamoDB::Table'>[];
  readonly queues: readonly Resource<'AWS::SQS::Queue'>[];
  readonly buckets: readonly Resource<'AWS::S3::Bucket'>[];
  readonly functions: readonly StackFunction[];
  readonly eventSources: readonly Resource<'AWS::Lambda::EventSourceMapping'>[];
  readonly rules: readonly Resource<'AWS::Events::Rule'>[];
  /** The names of its event buses. */
  readonly busNames: readonly string[];
  readonly secrets: readonly StackSecret[];
  readonly routes: readonly Route[];
  /** Undefined if the API has no CORS. */
  readonly cors: Cors | undefined;
  readonly roleArns: readonly string[];
  readonly outputs: Readonly<Record<string, string>>;
};

/** Converts a template to the parts that run locally. Throws an error that names any resource that cannot run. */
export function readStack(synthesized: Assembly, deployment: Deployment): Stack {
  const template = withoutDeploymentHelpers(synthesized.template);
  const assembly = { ...synthesized, template };
  rejectUnknownTypes(assembly);
  const lookup = lookupOf(template, deployment);
  const all = <Type extends ResourceType>(type: Type) => resourcesOf(type, assembly, deployment);
  const aliases = readAliases(all);
  const functions = all('AWS::Lambda::Function').map((resource) =>
    stackFunction(resource, aliases, assembly, deployment),
  );
  const roles = Object.entries(template.Resources).filter(([, { Type }]) => Type === 'AWS::IAM::Role');
  return {
    deployment,
    tables: all('AWS::DynamoDB::Table'),
    queues: all('AWS::SQS::Queue'),
    buckets: all('AWS::S3::Bucket'),
    functions,
    eventSources: all('AWS::Lambda::EventSourceMapping'),
    rules: all('AWS::Events::Rule'),
    busNames: all('AWS::Events::EventBus').map(({ name }) => name),
    secrets: all('AWS::SecretsManager::Secret').map(({ name, properties }) => ({
      name,
      arn: arn(deployment, 'secretsmanager', `secret:${name}`),
      valueLength: properties.GenerateSecretString.PasswordLength,
    })),
    routes: readRoutes(all, functions),
    cors: onlyApi(all).CorsConfiguration,
    roleArns: roles.map(([id]) => arn(deployment, 'iam', `role/${physicalName('AWS::IAM::Role', id, deployment)}`)),
    outputs: Object.fromEntries(
      Object.entries(template.Outputs).map(([name, { Value }]) => [name, String(resolveIntrinsics(Value, lookup))]),
    ),
  };
}

/** Finds a function by its ARN or name, or by the ARN or name of one of its aliases. */
export function findFunction(functions: readonly StackFunction[], arnOrName: string): StackFunction {
  const found = functions.find(({ arn, aliasArns }) =>
    [arn, ...aliasArns].some((each) => each === arnOrName || each.endsWith(`:function:${arnOrName}`)),
  );
  if (!found) throw new UserError(`The template names the function ${arnOrName}, which it does not have.`);
  return found;
}

/** Omits the functions of custom resources. CloudFormation calls them at deployment, and nothing is deployed here. */
function withoutDeploymentHelpers(template: Template): Template {
  const resources = Object.entries(template.Resources);
  const helpers = new Set(resources.map(([, { Properties }]) => ServiceToken.safeParse(Properties.ServiceToken).data));
  return { ...template, Resources: Object.fromEntries(resources.filter(([logicalId]) => !helpers.has(logicalId))) };
}

/** The reference of a custom resource to its function, parsed to the logical id of the function. */
const ServiceToken = z
  .object({ 'Fn::GetAtt': z.tuple([z.string(), z.literal('Arn')]) })
  .transform(({ 'Fn::GetAtt': [logicalId] }) => logicalId);

function rejectUnknownTypes({ template }: Assembly): void {
  for (const [logicalId, { Type, Condition }] of Object.entries(template.Resources)) {
    const meaning = localMeaning(Type);
    if (meaning === 'unknown') {
      throw new UserError(
        `The stack has ${logicalId} of type ${Type}, which the local runner does not support. ` +
          'Implement it in tools/local, or list it as a type without local meaning in template/resource-types.ts.',
      );
    }
    if (meaning === 'runs' && Condition !== undefined) {
      throw new UserError(`The stack has ${logicalId} with a condition, and tools/local does not support conditions.`);
    }
  }
}

function resourcesOf<Type extends ResourceType>(
  type: Type,
  assembly: Assembly,
  deployment: Deployment,
): Resource<Type>[] {
  const lookup = lookupOf(assembly.template, deployment);
  return Object.entries(assembly.template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([logicalId, resource]) => {
      // The code of a function comes from its asset. The parameters in `Code` exist only in a deployment.
      const { Code: _, ...declared } = resource.Properties;
      const parsed = resourceTypes[type].safeParse(resolveIntrinsics(declared, lookup));
      if (!parsed.success) {
        throw new UserError(`${logicalId} (${type}) cannot run locally: ${z.prettifyError(parsed.error)}`);
      }
      const properties = parsed.data as Properties<Type>; // TypeScript does not infer the schema of `Type` from the index
      return { logicalId, name: physicalName(type, logicalId, deployment), properties };
    });
}

/** Reads the aliases of the stack. Reads the versions only to reject unsupported properties. */
function readAliases(
  all: <Type extends ResourceType>(type: Type) => Resource<Type>[],
): Resource<'AWS::Lambda::Alias'>[] {
  all('AWS::Lambda::Version');
  return all('AWS::Lambda::Alias');
}

/**
 * Builds a function. Its name is that of its folder: the last construct id in its path that starts with a lowercase
 * letter.
 */
function stackFunction(
  resource: Resource<'AWS::Lambda::Function'>,
  aliases: readonly Resource<'AWS::Lambda::Alias'>[],
  { template, folder }: Assembly,
  deployment: Deployment,
): StackFunction {
  const metadata = template.Resources[resource.logicalId]?.Metadata;
  const asset = metadata?.['aws:asset:path'];
  if (asset === undefined) throw new UserError(`${resource.logicalId} has no bundled code in the assembly.`);
  const constructIds = metadata?.['aws:cdk:path']?.split('/') ?? [];
  const own = aliases.filter(({ properties }) => properties.FunctionName === resource.name);
  const ownArn = arn(deployment, 'lambda', `function:${resource.name}`);
  return {
    ...resource,
    name: constructIds.findLast((id) => /^[a-z]/.test(id)) ?? resource.logicalId,
    arn: ownArn,
    aliasArns: own.map(({ properties }) => `${ownArn}:${properties.Name}`),
    codeFolder: path.join(folder, asset),
  };
}

function onlyApi(
  all: <Type extends ResourceType>(type: Type) => Resource<Type>[],
): Properties<'AWS::ApiGatewayV2::Api'> {
  const [api, ...others] = all('AWS::ApiGatewayV2::Api');
  if (!api || others.length > 0) throw new UserError('The stack must have exactly one HTTP API.');
  return api.properties;
}

function readRoutes(
  all: <Type extends ResourceType>(type: Type) => Resource<Type>[],
  functions: readonly StackFunction[],
): Route[] {
  const integrations = all('AWS::ApiGatewayV2::Integration');
  const authorizers = all('AWS::ApiGatewayV2::Authorizer');
  return all('AWS::ApiGatewayV2::Route').map(({ properties }) => {
    const integration = integrations.find(({ name }) => properties.Target === `integrations/${name}`)?.properties;
    const authorizer = authorizers.find(({ name }) => properties.AuthorizerId === name);
    if (!integration || (properties.AuthorizationType !== 'NONE' && !authorizer)) {
      throw new UserError(
        `The route ${properties.RouteKey} names an integration or an authorizer that the stack does not have.`,
      );
    }
    return {
      routeKey: properties.RouteKey,
      function: findFunction(functions, integration.IntegrationUri),
      timeoutMs: integration.TimeoutInMillis,
      authorizer: authorizer && authorizerOf(authorizer, functions),
    };
  });
}

function authorizerOf(
  { name, properties }: Resource<'AWS::ApiGatewayV2::Authorizer'>,
  functions: readonly StackFunction[],
): Authorizer {
  const [, functionArn = ''] = /\/functions\/(.+)\/invocations$/.exec(properties.AuthorizerUri) ?? [];
  return {
    id: name,
    function: findFunction(functions, functionArn),
    cacheSeconds: properties.AuthorizerResultTtlInSeconds,
  };
}
