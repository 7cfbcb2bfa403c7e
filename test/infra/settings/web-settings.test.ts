import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { stageConfig, stageNames } from '#infra/settings/stages.ts';
import { at, refersTo, stackOf } from '../../support/infra/templates.ts';

const given = (context: Readonly<Record<string, string>>) => stageConfig('prod', (key) => context[key]);

const certificateArn = 'arn:aws:acm:eu-west-1:123456789012:certificate/0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10';
const domainName = 'api.example.com';
const hostedZone = { hostedZoneId: 'Z0123456789ABCDEFGHIJ', zoneName: 'example.com' };

describe('the domain name of a stage', () => {
  test('is undefined by default', () => {
    for (const stage of stageNames) expect(stageConfig(stage, () => undefined)).not.toHaveProperty('customDomain');
  });

  test('requires a certificate and accepts a hosted zone', () => {
    expect(given({ domainName, certificateArn }).customDomain).toEqual({ domainName, certificateArn });
    const customDomain = { domainName, certificateArn, hostedZone };
    expect(given({ domainName, certificateArn, ...hostedZone }).customDomain).toEqual(customDomain);
    const apex = given({ domainName: 'example.com', certificateArn, ...hostedZone }).customDomain;
    expect(apex?.domainName).toBe('example.com');
  });

  test.each<[string, Readonly<Record<string, string>>, string]>([
    ['no certificate', { domainName }, 'needs both -c domainName and -c certificateArn'],
    ['a certificate but no domain name', { certificateArn }, 'needs both -c domainName and -c certificateArn'],
    ['a zone but no domain name', hostedZone, 'needs both -c domainName and -c certificateArn'],
    ['a zone name without a zone ID', { domainName, certificateArn, zoneName: 'example.com' }, 'give both, or neither'],
    ['a zone ID without a zone name', { domainName, certificateArn, hostedZoneId: 'Z01' }, 'give both, or neither'],
    [
      'a zone that does not contain it',
      { domainName, certificateArn, hostedZoneId: 'Z01', zoneName: 'ample.com' },
      '-c domainName=api.example.com is not in the zone -c zoneName=ample.com.',
    ],
    [
      'an IAM certificate',
      { domainName, certificateArn: 'arn:aws:iam::123456789012:server-certificate/a' },
      'the ARN of an ACM certificate',
    ],
    ['an empty ARN', { domainName, certificateArn: '' }, 'the ARN of an ACM certificate, not ""'],
  ])('with %s is rejected', (_, context, message) => {
    expect(() => given(context)).toThrow(message);
  });

  test.each([
    '',
    'https://api.example.com',
    'api.example.com/v1',
    'API.example.com',
    '*.example.com',
    'localhost',
    '10.0.0.1',
    'a..b',
  ])('%j is rejected', (name) => {
    expect(() => given({ domainName: name, certificateArn })).toThrow(
      `-c domainName must be a domain name in lower case such as api.example.com, not "${name}".`,
    );
  });
});

describe.each(stageNames)('the API of %s with a custom domain', (stage) => {
  const stack = stackOf(stage, { config: { customDomain: { domainName, certificateArn } } });
  const [api] = stack.all('AWS::ApiGatewayV2::Api');
  const [domain, ...others] = stack.all('AWS::ApiGatewayV2::DomainName');

  test('requires TLS 1.2 and uses the certificate', () => {
    expect(others).toEqual([]);
    expect(domain?.properties).toMatchObject({
      DomainName: domainName,
      DomainNameConfigurations: [
        { CertificateArn: certificateArn, EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' },
      ],
    });
  });

  test('is available under the custom domain and no longer under the address of API Gateway', () => {
    const [mapping, ...more] = stack.all('AWS::ApiGatewayV2::ApiMapping');
    expect(more).toEqual([]);
    expect(mapping?.properties).toMatchObject({
      ApiId: { Ref: api?.id },
      DomainName: { Ref: domain?.id },
      Stage: '$default',
    });
    expect(api?.properties.DisableExecuteApiEndpoint).toBe(true);
    expect(stack.outputs.ApiUrl).toMatchObject({ Value: `https://${domainName}` });
  });

  test('has an output with the target of the DNS record', () => {
    expect(at(stack.outputs.ApiDomainTarget, 'Value')).toEqual({ 'Fn::GetAtt': [domain?.id, 'RegionalDomainName'] });
    expect(stack.resources.filter(({ type }) => type.startsWith('AWS::Route53'))).toEqual([]);
  });

  test('has a DNS record in the hosted zone, if one is given', () => {
    const zoned = stackOf(stage, { config: { customDomain: { domainName, certificateArn, hostedZone } } });
    const [record, ...more] = zoned.all('AWS::Route53::RecordSet');
    expect(more).toEqual([]);
    expect(record?.properties).toMatchObject({
      Name: `${domainName}.`,
      Type: 'A',
      HostedZoneId: hostedZone.hostedZoneId,
    });
    const [target] = zoned.all('AWS::ApiGatewayV2::DomainName');
    expect(target && refersTo(record?.properties.AliasTarget, target.id)).toBe(true);
    expect(zoned.outputs).not.toHaveProperty('ApiDomainTarget');
  });

  test('has none of these resources by default', () => {
    const usual = stackOf(stage);
    expect(usual.text).not.toMatch(/DomainNameConfigurations|ApiMapping|Route53/);
    const [open] = usual.all('AWS::ApiGatewayV2::Api');
    expect(open?.properties.DisableExecuteApiEndpoint).not.toBe(true);
    expect(refersTo(usual.outputs.ApiUrl, String(open?.id))).toBe(true);
  });
});

describe('the allowed CORS origins', () => {
  test('are empty by default', () => {
    for (const stage of stageNames) {
      expect(stageConfig(stage, () => undefined).corsOrigins).toEqual([]);
      for (const { properties } of stackOf(stage).all('AWS::ApiGatewayV2::Api'))
        expect(properties).not.toHaveProperty('CorsConfiguration');
    }
  });

  test.each([
    'https://app.example.com',
    'https://app.example.com:8443',
    'http://localhost:5173',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
  ])('can contain %s', (origin) => {
    expect(given({ corsOrigins: origin }).corsOrigins).toEqual([origin]);
    expect(given({ corsOrigins: `${origin},https://other.example.com` }).corsOrigins).toHaveLength(2);
  });

  test.each([
    '',
    '*',
    'null',
    'app.example.com',
    'http://app.example.com',
    'http://localhost.example.com',
    'https://app.example.com/',
    'https://app.example.com/path',
    'https://app.example.com?x',
    'https://*.example.com',
    'https://user@app.example.com',
    'https://App.example.com',
    'https://app.example.com:443',
    ' https://app.example.com',
    'file:///etc/passwd',
    'chrome-extension://abc',
  ])('cannot contain %j', (origin) => {
    for (const list of [origin, `https://fine.example.com,${origin}`])
      expect(() => given({ corsOrigins: list })).toThrow(
        `-c corsOrigins must list origins such as https://app.example.com, with commas between them and no path, not "${origin}".`,
      );
  });
});

describe.each(stageNames)('the API of %s with CORS', (stage) => {
  const corsOrigins = ['https://app.example.com', 'http://localhost:5173'];
  const stack = stackOf(stage, { config: { corsOrigins } });
  const [api] = stack.all('AWS::ApiGatewayV2::Api');
  const allowed = Object(api?.properties.CorsConfiguration);
  const description = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
  const operations = Object.values(description.paths).flatMap((path) => Object.entries(Object(path)));

  test('allows these origins only, and no cookies', () => {
    expect(allowed.AllowOrigins).toEqual(corsOrigins);
    expect(allowed).not.toHaveProperty('AllowCredentials');
    expect(allowed.MaxAge).toBe(3600);
  });

  test('lets pages of these origins fetch transcripts by links, also through a redirect, and no other files', () => {
    const ruled = stack.all('AWS::S3::Bucket').filter(({ properties }) => 'CorsConfiguration' in properties);
    expect(ruled.map(({ path }) => path.split('/').at(-3))).toEqual(['TranscriptsBucket']);
    expect(at(ruled[0]?.properties.CorsConfiguration, 'CorsRules')).toMatchObject([
      { AllowedOrigins: [...corsOrigins, 'null'], AllowedMethods: ['GET', 'HEAD'], MaxAge: 3600 },
    ]);
    expect(
      stackOf(stage)
        .all('AWS::S3::Bucket')
        .filter(({ properties }) => 'CorsConfiguration' in properties),
    ).toEqual([]);
  });

  test('allows the methods and headers of its description', () => {
    const methods = new Set(operations.map(([method]) => method.toUpperCase()));
    expect(new Set(allowed.AllowMethods)).toEqual(methods);
    const headers = operations
      .flatMap(([, operation]) => Object(operation).parameters ?? [])
      .filter((parameter: unknown) => at(parameter, 'in') === 'header')
      .map((parameter: unknown) => String(at(parameter, 'name')).toLowerCase());
    expect(new Set([...headers, 'authorization', 'content-type'])).toEqual(new Set(allowed.AllowHeaders));
  });

  test('exposes the headers of its description', () => {
    const answers = [
      ...operations.flatMap(([, operation]) => Object.values(Object(at(operation, 'responses')))),
      ...Object.values(description.components.responses),
    ];
    const headers = answers.flatMap((answer) => Object.keys(Object(at(answer, 'headers'))));
    const always = 'cache-control'; // a page may always read it
    expect(new Set([...allowed.ExposeHeaders, always])).toEqual(new Set(headers));
  });
});
