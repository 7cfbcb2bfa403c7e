import { afterEach, expect, test, vi } from 'vitest';
import { captureLogLines } from '../../support/log-lines.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('every log line contains the version of its function, in the field that the metric filters read', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_VERSION', '12');
  vi.resetModules(); // importing the module creates the logger
  const log = captureLogLines();
  const { log: logger } = await import('#shared/runtime/logger.ts');
  logger.info('request');
  logger.error('unexpected error', new Error('a defect'));
  expect(log.lines().map(({ facts }) => [facts.level, facts.version])).toEqual([
    ['INFO', '12'],
    ['ERROR', '12'],
  ]);
});

test.each([
  ['DEBUG', ['request', 'refused', 'unexpected error']],
  ['INFO', ['request', 'refused', 'unexpected error']],
  ['WARN', ['refused', 'unexpected error']],
  ['ERROR', ['unexpected error']],
  ['SILENT', []],
])('the level %s of the environment is the least that is logged', async (level, messages) => {
  vi.stubEnv('LOG_LEVEL', level);
  vi.resetModules(); // importing the module reads the environment
  const captured = captureLogLines();
  const { log } = await import('#shared/runtime/logger.ts');
  log.info('request');
  log.warn('refused', undefined);
  log.error('unexpected error', new Error('a defect'));
  expect(captured.lines().map(({ facts }) => facts.message)).toEqual(messages);
});

test('a log line has the X-Ray trace of its invocation', async () => {
  vi.resetModules(); // importing the module reads the environment
  const captured = captureLogLines();
  const { log } = await import('#shared/runtime/logger.ts');
  vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1');
  log.info('request');
  expect(captured.lines()[0]?.facts.xray_trace_id).toBe('1-5759e988-bd862e3fe1be46a994272793');
});

test('a log line has the frames of an error, and nothing of its message, even if that looks like a frame', async () => {
  vi.resetModules();
  const captured = captureLogLines();
  const { log } = await import('#shared/runtime/logger.ts');
  log.error('unexpected error', new Error('not JSON:\n    at Bob, the patient'));
  const [line] = captured.lines();
  expect(JSON.stringify(line)).not.toContain('Bob');
  expect(line?.facts.error).toMatchObject({ stack: expect.arrayContaining([expect.stringMatching(/^ {4}at .+:\d+/)]) });
});
