import { App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { beforeAll, expect, test } from 'vitest';
import { ServiceApi } from '#infra/api/service-api.ts';
import { stageConfig } from '#infra/settings/stages.ts';
import { EntityTable } from '#infra/storage/entity-table.ts';
import type { ServiceResources } from '#infra/storage/service-resources.ts';
import { entityTables } from '#infra/storage/tables.ts';
import { endpoints } from '#shared/contracts/endpoints.ts';
import { publicEndpointList } from '#shared/contracts/public-endpoints.ts';
import { receiveHook } from '../support/webhooks/sample-hook.ts';

// The sample takes the place of an endpoint whose folder exists, because a function needs one.
const sample = { ...receiveHook, operationId: 'create-transcription' } as const;
const route = 'POST /v1/hooks/{connectionId}';
const tokenRoute = 'GET /v1/transcriptions/{transcriptionId}';
const publicRoute = 'GET /v1/openapi.json';

let template: Template;
beforeAll(() => {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] }, builtinCloudFormationValidation: false });
  const stack = new Stack(app, 'Sample');
  const table = (name: 'transcriptions' | 'rateLimits') =>
    new EntityTable(stack, name, {
      ...entityTables[name],
      removalPolicy: RemovalPolicy.DESTROY,
      encryptionKey: undefined,
    }).table;
  const resources = {
    tables: { transcriptions: table('transcriptions'), rateLimits: table('rateLimits') },
    buckets: { transcripts: new Bucket(stack, 'transcripts') },
    deployment: 'Sample',
    jobNamePrefix: 'Sample',
  } as unknown as ServiceResources; // the sample uses no other resources
  new ServiceApi(stack, 'Api', {
    endpoints: [{ ...endpoints.getTranscription, access: { tables: { transcriptions: ['GetItem'] } } }],
    selfAuthenticatedEndpoints: [
      {
        ...sample,
        access: {
          tables: { transcriptions: ['PutItem'] },
          buckets: { transcripts: { live: ['GetObject'] } },
        },
      },
    ],
    publicEndpoints: publicEndpointList,
    areaOf: () => stack,
    authorizer: new HttpJwtAuthorizer('Authorizer', 'https://issuer.example', { jwtAudience: ['api'] }),
    organizationClaim: 'org',
    resources,
    config: stageConfig('dev', () => undefined),
  });
  template = Template.fromStack(stack);
});

const functionOf = (description: string) => {
  const found = Object.values(
    template.findResources('AWS::Lambda::Function', { Properties: { Description: description } }),
  );
  expect(found).toHaveLength(1);
  return found[0]?.Properties;
};

test('the route of a self-authenticated endpoint has no authorizer, and other routes keep theirs', () => {
  const authorizationOf = (routeKey: string) =>
    Object.values(template.findResources('AWS::ApiGatewayV2::Route', { Properties: { RouteKey: routeKey } })).map(
      ({ Properties }) => [Properties.AuthorizationType, 'AuthorizerId' in Properties],
    );
  expect(authorizationOf(route)).toEqual([['NONE', false]]);
  expect(authorizationOf(publicRoute)).toEqual([['NONE', false]]);
  expect(authorizationOf(tokenRoute)).toEqual([['JWT', true]]);
});

test('the route of a self-authenticated endpoint has the throttle of its contract', () => {
  template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
    RouteSettings: {
      [route]: { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 },
      [publicRoute]: { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 },
    },
  });
});

test('the function of a self-authenticated endpoint gets the environment of its access and of the request counters only', () => {
  expect(Object.keys(functionOf(route)?.Environment.Variables).sort()).toEqual([
    'LOG_LEVEL',
    'RATE_LIMITS_TABLE',
    'SERVICE_NAME',
    'TRANSCRIPTIONS_TABLE',
    'TRANSCRIPTS_BUCKET',
  ]);
});

test('the function of a self-authenticated endpoint may use its access and count requests, and nothing else', () => {
  const policies = Object.entries(template.findResources('AWS::IAM::Policy')).filter(([id]) =>
    id.includes('createtranscription'),
  );
  const statements = policies.flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement);
  const actions = statements.flatMap(({ Action }) => Action);
  expect(actions.filter((action) => !String(action).startsWith('logs:')).sort()).toEqual([
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    's3:GetObject',
  ]);
});

test('API Gateway may call the function of a self-authenticated endpoint on its route', () => {
  template.hasResourceProperties('AWS::Lambda::Permission', {
    Principal: 'apigateway.amazonaws.com',
    SourceArn: { 'Fn::Join': ['', Match.arrayWith([Match.stringLikeRegexp('/v1/hooks/')])] },
  });
});
