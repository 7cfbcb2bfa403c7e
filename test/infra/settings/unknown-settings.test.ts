import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { settings } from '#infra/settings/stage-settings.ts';
import { unknownSettings } from '#infra/settings/unknown-settings.ts';

const problemsOf = (...names: string[]) => unknownSettings(Object.fromEntries(names.map((name) => [name, 'x'])));

test.each([
  ['rateLimitPointsPerMinut', 'rateLimitPointsPerMinute'],
  ['ratelimitpointsperminute', 'rateLimitPointsPerMinute'],
  ['alarm-email', 'alarmEmail'],
  ['Stage', 'stage'],
  ['stge', 'stage'],
  ['corsOrigin', 'corsOrigins'],
  ['hostedZoneID', 'hostedZoneId'],
])('the CDK app refuses -c %s and suggests %s', (name, suggested) => {
  expect(problemsOf(name)).toEqual([`-c ${name} is not a known setting. Did you mean ${suggested}?`]);
});

test.each(['help', 'vpcId', '', '--help', '__proto__x', 'toString'])(
  'the CDK app refuses -c %s, which resembles no setting, and lists all settings',
  (name) => {
    expect(problemsOf(name)).toEqual([
      expect.stringMatching(/is not a known setting\. Known settings: stage, issuer, /),
    ]);
  },
);

test('the CDK app reports every unknown setting', () => {
  expect(problemsOf('tracin', 'stage', 'domain')).toHaveLength(2);
});

test('the CDK app accepts every setting, and the context of CDK and of cdk.json', () => {
  const { context } = JSON.parse(readFileSync('cdk.json', 'utf8'));
  const ofCommandLine = [
    ...['aws:cdk:enable-path-metadata', 'aws:cdk:enable-asset-metadata', 'aws:cdk:version-reporting'],
    ...['aws:cdk:bundling-stacks', '@aws-cdk/core:failSynthOnValidationErrors', 'acknowledged-issue-numbers'],
  ];
  expect(problemsOf('stage', ...Object.keys(settings), ...ofCommandLine, ...Object.keys(context))).toEqual([]);
});
