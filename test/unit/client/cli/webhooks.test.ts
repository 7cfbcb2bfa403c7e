import { describe, expect, test } from 'vitest';
import { type Asked, apiOf, begin } from '../../../support/client/offline-command-line.ts';

const webhookId = '9226ec25-8833-431d-82bc-05dbfd0728fb';
const webhook = {
  webhookId,
  url: 'https://shop.example/hooks',
  types: null,
  description: '',
  signature: 'standard',
  state: 'enabled',
  disabledBy: null,
  createdAt: '2026-03-02T09:00:00.000Z',
  failingSince: null,
  parkedUntil: null,
  previousSecretExpiresAt: null,
  replay: null,
};
const secret = `whsec_${Buffer.alloc(32).toString('base64')}`;

async function run(args: readonly string[], answer: (asked: Asked) => readonly [number, unknown?]) {
  const { env, asked } = await apiOf(answer);
  return { ...(await begin(['webhooks', ...args], { env }).ended), asked };
}

const refusal = (status: number, code: string) => () => [status, { code, message: 'No.' }] as const;

describe('webhooks create', () => {
  test('sends what is given, prints the secret, and warns that it is shown once', async () => {
    const args = [
      'create',
      webhook.url,
      '--types',
      'transcription.finished,transcription.failed',
      '--signature',
      'whereby',
    ];
    const { code, stdout, stderr, asked } = await run(args, () => [201, { ...webhook, secret }]);
    expect(code).toBe(0);
    expect(asked).toMatchObject([
      {
        method: 'POST',
        path: '/v1/webhooks',
        body: { url: webhook.url, types: ['transcription.finished', 'transcription.failed'], signature: 'whereby' },
      },
    ]);
    expect(stdout).toContain(`Secret         ${secret}\n`);
    expect(stderr).toMatch(/^Store the secret .* never shown again\.\nTo try it, run: roomscribe webhooks test 9226/);
  });

  test('prints the answer as JSON and no warning with --json', async () => {
    const { stdout, stderr } = await run(['create', webhook.url, '--json'], () => [201, { ...webhook, secret }]);
    expect([JSON.parse(stdout), stderr]).toEqual([{ ...webhook, secret }, '']);
  });

  test('refuses a type that does not exist before it sends anything', async () => {
    const { code, stderr, asked } = await run(['create', webhook.url, '--types', 'transcription.done'], () => [500]);
    expect([code, asked]).toEqual([2, []]);
    expect(stderr).toMatch(/"transcription\.done" is none\.\nThe types are transcription\.started, /);
  });

  test('shows the issues of the service by the names of the command line', async () => {
    const issues = [{ path: 'url', message: 'must be an https address' }];
    const { code, stderr } = await run(['create', 'http://shop.example'], () => [
      400,
      { code: 'invalid_request', message: '', issues },
    ]);
    expect([code, stderr]).toEqual([2, '<url> must be an https address.\n']);
  });
});

describe('webhooks update', () => {
  test.each([
    [['--types', 'all', '--enable'], { types: null, state: 'enabled' }],
    [['--types', 'room.session.ended', '--disable'], { types: ['room.session.ended'], state: 'disabled' }],
    [['--url', 'https://other.example', '--description', ''], { url: 'https://other.example', description: '' }],
  ])('with %j sends %j', async (options, body) => {
    const { code, asked } = await run(['update', webhookId, ...options], () => [200, webhook]);
    expect(code).toBe(0);
    expect(asked).toEqual([{ method: 'PATCH', path: `/v1/webhooks/${webhookId}`, body }]);
  });

  test.each([[[]], [['--enable', '--disable']]])('with %j is an error', async (options) => {
    const { code, asked } = await run(['update', webhookId, ...options], () => [200, webhook]);
    expect([code, asked]).toEqual([2, []]);
  });
});

test('webhooks rotate prints the new secret alone, and when the old one ends', async () => {
  const previousSecretExpiresAt = '2026-03-03T09:00:00.000Z';
  const { stdout, stderr, asked } = await run(['rotate', webhookId, '--old-for', '60'], () => [
    200,
    { secret, previousSecretExpiresAt },
  ]);
  expect(stdout).toBe(`${secret}\n`);
  expect(stderr).toMatch(/never shown again\.\nThe old secret ends at 2026-03-03 09:00 UTC\.\n$/);
  expect(asked).toMatchObject([{ path: `/v1/webhooks/${webhookId}/secret`, body: { previousValidForSeconds: 60 } }]);
  expect((await run(['rotate', webhookId, '--old-for', 'x'], () => [200])).code).toBe(2);
});

describe('webhooks test', () => {
  const tested = { webhookId, testedAt: '2026-03-02T09:00:00.000Z' };

  test('says what the receiver answered', async () => {
    const { code, stdout } = await run(['test', webhookId], () => [
      200,
      { ...tested, succeeded: true, answerCode: 204, latencyMs: 31, failure: null },
    ]);
    expect([code, stdout]).toEqual([0, 'The receiver answered 204 in 31 ms.\n']);
  });

  test('says what went wrong and what to do, with exit code 1', async () => {
    const failure = { code: 'redirect', message: 'The receiver answered 302, a redirect.' };
    const answer = { ...tested, succeeded: false, answerCode: 302, latencyMs: 31, failure };
    const { code, stdout, stderr } = await run(['test', webhookId], () => [200, answer]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^The receiver answered 302, a redirect\.\n.*no redirects.*\n$/);
    const { stderr: asJson } = await run(['test', webhookId, '--json'], () => [200, answer]);
    expect(JSON.parse(asJson)).toMatchObject({
      error: { code: 'redirect', webhookId, answerCode: 302, latencyMs: 31 },
    });
  });
});

describe('webhooks deliveries', () => {
  const delivery = {
    noticeId: `ntc_${'a'.repeat(27)}`,
    type: 'transcription.finished',
    createdAt: '2026-03-02T09:00:00.000Z',
    state: 'waiting',
    attempts: 3,
    lastAttemptAt: '2026-03-02T09:02:35.000Z',
    answerCode: 503,
    latencyMs: 12,
    failureCode: 'answer_not_2xx',
    nextAttemptAt: '2026-03-02T09:12:41.000Z',
    replayed: false,
  };

  test('shows state, tries, code and the next try', async () => {
    const { stdout, asked } = await run(['deliveries', webhookId, '--limit', '5'], () => [
      200,
      { results: [delivery], cursor: null },
    ]);
    expect(asked[0]?.path).toBe(`/v1/webhooks/${webhookId}/deliveries?limit=5`);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['CREATED', 'TYPE', 'NOTICE', 'STATE', 'TRIES', 'CODE', 'NEXT TRY (UTC)', 'FAILURE'],
      [
        delivery.createdAt,
        delivery.type,
        delivery.noticeId,
        'waiting',
        '3',
        '503',
        '2026-03-02 09:12',
        'answer_not_2xx',
      ],
      [''],
    ]);
  });
});

test('webhooks list and get show what fails', async () => {
  const failing = { ...webhook, failingSince: '2026-03-02T09:00:00.000Z', parkedUntil: '2026-03-02T09:30:00.000Z' };
  const disabled = { ...webhook, state: 'disabled', disabledBy: 'service' };
  const { stdout } = await run(['list'], () => [200, { results: [webhook, failing, disabled], cursor: null }]);
  expect(
    stdout
      .split('\n')
      .slice(1, 4)
      .map((line) => line.split(/ {2,}/).at(-1)),
  ).toEqual(['enabled', 'failing', 'disabled by the service']);
  const shown = (await run(['get', webhookId], () => [200, failing])).stdout;
  expect(shown).toMatch(/^Failing since \(UTC\) +2026-03-02 09:00$/m);
  expect(shown).toMatch(/^Tried again \(UTC\) +2026-03-02 09:30$/m);
  expect(shown).not.toContain('Secret');
});

describe('webhooks replay', () => {
  const replay = {
    replayId: webhookId,
    state: 'running',
    from: '2026-03-01T00:00:00.000Z',
    to: '2026-03-02T00:00:00.000Z',
    noticeId: null,
    planned: 0,
  };
  const noticeId = `ntc_${'a'.repeat(27)}`;
  const createdAt = '2026-03-02T09:00:00.000Z';

  test.each([
    [['--from', '2026-03-01T00:00:00Z'], { from: '2026-03-01T00:00:00Z' }],
    [
      ['--from', '2026-03-01T00:00:00Z', '--to', '2026-03-02T00:00:00Z'],
      { from: '2026-03-01T00:00:00Z', to: '2026-03-02T00:00:00Z' },
    ],
    [['--notice-id', noticeId, '--created-at', createdAt], { noticeId, createdAt }],
  ])('with %j sends %j', async (options, body) => {
    const { code, stdout, stderr, asked } = await run(['replay', webhookId, ...options], () => [202, replay]);
    expect([code, stdout]).toEqual([0, 'running, 0 notices planned, of 2026-03-01 00:00 to 2026-03-02 00:00\n']);
    expect(stderr).toBe(`To see how far it has come, run: roomscribe webhooks get ${webhookId}\n`);
    expect(asked).toMatchObject([{ path: `/v1/webhooks/${webhookId}/replay`, body }]);
  });

  test.each([
    [[]],
    [['--to', createdAt]],
    [['--notice-id', noticeId]],
    [['--notice-id', noticeId, '--from', createdAt]],
  ])('with %j is an error', async (options) => {
    const { code, asked } = await run(['replay', webhookId, ...options], () => [202, replay]);
    expect([code, asked]).toEqual([2, []]);
  });
});

test('webhooks delete asks for --yes without a terminal, and deletes with it', async () => {
  const asking = await run(['delete', webhookId], () => [204]);
  expect([asking.code, asking.asked]).toEqual([2, []]);
  const { code, stdout, asked } = await run(['delete', webhookId, '--yes', '--json'], () => [204]);
  expect([code, JSON.parse(stdout)]).toEqual([0, { webhookId }]);
  expect(asked).toMatchObject([{ method: 'DELETE', path: `/v1/webhooks/${webhookId}` }]);
});

describe('a refusal has a hint and an exit code', () => {
  test.each([
    [['get', webhookId], 404, 'webhook_not_found', 4, 'No.\n'],
    [
      ['test', webhookId],
      403,
      'webhook_is_disabled',
      1,
      `No.\nTo enable it, run: roomscribe webhooks update ${webhookId} --enable\n`,
    ],
    [['create', 'https://a.example'], 403, 'too_many_webhooks', 1, 'No.\n'],
    [
      ['replay', webhookId, '--from', '2026-03-01T00:00:00Z'],
      409,
      'replay_in_progress',
      7,
      `No.\nTo see how far it has come, run: roomscribe webhooks get ${webhookId}\n`,
    ],
  ])('webhooks %j: %s %s', async (args, status, reason, code, stderr) => {
    expect(await run(args, refusal(status, reason))).toMatchObject({ code, stdout: '', stderr });
  });
});
