import { describe, expect, test } from 'vitest';
import { stageConfig, stageNames } from '#infra/settings/stages.ts';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { publicEndpointList } from '#shared/contracts/public-endpoints.ts';
import { selfAuthenticatedEndpointList } from '#shared/contracts/self-authenticated-endpoints.ts';
import { envNames } from '#shared/runtime/names.ts';
import { at, stackOf } from '../support/infra/templates.ts';

const everyEndpoint = [...endpointList, ...selfAuthenticatedEndpointList, ...publicEndpointList];
const routeKey = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const routeKeys = (each: (typeof everyEndpoint)[number]) =>
  'answersHead' in each && each.answersHead ? [routeKey(each), `HEAD ${each.path}`] : [routeKey(each)];
const publicRoutes = publicEndpointList.map(routeKey);
const openRoutes = [...publicRoutes, ...selfAuthenticatedEndpointList.flatMap(routeKeys)];

describe.each(stageNames)('the API of %s', (stage) => {
  const stack = stackOf(stage);
  const routes = stack.all('AWS::ApiGatewayV2::Route');

  test('has the routes of the contract and no others', () => {
    const contract = everyEndpoint.flatMap(routeKeys);
    expect(routes.map(({ properties }) => properties.RouteKey).sort()).toEqual(contract.sort());
  });

  test('requires a token on every route except the public ones, those of links and that of webhooks', () => {
    expect(openRoutes).toEqual([
      'GET /v1/openapi.json',
      'GET /v1/links/{token}',
      'HEAD /v1/links/{token}',
      'POST /v1/hooks/{connectionId}/{proxy+}',
    ]);
    const guarded = routes.filter(({ properties }) => !openRoutes.includes(String(properties.RouteKey)));
    expect(guarded).toHaveLength(endpointList.length);
    for (const { properties } of guarded) {
      expect(properties).toMatchObject({ AuthorizationType: 'CUSTOM' });
      const authorizer = stack.referred(properties.AuthorizerId, 'AWS::ApiGatewayV2::Authorizer');
      const authorize = stack.called(authorizer.properties.AuthorizerUri);
      expect(authorize.path).toContain('/authorize-request/');
    }
  });

  test('gives the public functions no environment variables about organizations', () => {
    for (const { operationId } of publicEndpointList) {
      const target = stack.all('AWS::Lambda::Function').find(({ path }) => path.includes(`/${operationId}/`));
      expect(Object.keys(Object(at(target?.properties, 'Environment', 'Variables')))).toEqual([
        envNames.logLevel,
        envNames.serviceName,
      ]);
    }
  });

  test('sends every route to the function of its endpoint, in payload format 2.0', () => {
    for (const { properties } of routes) {
      const integration = stack.referred(properties.Target, 'AWS::ApiGatewayV2::Integration');
      expect(integration.properties).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
      const target = stack.called(integration.properties.IntegrationUri);
      const endpoint = everyEndpoint.find((each) => routeKeys(each).includes(String(properties.RouteKey)));
      expect(target.path).toContain(`/${endpoint?.operationId}/`);
      expect(target.properties.Description).toBe(endpoint && routeKey(endpoint));
    }
  });

  test('has one function for each endpoint', () => {
    const targets = stack
      .all('AWS::ApiGatewayV2::Integration')
      .map(({ properties }) => stack.called(properties.IntegrationUri).id);
    expect(new Set(targets).size).toBe(everyEndpoint.length);
  });

  test('grants the right to call functions only to API Gateway and EventBridge, with a source', () => {
    for (const { properties } of stack.all('AWS::Lambda::Permission')) {
      expect(properties).toMatchObject({ Action: 'lambda:InvokeFunction' });
      expect(['apigateway.amazonaws.com', 'events.amazonaws.com']).toContain(properties.Principal);
      expect(properties.SourceArn).toBeDefined();
    }
  });

  test('has no throttle for links and webhooks, which one guesser could use up for everyone', () => {
    for (const { properties } of stack.all('AWS::ApiGatewayV2::Stage'))
      expect(JSON.stringify(properties.RouteSettings)).not.toMatch(/\/v1\/(links|hooks)\//);
  });

  test('passes its URL to the functions that write links to it, verify signatures of it or keep webhooks from calling it, and to no other', () => {
    const withUrl = stack.all('AWS::Lambda::Function').flatMap(({ properties }) => {
      const url = at(properties, 'Environment', 'Variables', envNames.apiUrl);
      return url === undefined ? [] : [[properties.Description, url]];
    });
    const url = at(stack.outputs.ApiUrl, 'Value');
    expect(withUrl.sort()).toEqual([
      ['GET /v1/transcriptions/{transcriptionId}/access-link', url],
      ['PATCH /v1/webhooks/{webhookId}', url],
      ['POST /v1/hooks/{connectionId}/{proxy+}', url],
      ['POST /v1/webhooks', url],
    ]);
  });

  test('throttles the whole stage, and passes the points per minute to each function', () => {
    const { rateLimitPointsPerMinute } = stageConfig(stage, () => undefined);
    const throttling = { dev: { requestsPerSecond: 100, burst: 200 }, prod: { requestsPerSecond: 1000, burst: 2000 } }[
      stage
    ];
    const [only, ...others] = stack.all('AWS::ApiGatewayV2::Stage');
    expect(others).toEqual([]);
    expect(only?.properties).toMatchObject({
      StageName: '$default',
      AutoDeploy: true,
      DefaultRouteSettings: {
        ThrottlingRateLimit: throttling.requestsPerSecond,
        ThrottlingBurstLimit: throttling.burst,
      },
      RouteSettings: Object.fromEntries(
        publicRoutes.map((route) => [route, { ThrottlingRateLimit: 10, ThrottlingBurstLimit: 20 }]),
      ),
    });
    for (const { properties } of stack.all('AWS::ApiGatewayV2::Integration')) {
      const { properties: target } = stack.called(properties.IntegrationUri);
      if (openRoutes.includes(String(target.Description))) continue;
      expect(at(target, 'Environment', 'Variables', 'RATE_LIMIT_POINTS_PER_MINUTE')).toBe(
        String(rateLimitPointsPerMinute),
      );
    }
  });

  test('passes the ceiling on bulk deletes to the function that counts them, and to no other', () => {
    const { bulkDeleteIdsPerHour } = stageConfig(stage, () => undefined);
    const found = stack.all('AWS::Lambda::Function').filter(({ properties }) => {
      const value = at(properties, 'Environment', 'Variables', 'BULK_DELETE_IDS_PER_HOUR');
      return value === String(bulkDeleteIdsPerHour);
    });
    expect(found.map(({ properties }) => properties.Description)).toEqual(['POST /v1/transcriptions/bulk-delete']);
  });

  test('writes a JSON log line for every request, with the log retention of the stage and without tokens', () => {
    for (const { properties } of stack.all('AWS::ApiGatewayV2::Stage')) {
      const logGroup = stack.referred(at(properties.AccessLogSettings, 'DestinationArn'), 'AWS::Logs::LogGroup');
      expect(logGroup.properties.RetentionInDays).toBe(stageConfig(stage, () => undefined).logRetention);
      const line = JSON.parse(String(at(properties.AccessLogSettings, 'Format')));
      expect(line).toMatchObject({
        correlationId: '$context.requestId',
        routeKey: '$context.routeKey',
        status: '$context.status',
        responseLatencyMs: '$context.responseLatency',
      });
      // Paths contain IDs, queries contain room names, and claims and headers contain secrets.
      for (const value of Object.values(line))
        expect(value).toMatch(/^\$context\.(?!path$|authorizer\.claims|domain|identity\.(?!sourceIp$))[A-Za-z.]+$/);
    }
  });

  test('has functions that time out before API Gateway does, after thirty seconds', () => {
    for (const { properties } of stack.all('AWS::ApiGatewayV2::Integration')) {
      const { properties: target } = stack.called(properties.IntegrationUri);
      expect(target.Timeout).toBeLessThan(30);
    }
  });
});
