import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test.each([
  ['an unknown stage', { stage: 'nope' }, 'Unknown stage "nope": use -c stage=dev or -c stage=prod.'],
  ['a misspelt setting', { rateLimitPointsPerMinut: '9' }, 'Did you mean rateLimitPointsPerMinute?'],
  ['an invalid number', { rateLimitPointsPerMinute: 'x' }, '-c rateLimitPointsPerMinute must be a whole number'],
])('the CDK app reports %s in one sentence and exits with 1', (_what, context, sentence) => {
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify(context) };
  const { status, stderr } = spawnSync(process.execPath, ['infra/app.ts'], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(sentence)]);
});
