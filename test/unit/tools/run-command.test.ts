import { afterEach, expect, test, vi } from 'vitest';
import { commandLine } from '#tools/shared/command-line.ts';
import { describeError, runCommand } from '#tools/shared/run-command.ts';
import { UserError } from '#tools/shared/user-error.ts';

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

test.each([
  ['a mistake of the user', new UserError('No stage given.', { cause: new Error('x') }), 'No stage given.'],
  ['a defect', new TypeError('a is not a function'), 'The command failed: a is not a function'],
  [
    'an error with a cause',
    new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
    'The command failed: fetch failed\n  because: connect ECONNREFUSED',
  ],
  [
    'an error without a message',
    Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
    'The command failed: ECONNREFUSED',
  ],
  ['a thrown text', 'oh', 'The command failed: oh'],
])('a command prints %s without a stack trace', (_what, error, text) => {
  expect(describeError(error)).toBe(text);
});

test('a command that throws exits with 1, after it has restored the terminal', async () => {
  const calls: string[] = [];
  vi.spyOn(console, 'error').mockImplementation((text) => calls.push(text));
  const fail = () => Promise.reject(new Error('no'));
  await runCommand(fail, () => calls.push('restored'));
  expect([calls, process.exitCode]).toEqual([['restored', 'The command failed: no'], 1]);
});

test('a command prints its help and does not fail with --help', async () => {
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((text) => printed.push(text));
  await runCommand(() => commandLine('npm run this', 'Does this.').parse(['--help'], { from: 'user' }));
  expect(printed).toEqual([expect.stringMatching(/^Usage: npm run this \[options\]\n\nDoes this\.\n/)]);
  expect(process.exitCode).toBeUndefined();
});
