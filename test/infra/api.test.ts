import { describe, expect, test } from 'vitest';
import { stageConfig, stageNames } from '#infra/stages.ts';
import { endpointList } from '#shared/contracts/endpoints.ts';
import { publicEndpointList } from '#shared/contracts/public-endpoints.ts';
import { selfAuthenticatedEndpointList } from '#shared/contracts/self-authenticated-endpoints.ts';
import { envNames } from '#shared/names.ts';
import { at, stackOf } from '../support/templates.ts';

const everyEndpoint = [...endpointList, ...selfAuthenticatedEndpointList, ...publicEndpointList];
const routeKey = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const publicRoutes = publicEndpointList.map(routeKey);

describe.each(stageNames)('the API of %s', (stage) => {
  const stack = stackOf(stage);
  const routes = stack.all('AWS::ApiGatewayV2::Route');

  test('has the routes of the contract and no others', () => {
    const contract = everyEndpoint.map(routeKey);
    expect(routes.map(({ properties }) => properties.RouteKey).sort()).toEqual(contract.sort());
  });

  test('lets nothing through to a function without a token, but to the public ones', () => {
    expect(publicRoutes).toEqual(['GET /v1/openapi.json']);
    const guarded = routes.filter(({ properties }) => !publicRoutes.includes(String(properties.RouteKey)));
    expect(guarded).toHaveLength(endpointList.length);
    for (const { properties } of guarded) {
      expect(properties).toMatchObject({ AuthorizationType: 'CUSTOM' });
      const authorizer = stack.referred(properties.AuthorizerId, 'AWS::ApiGatewayV2::Authorizer');
      const authorize = stack.called(authorizer.properties.AuthorizerUri);
      expect(authorize.path).toContain('/authorize-request/');
    }
  });

  test('tells the public functions nothing of organizations', () => {
    for (const { operationId } of publicEndpointList) {
      const target = stack.all('AWS::Lambda::Function').find(({ path }) => path.includes(`/${operationId}/`));
      expect(Object.keys(Object(at(target?.properties, 'Environment', 'Variables')))).toEqual([
        envNames.logLevel,
        envNames.serviceName,
      ]);
    }
  });

  test('leads every route to the function of its endpoint, in payload format 2.0', () => {
    for (const { properties } of routes) {
      const integration = stack.referred(properties.Target, 'AWS::ApiGatewayV2::Integration');
      expect(integration.properties).toMatchObject({ IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' });
      const target = stack.called(integration.properties.IntegrationUri);
      const endpoint = everyEndpoint.find((each) => routeKey(each) === properties.RouteKey);
      expect(target.path).toContain(`/${endpoint?.operationId}/`);
      expect(target.properties.Description).toBe(properties.RouteKey);
    }
  });

  test('has one function for each endpoint', () => {
    const targets = stack
      .all('AWS::ApiGatewayV2::Integration')
      .map(({ properties }) => stack.called(properties.IntegrationUri).id);
    expect(new Set(targets).size).toBe(everyEndpoint.length);
  });

  test('may call its functions, and nobody else may', () => {
    for (const { properties } of stack.all('AWS::Lambda::Permission')) {
      expect(properties).toMatchObject({ Action: 'lambda:InvokeFunction' });
      expect(['apigateway.amazonaws.com', 'events.amazonaws.com']).toContain(properties.Principal);
      expect(properties.SourceArn).toBeDefined();
    }
  });

  test('throttles all of its stage together, and tells each function the points of an organization', () => {
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
      if (publicRoutes.includes(String(target.Description))) continue;
      expect(at(target, 'Environment', 'Variables', 'RATE_LIMIT_POINTS_PER_MINUTE')).toBe(
        String(rateLimitPointsPerMinute),
      );
    }
  });

  test('writes a line of JSON for every call, kept as long as other logs, which no token can get into', () => {
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
      // A path holds ids, a query names of rooms, claims and headers what is worth stealing.
      for (const value of Object.values(line))
        expect(value).toMatch(/^\$context\.(?!path$|authorizer\.claims|domain|identity\.(?!sourceIp$))[A-Za-z.]+$/);
    }
  });

  test('answers a slow request itself, before the gateway gives it up after thirty seconds', () => {
    for (const { properties } of stack.all('AWS::ApiGatewayV2::Integration')) {
      const { properties: target } = stack.called(properties.IntegrationUri);
      expect(target.Timeout).toBeLessThan(30);
    }
  });
});
