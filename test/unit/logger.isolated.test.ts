import { afterEach, expect, test, vi } from 'vitest';
import { captureLogLines } from '../support/log-lines.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('every log line contains the version of its function, in the field that the metric filters read', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '12');
  vi.resetModules(); // importing the module creates the logger
  const log = captureLogLines();
  const { log: logger } = await import('#shared/logger.ts');
  logger.info('request');
  logger.error('unexpected error', new Error('a defect'));
  expect(log.lines().map(({ facts }) => [facts.level, facts.version])).toEqual([
    ['INFO', '12'],
    ['ERROR', '12'],
  ]);
});
