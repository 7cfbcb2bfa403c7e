import { afterEach, expect, test, vi } from 'vitest';
import { captureLogLines } from '../support/log-lines.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('every line says which version of its function wrote it, as the filters of a deployment read it', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '12');
  vi.resetModules(); // the logger is made when it is imported
  const log = captureLogLines();
  const { log: logger } = await import('#shared/logger.ts');
  logger.info('request');
  logger.error('unexpected error', new Error('a defect'));
  expect(log.lines().map(({ facts }) => [facts.level, facts.version])).toEqual([
    ['INFO', '12'],
    ['ERROR', '12'],
  ]);
});
