import { readdirSync, readFileSync } from 'node:fs';
import { App } from 'aws-cdk-lib';
import { describe, expect, test } from 'vitest';
import { type OwnIssuer, type StageConfig, stageConfig, stageNames } from '#infra/settings/stages.ts';
import { outputTexts } from '#infra/stack/outputs.ts';
import { ServiceStack } from '#infra/stack/service-stack.ts';
import {
  at,
  everySettingWithConsole,
  listOf,
  type Resource,
  refersTo,
  type SynthesizedStack,
  stackOf,
  statementsOf,
  synthesized,
  withConsole,
  withStack,
} from '../../support/infra/templates.ts';

function only<Item>(items: readonly Item[]): Item {
  const [first, ...others] = items;
  if (first === undefined || others.length > 0) throw new Error(`Expected one item, found ${items.length}.`);
  return first;
}

/** A text with deploy-time values. Each of them becomes a name in braces: `{AWS::Region}`, or the construct and its attribute. */
function written(stack: SynthesizedStack, value: unknown): string {
  if (typeof value === 'string') return value;
  const [separator, parts] = (at(value, 'Fn::Join') ?? []) as [string?, unknown[]?];
  if (parts) return parts.map((part) => written(stack, part)).join(separator);
  if (at(value, 'Fn::Select') !== undefined)
    return refersTo(value, 'AWS::StackId') ? '{id of the stack}' : `{part of ${JSON.stringify(value)}}`;
  const reference = at(value, 'Ref');
  const attribute = at(value, 'Fn::GetAtt') as [string, string] | undefined;
  if (typeof reference === 'string' && reference.startsWith('AWS::')) return `{${reference}}`;
  const id = attribute?.[0] ?? reference;
  const path = stack.resources
    .find((resource) => resource.id === id)
    ?.path.split('/')
    .slice(1, -1)
    .join('/');
  return `{${path}${attribute ? `.${attribute[1]}` : ''}}`;
}

const configOf = (distribution: Resource) => Object(distribution.properties.DistributionConfig);
/** Managed policies of CloudFront. https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html */
const managed = {
  cachingOptimized: '658327ea-f89d-4fab-a63d-7e88639e58f6',
  cachingDisabled: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
  allViewerExceptHostHeader: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
};

/** The headers that a policy adds, by their names in lower case. */
function headersOf(stack: SynthesizedStack, policy: Resource): Readonly<Record<string, string>> {
  const { SecurityHeadersConfig: security, CustomHeadersConfig: custom } = Object(
    policy.properties.ResponseHeadersPolicyConfig,
  );
  for (const header of [...Object.values(Object(security)), ...listOf(at(custom, 'Items'))])
    expect(at(header, 'Override')).toBe(true);
  expect(at(security, 'ContentTypeOptions')).toEqual({ Override: true });
  return {
    'content-security-policy': written(stack, at(security, 'ContentSecurityPolicy', 'ContentSecurityPolicy')),
    'referrer-policy': String(at(security, 'ReferrerPolicy', 'ReferrerPolicy')),
    'x-frame-options': String(at(security, 'FrameOptions', 'FrameOption')),
    'strict-transport-security': `max-age=${at(security, 'StrictTransportSecurity', 'AccessControlMaxAgeSec')}`,
    ...Object.fromEntries(
      listOf(at(custom, 'Items')).map((item) => [String(at(item, 'Header')).toLowerCase(), String(at(item, 'Value'))]),
    ),
  };
}

const stages = stageNames.map((stage) => ({ stage, stack: stackOf(stage, { config: withConsole }) }));
const loginOrigin = 'https://roomscribe-people-{id of the stack}.auth.{AWS::Region}.amazoncognito.com';

describe.each(stageNames)('the stack of %s', (stage) => {
  test('has nothing of a console by default', () => {
    expect(stackOf(stage).text).not.toMatch(/CloudFront|BucketDeployment|console\//);
  });
});

describe.each(stages)('the distribution of the console of $stage', ({ stack }) => {
  const distribution = only(stack.all('AWS::CloudFront::Distribution'));
  const config = configOf(distribution);

  test('keeps no error, so one caller never gets the error of another', () => {
    const kept = listOf(config.CustomErrorResponses);
    expect(kept).toEqual(
      [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((ErrorCode) => ({
        ErrorCode,
        ErrorCachingMinTTL: 0,
      })),
    );
  });
  const origins = listOf(config.Origins);
  const originOf = (behavior: unknown) =>
    only(origins.filter((origin) => at(origin, 'Id') === at(behavior, 'TargetOriginId')));
  const pages = config.DefaultCacheBehavior;
  const api = only(listOf(config.CacheBehaviors));

  test('is enabled, has HTTP/2 and 3, and answers no error with another page', () => {
    expect(config).toMatchObject({ Enabled: true, HttpVersion: 'http2and3', IPV6Enabled: true });
    for (const absent of ['DefaultRootObject', 'Aliases', 'ViewerCertificate', 'WebACLId'])
      expect(config).not.toHaveProperty(absent);
  });

  test('reads the pages from the private bucket, with origin access control', () => {
    const bucket = stack.referred(at(originOf(pages), 'DomainName'), 'AWS::S3::Bucket');
    expect(bucket.path).toContain('/Console/Hosting/PagesBucket/');
    const access = only(stack.all('AWS::CloudFront::OriginAccessControl'));
    expect(access.properties.OriginAccessControlConfig).toMatchObject({
      OriginAccessControlOriginType: 's3',
      SigningBehavior: 'always',
      SigningProtocol: 'sigv4',
    });
    expect(refersTo(at(originOf(pages), 'OriginAccessControlId'), access.id)).toBe(true);
    expect(at(originOf(pages), 'S3OriginConfig')).toEqual({ OriginAccessIdentity: '' });
    const policy = only(
      stack.all('AWS::S3::BucketPolicy').filter(({ properties }) => refersTo(properties.Bucket, bucket.id)),
    );
    const allowed = statementsOf(policy.properties.PolicyDocument).filter(
      ({ effect, principal }) => effect === 'Allow' && !stack.helpers.some(({ id }) => refersTo(principal, id)),
    );
    expect(allowed).toMatchObject([
      { actions: ['s3:GetObject'], principal: { Service: 'cloudfront.amazonaws.com' }, resources: [expect.anything()] },
    ]);
    expect(refersTo(at(allowed[0]?.condition, 'StringEquals', 'AWS:SourceArn'), distribution.id)).toBe(true);
  });

  test('redirects http to https for pages, caches as the files say, and runs the function of paths', () => {
    const paths = only(stack.all('AWS::CloudFront::Function'));
    expect(pages).toMatchObject({
      AllowedMethods: ['GET', 'HEAD'],
      ViewerProtocolPolicy: 'redirect-to-https',
      CachePolicyId: managed.cachingOptimized,
      Compress: true,
      FunctionAssociations: [{ EventType: 'viewer-request' }],
    });
    expect(pages).not.toHaveProperty('OriginRequestPolicyId');
    expect(refersTo(at(pages, 'FunctionAssociations', 0, 'FunctionARN'), paths.id)).toBe(true);
    expect(paths.properties).toMatchObject({ AutoPublish: true, FunctionConfig: { Runtime: 'cloudfront-js-2.0' } });
    expect(paths.properties.FunctionCode).toBe(readFileSync('infra/console/edge/console-paths.js', 'utf8'));
  });

  test('passes calls of the API on, uncached, with every header but Host, and over https only', () => {
    expect(api).toMatchObject({
      PathPattern: '/v1/*',
      AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
      ViewerProtocolPolicy: 'https-only',
      CachePolicyId: managed.cachingDisabled,
      OriginRequestPolicyId: managed.allViewerExceptHostHeader,
      Compress: false,
    });
    expect(api).not.toHaveProperty('FunctionAssociations');
    const origin = originOf(api);
    expect(refersTo(at(origin, 'DomainName'), only(stack.all('AWS::ApiGatewayV2::Api')).id)).toBe(true);
    expect(at(origin, 'CustomOriginConfig')).toEqual({
      OriginProtocolPolicy: 'https-only',
      OriginSSLProtocols: ['TLSv1.2'],
      OriginReadTimeout: 35,
    });
    expect(at(origin, 'OriginPath')).toBeUndefined();
  });

  test('sends a strict policy with pages, that names the token endpoint and the bucket of transcripts', () => {
    const policy = stack.referred(at(pages, 'ResponseHeadersPolicyId'), 'AWS::CloudFront::ResponseHeadersPolicy');
    const headers = headersOf(stack, policy);
    expect(headers).toMatchObject({
      'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self' ${loginOrigin} https://{TranscriptsBucket/Bucket.RegionalDomainName}; media-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=63072000',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['permissions-policy']).toMatch(/^(?:[a-z-]+=\(\)(?:, |$))+$/);
    for (const feature of ['camera', 'microphone', 'geolocation'])
      expect(headers['permissions-policy']).toContain(`${feature}=()`);
  });

  test('sends a policy with answers of the API by which none of them is a page', () => {
    const policy = stack.referred(at(api, 'ResponseHeadersPolicyId'), 'AWS::CloudFront::ResponseHeadersPolicy');
    expect(headersOf(stack, policy)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=63072000',
    });
  });

  test('has names that differ by region, because CloudFront has one list of names for all of them', () => {
    const named = [
      ...stack
        .all('AWS::CloudFront::ResponseHeadersPolicy')
        .map((each) => at(each.properties, 'ResponseHeadersPolicyConfig', 'Name')),
      ...stack
        .all('AWS::CloudFront::OriginAccessControl')
        .map((each) => at(each.properties, 'OriginAccessControlConfig', 'Name')),
      ...stack.all('AWS::CloudFront::Function').map(({ properties }) => properties.Name),
    ];
    expect(named).toHaveLength(4);
    for (const name of named) expect(written(stack, name)).toContain('{AWS::Region}');
  });
});

describe.each(stages)('the pages of the console of $stage', ({ stage, stack }) => {
  const bucket = only(stack.all('AWS::S3::Bucket').filter(({ path }) => path.includes('/PagesBucket/')));
  const deployments = stack.helpers.filter(({ type }) => type === 'Custom::CDKBucketDeployment');
  const deploymentTo = (prefix: string) =>
    only(deployments.filter(({ properties }) => properties.DestinationBucketKeyPrefix === prefix));

  test('lie in a private bucket, which logs requests and is emptied and deleted with the stack', () => {
    expect(bucket.properties.PublicAccessBlockConfiguration).toEqual({
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    });
    expect(bucket.properties).not.toHaveProperty('WebsiteConfiguration');
    expect(at(bucket.properties.BucketEncryption, 'ServerSideEncryptionConfiguration', 0)).toEqual({
      ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' },
    });
    const logs = stack.referred(bucket.properties.LoggingConfiguration, 'AWS::S3::Bucket');
    expect(logs.path).toContain('/AccessLogsBucket/');
    expect([bucket.deletionPolicy, bucket.updateReplacePolicy]).toEqual(['Delete', 'Delete']);
    const emptied = stack.helpers.filter(({ type }) => type === 'Custom::S3AutoDeleteObjects');
    const buckets = stage === 'prod' ? [bucket] : stack.all('AWS::S3::Bucket');
    expect(emptied.map(({ properties }) => at(properties.BucketName, 'Ref')).sort()).toEqual(
      buckets.map(({ id }) => id).sort(),
    );
    const statements = stack
      .all('AWS::S3::BucketPolicy')
      .filter(({ properties }) => refersTo(properties.Bucket, bucket.id))
      .flatMap(({ properties }) => statementsOf(properties.PolicyDocument));
    expect(statements.some((each) => at(each.condition, 'Bool', 'aws:SecureTransport') === 'false')).toBe(true);
  });

  test('are cached for a year if their name has a hash, and otherwise asked for again each time', () => {
    expect(deployments).toHaveLength(2);
    for (const { properties } of deployments) expect(refersTo(properties.DestinationBucketName, bucket.id)).toBe(true);
    const cacheControl = (prefix: string) => at(deploymentTo(prefix).properties.SystemMetadata, 'cache-control');
    expect(cacheControl('console/assets')).toBe('public, max-age=31536000, immutable');
    expect(cacheControl('console')).toBe('no-cache');
  });

  test('keep the files of earlier deployments, and come after the files that they name', () => {
    for (const { properties } of deployments) expect(properties.Prune).toBe(false);
    expect(deploymentTo('console').dependsOn).toContain(deploymentTo('console/assets').id);
  });

  test('are put by a function whose log is kept as long as other logs', () => {
    const [put] = stack.helpers.filter(
      ({ type, path }) => type === 'AWS::Lambda::Function' && path.includes('CDKBucketDeployment'),
    );
    const log = stack.referred(at(put?.properties.LoggingConfig, 'LogGroup'), 'AWS::Logs::LogGroup');
    expect([log.properties.RetentionInDays, log.deletionPolicy]).toEqual([stage === 'prod' ? 90 : 7, 'Delete']);
    for (const { properties } of stack.helpers.filter(({ type }) => type === 'AWS::Lambda::Function'))
      expect(at(properties.LoggingConfig, 'LogGroup')).toBeDefined();
  });
});

describe.each(stages)('the login to the console of $stage', ({ stack }) => {
  const distribution = only(stack.all('AWS::CloudFront::Distribution'));
  const client = only(stack.all('AWS::Cognito::UserPoolClient'));
  const url = '{Console/Hosting/Distribution.DomainName}';

  test('returns to the address of the distribution, and to no other', () => {
    for (const urls of ['CallbackURLs', 'LogoutURLs'])
      expect(listOf(client.properties[urls]).map((each) => written(stack, each))).toEqual([`https://${url}/console/`]);
    expect(written(stack, at(stack.outputs.ConsoleUrl, 'Value'))).toBe(`https://${url}/console/`);
    expect(refersTo(stack.outputs.ConsoleUrl, distribution.id)).toBe(true);
  });

  test('is by authorization code of a client without a secret', () => {
    expect(client.properties).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthFlowsUserPoolClient: true,
    });
  });
});

test('config.json describes the login of people', () => {
  const stack = stackOf('dev', { config: withConsole });
  expect(signInOf('dev', withConsole)).toEqual({
    signIn: 'oidc',
    deployment: stack.stackName,
    issuer: '{People/UserPool.ProviderURL}',
    clientId: '{People/ConsoleClient}',
    scope: 'openid {People/UserPool/Api}/access',
    authorizationEndpoint: `${loginOrigin}/oauth2/authorize`,
    tokenEndpoint: `${loginOrigin}/oauth2/token`,
    endSessionEndpoint: `${loginOrigin}/logout`,
    revocationEndpoint: `${loginOrigin}/oauth2/revoke`,
  });
});

/** What `config.json` says, with names instead of deploy-time values. The file has the markers of CDK, which its function replaces. */
function signInOf(stage: string, config: Partial<StageConfig>): unknown {
  const stack = stackOf(stage, { config });
  const page = only(
    stack.helpers.filter(({ properties }) => properties.DestinationBucketKeyPrefix === 'console'),
  ).properties;
  const files = withStack(stage, { config }, (synthesizing) => {
    const { directory } = synthesized(synthesizing);
    return listOf(page.SourceObjectKeys).map((key) => {
      const asset = `${directory}/asset.${String(key).replace(/\.zip$/, '')}`;
      return new Map(readdirSync(asset).map((name) => [name, readFileSync(`${asset}/${name}`, 'utf8')]));
    });
  });
  expect(files.flatMap((each) => [...each.keys()])).toEqual(['index.html', 'config.json']);
  const markers = Object.entries(Object(at(page.SourceMarkers, 1)));
  const filled = markers.reduce(
    (text, [marker, value]) => text.replaceAll(marker, written(stack, value)),
    files[1]?.get('config.json') ?? '',
  );
  return JSON.parse(filled);
}

const ownIssuer: OwnIssuer = {
  issuer: 'https://id.example.org/realms/main/',
  audience: 'my-api',
  organizationClaim: 'custom:tenant',
  roleClaim: 'role',
  consoleClientId: 'console-17',
  consoleScope: 'openid api:read',
};

describe('the console of a stage with its own issuer', () => {
  const stage = 'dev';
  const config = { ...withConsole, ownIssuer };
  const stack = stackOf(stage, { config });
  const connects = (given: SynthesizedStack) => {
    const policies = given.all('AWS::CloudFront::ResponseHeadersPolicy').map((each) => headersOf(given, each));
    const [sources] = policies.flatMap(
      (each) => /connect-src ([^;]+)/.exec(each['content-security-policy'] ?? '')?.[1] ?? [],
    );
    return sources?.split(' ');
  };

  test('has no pool of people, and describes the login at the issuer', () => {
    expect(stack.resources.filter(({ type }) => type.startsWith('AWS::Cognito::'))).toEqual([]);
    expect(signInOf(stage, config)).toEqual({
      signIn: 'oidc',
      deployment: stack.stackName,
      issuer: 'https://id.example.org/realms/main/',
      clientId: 'console-17',
      scope: 'openid api:read',
      audience: 'my-api',
    });
  });

  test('lets pages connect to the origin of the issuer, and to that of its token endpoint if the stage names one', () => {
    const transcripts = 'https://{TranscriptsBucket/Bucket.RegionalDomainName}';
    expect(connects(stack)).toEqual(["'self'", 'https://id.example.org', transcripts]);
    const consoleTokenOrigin = 'https://token.example.org';
    const other = stackOf(stage, { config: { ...withConsole, ownIssuer: { ...ownIssuer, consoleTokenOrigin } } });
    expect(connects(other)).toEqual(["'self'", 'https://id.example.org', consoleTokenOrigin, transcripts]);
  });
});

describe('the console with a domain name of its own', () => {
  const stack = stackOf('prod', { config: everySettingWithConsole });
  const config = configOf(only(stack.all('AWS::CloudFront::Distribution')));
  const { consoleDomain, customDomain } = everySettingWithConsole;

  test('requires TLS 1.2, and uses the certificate', () => {
    expect(config.Aliases).toEqual([consoleDomain?.domainName]);
    expect(config.ViewerCertificate).toEqual({
      AcmCertificateArn: consoleDomain?.certificateArn,
      MinimumProtocolVersion: 'TLSv1.2_2021',
      SslSupportMethod: 'sni-only',
    });
  });

  test('is the address of the output and of the login', () => {
    const url = 'https://console.example.com/console/';
    expect(at(stack.outputs.ConsoleUrl, 'Value')).toBe(url);
    const { properties } = only(stack.all('AWS::Cognito::UserPoolClient'));
    expect([properties.CallbackURLs, properties.LogoutURLs]).toEqual([[url], [url]]);
  });

  test('has records for IPv4 and IPv6 in the zone, or an output with their target', () => {
    const records = stack
      .all('AWS::Route53::RecordSet')
      .filter(({ properties }) => properties.Name === `${consoleDomain?.domainName}.`);
    expect(records.map(({ properties }) => properties.Type).sort()).toEqual(['A', 'AAAA']);
    for (const { properties } of records) {
      expect(properties.HostedZoneId).toBe(consoleDomain?.hostedZone?.hostedZoneId);
      expect(written(stack, at(properties.AliasTarget, 'DNSName'))).toBe('{Console/Hosting/Distribution.DomainName}');
    }
    expect(stack.outputs).not.toHaveProperty('ConsoleDomainTarget');
    const { domainName = '', certificateArn = '' } = consoleDomain ?? {};
    const unzoned = stackOf('prod', { config: { ...withConsole, consoleDomain: { domainName, certificateArn } } });
    expect(unzoned.resources.filter(({ type }) => type.startsWith('AWS::Route53'))).toEqual([]);
    expect(written(unzoned, at(unzoned.outputs.ConsoleDomainTarget, 'Value'))).toBe(
      '{Console/Hosting/Distribution.DomainName}',
    );
  });

  test('passes calls on to the domain name of the API, because the gateway has no other', () => {
    const { TargetOriginId } = only(listOf(config.CacheBehaviors)) as { readonly TargetOriginId: string };
    const origin = listOf(config.Origins).find((each) => at(each, 'Id') === TargetOriginId);
    expect(at(origin, 'DomainName')).toBe(customDomain?.domainName);
  });
});

describe('the transcripts bucket of a stage with a console', () => {
  const origins = (config: Partial<StageConfig>) =>
    stackOf('prod', { config })
      .all('AWS::S3::Bucket')
      .filter(({ properties }) => 'CorsConfiguration' in properties)
      .map(({ path, properties }) => [
        path.split('/').at(1),
        at(properties.CorsConfiguration, 'CorsRules', 0, 'AllowedOrigins'),
      ]);

  test('lets pages of CloudFront fetch files by links, because it cannot wait for the name of the one distribution', () => {
    expect(origins(withConsole)).toEqual([['TranscriptsBucket', ['https://*.cloudfront.net', 'null']]]);
  });

  test('lets only the domain name of the console, if it has one, and the other origins of the stage', () => {
    expect(origins(everySettingWithConsole)).toEqual([
      ['TranscriptsBucket', ['https://app.example.com', 'https://console.example.com', 'null']],
    ]);
  });

  test('does not open the API to pages of other origins', () => {
    const [api] = stackOf('prod', { config: withConsole }).all('AWS::ApiGatewayV2::Api');
    expect(api?.properties).not.toHaveProperty('CorsConfiguration');
  });
});

describe('the settings of the console', () => {
  const given = (context: Readonly<Record<string, string>>) => stageConfig('prod', (key) => context[key]);
  const consoleDomainName = 'console.example.com';
  const consoleCertificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0d3cf4c2';
  const zone = { hostedZoneId: 'Z01', zoneName: 'example.com' };
  const issuer = { issuer: 'https://id.example.org', roleClaim: 'role', consoleClientId: 'console-17' };

  test('are read', () => {
    expect(stageConfig('prod', () => undefined)).not.toHaveProperty('consoleDomain');
    const domain = { domainName: consoleDomainName, certificateArn: consoleCertificateArn };
    expect(given({ console: 'true', consoleDomainName, consoleCertificateArn }).consoleDomain).toEqual(domain);
    const zoned = given({ console: 'true', consoleDomainName, consoleCertificateArn, ...zone });
    expect([zoned.consoleDomain, zoned.customDomain]).toEqual([{ ...domain, hostedZone: zone }, undefined]);
    expect(given({ console: 'true', ...issuer }).ownIssuer).toMatchObject({ consoleScope: 'openid' });
    const more = { consoleScope: 'openid api://room/access', consoleTokenOrigin: 'https://token.example.org' };
    expect(given({ console: 'true', ...issuer, ...more }).ownIssuer).toMatchObject(more);
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    [
      'a domain name without a certificate',
      { console: 'true', consoleDomainName },
      'needs both -c consoleDomainName and',
    ],
    ['a certificate alone', { console: 'true', consoleCertificateArn }, 'needs both -c consoleDomainName and'],
    ['a domain name without a console', { consoleDomainName, consoleCertificateArn }, 'give -c console=true too'],
    [
      'a certificate of another region',
      {
        console: 'true',
        consoleDomainName,
        consoleCertificateArn: consoleCertificateArn.replace('us-east-1', 'eu-west-1'),
      },
      'must be the ARN of an ACM certificate in us-east-1, the region in which CloudFront reads certificates',
    ],
    [
      'a zone that does not contain it',
      { console: 'true', consoleDomainName, consoleCertificateArn, hostedZoneId: 'Z01', zoneName: 'ample.com' },
      '-c consoleDomainName=console.example.com is not in the zone -c zoneName=ample.com.',
    ],
    ['a zone for no domain name', { console: 'true', ...zone }, 'needs both -c domainName and -c certificateArn'],
    [
      'the domain name of the API',
      {
        console: 'true',
        consoleDomainName,
        consoleCertificateArn,
        domainName: consoleDomainName,
        certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/1',
      },
      'are two addresses: choose another name for one of them',
    ],
    [
      'an issuer without https',
      { console: 'true', ...issuer, issuer: 'http://id.example.org' },
      'needs an issuer with https',
    ],
    [
      'an issuer that is no address',
      { console: 'true', ...issuer, issuer: 'id.example.org' },
      'needs an issuer with https',
    ],
    [
      'a token origin without an issuer',
      { console: 'true', consoleTokenOrigin: 'https://a.example' },
      'give -c issuer too',
    ],
    ['scopes without an issuer', { console: 'true', consoleScope: 'openid' }, 'give -c issuer too'],
    ['scopes without a console', { ...issuer, consoleScope: 'openid' }, 'are for the login of the console'],
    [
      'a token endpoint instead of its origin',
      { console: 'true', ...issuer, consoleTokenOrigin: 'https://token.example.org/token' },
      '-c consoleTokenOrigin must be an origin such as https://id.example.com',
    ],
    [
      'a token origin without TLS',
      { console: 'true', ...issuer, consoleTokenOrigin: 'http://localhost' },
      'must be an origin',
    ],
    [
      'scopes with commas and quotes',
      { console: 'true', ...issuer, consoleScope: 'openid  "x"' },
      'must be scopes with one',
    ],
  ])('cannot have %s', (_, context, message) => {
    expect(() => given(context)).toThrow(message);
  });
});

test('a stage with a console needs its pages', () => {
  const config = { ...stageConfig('dev', () => undefined), console: true };
  const create = (consoleFolder?: string) => {
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
    return new ServiceStack(app, 'Stack', { config, consoleFolder });
  };
  expect(() => create()).toThrow('A stage with a console needs the folder of its pages.');
  expect(() => create('infra')).toThrow('infra has no index.html: it is no built console.');
});

test('the outputs of the console are in docs/operations.md', () => {
  const page = readFileSync('docs/operations.md', 'utf8');
  for (const name of ['ConsoleUrl', 'ConsoleDomainTarget', 'PeoplePoolId', 'ConsoleClientId'])
    expect([name, page.includes(`| \`${name}\` | ${outputTexts[name]} |`)]).toEqual([name, true]);
});
