import { describe, expect, test } from 'vitest';
import { type OwnIssuer, stageConfig, stageNames } from '#infra/settings/stages.ts';
import { personTokenMinutes } from '#shared/contracts/organization/person.ts';
import {
  at,
  type Resource,
  refersTo,
  type SynthesizedStack,
  stackOf,
  withConsole,
} from '../../support/infra/templates.ts';

const isOfPeople = ({ path }: Resource) => path.includes('/People/');

function only(stack: SynthesizedStack, type: string, isMeant: (resource: Resource) => boolean = () => true): Resource {
  const [first, ...others] = stack.all(type).filter(isMeant);
  if (first === undefined || others.length > 0) throw new Error(`Expected one ${type}, found ${others.length + 1}.`);
  return first;
}

function variablesOf({ properties }: Resource): Readonly<Record<string, unknown>> {
  return Object(at(properties, 'Environment', 'Variables'));
}

/** The variables of the functions behind the routes that have the authorizer. */
function endpointVariables(stack: SynthesizedStack) {
  const found = stack
    .all('AWS::Lambda::Function')
    .map(variablesOf)
    .filter((variables) => 'ORGANIZATION_CLAIM' in variables);
  expect(found.length).toBeGreaterThan(20);
  return found;
}

function authorizerOf(stack: SynthesizedStack): Resource {
  return stack.called(only(stack, 'AWS::ApiGatewayV2::Authorizer').properties.AuthorizerUri);
}

describe.each(stageNames)('the people of %s with a console', (stage) => {
  const stack = stackOf(stage, { config: withConsole });
  const pool = only(stack, 'AWS::Cognito::UserPool', isOfPeople);
  const client = only(stack, 'AWS::Cognito::UserPoolClient');

  test('are in a pool of their own, without sign-up, which prod retains', () => {
    const isKept = stage === 'prod';
    expect(stack.all('AWS::Cognito::UserPool')).toHaveLength(2);
    expect(pool.properties).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
      AutoVerifiedAttributes: ['email'],
      AccountRecoverySetting: { RecoveryMechanisms: [{ Name: 'verified_email' }] },
      UserPoolTier: 'ESSENTIALS',
      DeletionProtection: isKept ? 'ACTIVE' : 'INACTIVE',
    });
    expect(pool.deletionPolicy).toBe(isKept ? 'Retain' : 'Delete');
    expect(pool.properties).not.toHaveProperty('LambdaConfig');
  });

  test('have an attribute for the organization that has invited them, which no client may read or write', () => {
    const schema = pool.properties.Schema as readonly { readonly Name: string }[];
    expect(schema.filter(({ Name }) => Name !== 'email')).toEqual([
      expect.objectContaining({ Name: 'organization', AttributeDataType: 'String', Mutable: true }),
    ]);
    expect([client.properties.ReadAttributes, client.properties.WriteAttributes]).toEqual([['email'], ['email']]);
  });

  test('need a long password, and an authenticator app beside it', () => {
    expect(pool.properties).toMatchObject({ MfaConfiguration: 'ON', EnabledMfas: ['SOFTWARE_TOKEN_MFA'] });
    expect(at(pool.properties, 'Policies', 'PasswordPolicy')).toEqual({
      MinimumLength: 12,
      RequireLowercase: true,
      RequireUppercase: true,
      RequireNumbers: true,
      RequireSymbols: true,
      TemporaryPasswordValidityDays: 7,
    });
  });

  test('get an invitation with the address of the console, and what they need for the first login', () => {
    const template = at(pool.properties, 'AdminCreateUserConfig', 'InviteMessageTemplate');
    const mail = JSON.stringify(at(template, 'EmailMessage'));
    for (const placeholder of ['{username}', '{####}']) expect(mail).toContain(placeholder);
    expect(refersTo(at(template, 'EmailMessage'), only(stack, 'AWS::CloudFront::Distribution').id)).toBe(true);
  });

  test('log in at the newer login, which has a look, at a domain with a unique name', () => {
    const domain = only(stack, 'AWS::Cognito::UserPoolDomain', isOfPeople);
    expect(domain.properties.ManagedLoginVersion).toBe(2);
    const unique = { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] };
    expect(domain.properties.Domain).toEqual({ 'Fn::Join': ['', ['roomscribe-people-', unique]] });
    const branding = only(stack, 'AWS::Cognito::ManagedLoginBranding');
    expect(branding.properties.UseCognitoProvidedValues).toBe(true);
    expect([
      refersTo(branding.properties.ClientId, client.id),
      refersTo(branding.properties.UserPoolId, pool.id),
    ]).toEqual([true, true]);
  });

  test('get short tokens for the API alone, and read no more about themselves than their address', () => {
    const minutes = { AccessToken: 'minutes', IdToken: 'minutes', RefreshToken: 'minutes' };
    expect(client.properties).toMatchObject({
      AccessTokenValidity: personTokenMinutes,
      IdTokenValidity: personTokenMinutes,
      RefreshTokenValidity: 12 * 60,
      TokenValidityUnits: minutes,
      AuthSessionValidity: 15,
      EnableTokenRevocation: true,
      PreventUserExistenceErrors: 'ENABLED',
      ExplicitAuthFlows: ['ALLOW_REFRESH_TOKEN_AUTH'],
      SupportedIdentityProviders: ['COGNITO'],
      ReadAttributes: ['email'],
      WriteAttributes: ['email'],
    });
    const server = only(stack, 'AWS::Cognito::UserPoolResourceServer', isOfPeople);
    expect(server.properties).toMatchObject({ Identifier: 'roomscribe', Scopes: [{ ScopeName: 'access' }] });
    const [openid, access, ...others] = client.properties.AllowedOAuthScopes as readonly unknown[];
    expect([openid, others]).toEqual(['openid', []]);
    expect([refersTo(access, server.id), JSON.stringify(access).includes('/access')]).toEqual([true, true]);
    expect(refersTo(client.properties.UserPoolId, pool.id)).toBe(true);
  });

  test('are known to the authorizer, which then needs no other permission or call', () => {
    const authorize = authorizerOf(stack);
    const variables = variablesOf(authorize);
    expect(refersTo(variables.PEOPLE_POOL_ID, pool.id)).toBe(true);
    expect(refersTo(variables.CONSOLE_CLIENT_ID, client.id)).toBe(true);
    expect(refersTo(variables.USER_POOL_ID, pool.id)).toBe(false);
    expect(refersTo(at(stack.outputs.PeoplePoolId, 'Value'), pool.id)).toBe(true);
    expect(refersTo(at(stack.outputs.ConsoleClientId, 'Value'), client.id)).toBe(true);
    for (const variables of endpointVariables(stack)) expect(variables).not.toHaveProperty('ROLE_CLAIM');
  });
});

describe.each(stageNames)('the stack of %s', (stage) => {
  test('has no people by default, and its authorizer knows none', () => {
    const stack = stackOf(stage);
    expect(stack.all('AWS::Cognito::UserPool')).toHaveLength(1);
    expect(stack.text).not.toMatch(/PEOPLE_POOL_ID|CONSOLE_CLIENT_ID|ROLE_CLAIM|PeoplePoolId/);
  });

  test('passes the points of a person to each endpoint', () => {
    const stack = stackOf(stage, { config: { personPointsPerMinute: 77 } });
    for (const variables of endpointVariables(stack)) expect(variables.PERSON_POINTS_PER_MINUTE).toBe('77');
  });

  test('with its own issuer tells endpoints how to know its people, if it has some', () => {
    const issuer = { issuer: 'https://id.example.org', audience: 'my-api', organizationClaim: 'custom:tenant' };
    const variablesWith = (ownIssuer: OwnIssuer) => endpointVariables(stackOf(stage, { config: { ownIssuer } }));
    for (const variables of variablesWith({ ...issuer, roleClaim: 'custom:role', consoleClientId: 'console-17' }))
      expect(variables).toMatchObject({ ROLE_CLAIM: 'custom:role', CONSOLE_CLIENT_ID: 'console-17' });
    for (const variables of variablesWith(issuer))
      for (const name of ['ROLE_CLAIM', 'CONSOLE_CLIENT_ID']) expect(variables).not.toHaveProperty(name);
  });
});

describe('the settings of people', () => {
  const given = (context: Readonly<Record<string, string>>) => stageConfig('prod', (key) => context[key]);
  const issuer = { issuer: 'https://id.example.org', roleClaim: 'role' };

  test('are off by default, with 300 points for each person', () => {
    expect(given({})).toMatchObject({ console: false, personPointsPerMinute: 300 });
    expect(given({ console: 'true', personPointsPerMinute: '3' })).toMatchObject({
      console: true,
      personPointsPerMinute: 3,
    });
  });

  test('allow people of an own issuer without a console', () => {
    expect(given(issuer).ownIssuer).toMatchObject({ roleClaim: 'role', consoleClientId: undefined });
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['a console that is neither true nor false', { console: 'yes' }, '-c console must be true or false'],
    ['fewer points than a request costs', { personPointsPerMinute: '2' }, 'must be a whole number of at least 3'],
    ['a role without an issuer', { roleClaim: 'role' }, 'give -c issuer too'],
    ['a client without an issuer', { console: 'true', consoleClientId: 'c' }, 'give -c issuer too'],
    [
      'an issuer and a console without a client',
      { console: 'true', ...issuer },
      'needs -c consoleClientId and -c roleClaim',
    ],
    [
      'an issuer and a console without a role',
      { console: 'true', issuer: issuer.issuer, consoleClientId: 'c' },
      'needs -c consoleClientId and -c roleClaim',
    ],
    ['a client without a console', { ...issuer, consoleClientId: 'c' }, 'give -c console=true too'],
  ])('cannot have %s', (_, context, message) => {
    expect(() => given(context)).toThrow(message);
  });
});
