import { afterEach, expect, test, vi } from 'vitest';
import { readAwsEnv, readEnv, readRetentionDays } from '#shared/env.ts';
import { envNames } from '#shared/names.ts';

afterEach(() => vi.unstubAllEnvs());

test('what a function needs comes under the names that the function gives it', () => {
  vi.stubEnv(envNames.transcriptionsTable, 'table');
  expect(readEnv({ transcriptions: envNames.transcriptionsTable })).toEqual({ transcriptions: 'table' });
});

test('all that is missing or empty is in one error', () => {
  vi.stubEnv(envNames.transcriptionsTable, 'table');
  vi.stubEnv(envNames.recordingsTable, '');
  vi.stubEnv(envNames.jobNamePrefix, undefined);
  const shape = { a: envNames.transcriptionsTable, b: envNames.recordingsTable, c: envNames.jobNamePrefix };
  expect(() => readEnv(shape)).toThrow('Missing environment variables: RECORDINGS_TABLE, JOB_NAME_PREFIX.');
});

test('what admission needs is missed together with what the function itself needs', async () => {
  for (const name of [envNames.insightFactsTable, envNames.rateLimitsTable]) vi.stubEnv(name, undefined);
  const loading = import('#functions/api/insights/get-participant/index.ts');
  await expect(loading).rejects.toThrow(/INSIGHT_FACTS_TABLE.*RATE_LIMITS_TABLE/);
});

test('for how many days something is kept may be said, as a number', () => {
  expect(readRetentionDays('fact')).toBeUndefined();
  vi.stubEnv(envNames.factRetentionDays, '90');
  expect([readRetentionDays('fact'), readRetentionDays('sample')]).toEqual([90, undefined]);
  for (const value of ['', '0', 'ever']) {
    vi.stubEnv(envNames.factRetentionDays, value);
    expect(() => readRetentionDays('fact')).toThrow('FACT_RETENTION_DAYS must be a whole number of days.');
  }
});

test('the region must be there, another S3 may be', () => {
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ENDPOINT_URL_S3', undefined);
  expect(readAwsEnv()).toEqual({ region: 'eu-west-1', s3Endpoint: undefined });
  vi.stubEnv('AWS_ENDPOINT_URL_S3', 'http://localhost:1');
  expect(readAwsEnv().s3Endpoint).toBe('http://localhost:1');
  vi.stubEnv('AWS_REGION', undefined);
  expect(() => readAwsEnv()).toThrow('AWS_REGION');
});

test('every environment variable has a name of its own', () => {
  expect(new Set(Object.values(envNames)).size).toBe(Object.keys(envNames).length);
});
