import { afterEach, expect, test, vi } from 'vitest';
import {
  readAwsEnv,
  readEnv,
  readNonParticipantRoles,
  readRetentionDays,
  readSpeakerRoles,
  tableEnv,
} from '#shared/runtime/env.ts';
import { envNames } from '#shared/runtime/names.ts';

afterEach(() => vi.unstubAllEnvs());

test('readEnv returns the values under the names of the given shape', () => {
  vi.stubEnv(envNames.transcriptionsTable, 'table');
  expect(readEnv({ transcriptions: envNames.transcriptionsTable })).toEqual({ transcriptions: 'table' });
  expect(readEnv(tableEnv('transcriptions'))).toEqual({ transcriptions: 'table' });
});

test('readEnv reports all missing and empty variables in one error', () => {
  vi.stubEnv(envNames.transcriptionsTable, 'table');
  vi.stubEnv(envNames.recordingsTable, '');
  vi.stubEnv(envNames.jobNamePrefix, undefined);
  const shape = { a: envNames.transcriptionsTable, b: envNames.recordingsTable, c: envNames.jobNamePrefix };
  expect(() => readEnv(shape)).toThrow('Missing environment variables: RECORDINGS_TABLE, JOB_NAME_PREFIX.');
});

test('readRetentionDays returns a whole number of days, or undefined if the variable is not set', () => {
  expect(readRetentionDays('fact')).toBeUndefined();
  vi.stubEnv(envNames.factRetentionDays, '90');
  expect([readRetentionDays('fact'), readRetentionDays('sample')]).toEqual([90, undefined]);
  for (const value of ['', '0', 'ever']) {
    vi.stubEnv(envNames.factRetentionDays, value);
    expect(() => readRetentionDays('fact')).toThrow('FACT_RETENTION_DAYS must be a whole number from 1.');
  }
});

test('readNonParticipantRoles returns the roles of the stage, and undefined if the variable is not set', () => {
  expect(readNonParticipantRoles()).toBeUndefined();
  vi.stubEnv(envNames.nonParticipantRoles, 'bot,Bot 2');
  expect(readNonParticipantRoles()).toEqual(['bot', 'Bot 2']);
});

test('readSpeakerRoles returns the roles of the stage, and undefined if the variable is not set', () => {
  expect(readSpeakerRoles()).toBeUndefined();
  vi.stubEnv(envNames.speakerRoles, 'bot,Bot 2');
  expect(readSpeakerRoles()).toEqual(['bot', 'Bot 2']);
});

test('readAwsEnv requires the region and reads the S3 endpoint if it is set', () => {
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ENDPOINT_URL_S3', undefined);
  expect(readAwsEnv()).toEqual({ region: 'eu-west-1', s3Endpoint: undefined });
  vi.stubEnv('AWS_ENDPOINT_URL_S3', 'http://localhost:1');
  expect(readAwsEnv().s3Endpoint).toBe('http://localhost:1');
  vi.stubEnv('AWS_REGION', undefined);
  expect(() => readAwsEnv()).toThrow('AWS_REGION');
});

test('envNames has no duplicate values', () => {
  expect(new Set(Object.values(envNames)).size).toBe(Object.keys(envNames).length);
});
