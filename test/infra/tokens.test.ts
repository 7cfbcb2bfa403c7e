import { describe, expect, test } from 'vitest';
import { stageNames } from '#infra/settings/stages.ts';
import { publicEndpointList } from '#shared/contracts/public-endpoints.ts';
import { selfAuthenticatedEndpointList } from '#shared/contracts/self-authenticated-endpoints.ts';
import { at, refersTo, type SynthesizedStack, stackOf } from '../support/infra/templates.ts';

const openOperations = [...publicEndpointList, ...selfAuthenticatedEndpointList].flatMap(({ method, path }) => [
  `${method} ${path}`,
  `HEAD ${path}`,
]);

/** The claim that each function of the API reads the organization from. */
function organizationClaims(stack: SynthesizedStack): unknown[] {
  return stack
    .all('AWS::ApiGatewayV2::Integration')
    .map(({ properties }) => stack.called(properties.IntegrationUri).properties)
    .filter(({ Description }) => !openOperations.includes(String(Description)))
    .map((target) => at(target, 'Environment', 'Variables', 'ORGANIZATION_CLAIM'));
}

function only<Item>(items: readonly Item[]): Item {
  const [first, ...others] = items;
  if (first === undefined || others.length > 0) throw new Error(`Expected one item, found ${items.length}.`);
  return first;
}

describe.each(stageNames)('the tokens of %s', (stage) => {
  const stack = stackOf(stage);
  const userPool = only(stack.all('AWS::Cognito::UserPool'));
  const authorizer = only(stack.all('AWS::ApiGatewayV2::Authorizer'));
  const authorize = stack.called(authorizer.properties.AuthorizerUri);

  test('come from a user pool without sign-up, which prod retains', () => {
    const isKept = stage === 'prod';
    expect(userPool.properties).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'admin_only' }] },
      MfaConfiguration: 'ON',
      DeletionProtection: isKept ? 'ACTIVE' : 'INACTIVE',
    });
    expect(userPool.deletionPolicy).toBe(isKept ? 'Retain' : 'Delete');
    expect(userPool.properties).not.toHaveProperty('LambdaConfig');
    expect(stack.resources.filter(({ type }) => type === 'AWS::Cognito::UserPoolClient')).toEqual([]);
  });

  test('are requested at a domain with a unique name', () => {
    const domain = only(stack.all('AWS::Cognito::UserPoolDomain'));
    expect(refersTo(domain.properties.UserPoolId, userPool.id)).toBe(true);
    const [separator, [prefix, unique]] = at(domain.properties.Domain, 'Fn::Join') as [string, [string, unknown]];
    expect(separator + prefix).toBe('roomscribe-');
    expect(unique).toEqual({ 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] });
    expect(prefix).not.toMatch(/aws|amazon|cognito/); // Cognito rejects these words
    const tokenUrl = at(stack.outputs.TokenUrl, 'Value', 'Fn::Join', 1) as readonly unknown[];
    expect([tokenUrl[0], tokenUrl.at(-1)]).toEqual(['https://', '.amazoncognito.com/oauth2/token']);
    expect(refersTo(stack.outputs.TokenUrl, domain.id)).toBe(true);
  });

  test('have the one scope of the one resource server', () => {
    const server = only(stack.all('AWS::Cognito::UserPoolResourceServer'));
    expect(refersTo(server.properties.UserPoolId, userPool.id)).toBe(true);
    expect(server.properties).toMatchObject({ Identifier: 'roomscribe', Scopes: [{ ScopeName: 'access' }] });
    const scope = at(stack.outputs.TokenScope, 'Value');
    expect(JSON.stringify(scope)).toContain('/access');
    expect(refersTo(scope, server.id)).toBe(true);
    expect(at(authorize.properties, 'Environment', 'Variables', 'TOKEN_SCOPE')).toEqual(scope);
  });

  test('are checked by a function before the endpoint is called, at most once in five minutes', () => {
    expect(authorizer.properties).toMatchObject({
      AuthorizerType: 'REQUEST',
      AuthorizerPayloadFormatVersion: '2.0',
      EnableSimpleResponses: true,
      AuthorizerResultTtlInSeconds: 300,
      IdentitySource: ['$request.header.Authorization'],
    });
    expect(refersTo(at(authorize.properties, 'Environment', 'Variables', 'USER_POOL_ID'), userPool.id)).toBe(true);
    expect(authorize.properties.Timeout).toBeLessThan(10);
  });

  test('are checked by a function that only this authorizer may call', () => {
    const permission = only(
      stack
        .all('AWS::Lambda::Permission')
        .filter(({ properties }) => stack.called(properties.FunctionName) === authorize),
    );
    expect(permission.properties.Principal).toBe('apigateway.amazonaws.com');
    expect(refersTo(permission.properties.SourceArn, authorizer.id)).toBe(true);
  });

  test('identify the organization by their client', () => {
    expect(new Set(organizationClaims(stack))).toEqual(new Set(['client_id']));
  });
});

describe.each(stageNames)('the stack of %s with its own issuer', (stage) => {
  const ownIssuer = { issuer: 'https://id.example.org', audience: 'my-api', organizationClaim: 'custom:tenant' };
  const stack = stackOf(stage, { config: { ownIssuer } });

  test('has no Cognito resources', () => {
    expect(stack.text).not.toMatch(/cognito|authorize-request|USER_POOL_ID|TokenUrl/i);
  });

  test('uses the JWT authorizer of API Gateway', () => {
    const authorizer = only(stack.all('AWS::ApiGatewayV2::Authorizer'));
    expect(authorizer.properties).toMatchObject({
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: { Issuer: ownIssuer.issuer, Audience: [ownIssuer.audience] },
    });
    for (const { properties } of stack.all('AWS::ApiGatewayV2::Route')) {
      const isPublic = openOperations.includes(String(properties.RouteKey));
      expect(properties.AuthorizationType).toBe(isPublic ? 'NONE' : 'JWT');
      expect(refersTo(properties.AuthorizerId, authorizer.id)).toBe(!isPublic);
    }
  });

  test('reads the organization from the configured claim', () => {
    expect(new Set(organizationClaims(stack))).toEqual(new Set(['custom:tenant']));
  });
});
