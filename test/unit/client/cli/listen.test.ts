import { createHmac } from 'node:crypto';
import { text } from 'node:stream/consumers';
import getPort from 'get-port';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifyWebhook } from '#client/receiver.ts';
import { apiOf, begin } from '../../../support/client/offline-command-line.ts';
import { eventually } from '../../../support/eventually.ts';
import { serveInTest } from '../../../support/http/test-server.ts';

const from = '2026-03-02T08:00:00Z';
const noticeOf = (letter: string, type = 'transcription.deleted') => ({
  id: `ntc_${letter.repeat(27)}`,
  apiVersion: '1.0',
  createdAt: '2026-03-02T09:00:00.000Z',
  type,
  data: { revision: 1 },
});

type Got = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** A receiver that answers with these statuses, one after the other, and then with 204. */
async function receiver(...statuses: readonly number[]) {
  const got: Got[] = [];
  const url = await serveInTest(async (request, response) => {
    got.push({ headers: request.headers as Got['headers'], body: await text(request) });
    response.writeHead(statuses[got.length - 1] ?? 204, { location: '/elsewhere' }).end();
  });
  return { url: `${url}/hooks`, got };
}

/** Listens until `isDone`, and then presses Ctrl-C. */
async function listen(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isDone: (printed: string) => unknown,
) {
  const interruption = new AbortController();
  onTestFinished(() => interruption.abort());
  const { ended, printed } = begin(['listen', '--from', from, '--every-seconds', '0.02', ...args], {
    env,
    signal: interruption.signal,
  });
  await Promise.race([eventually(() => expect(isDone(printed())).toBeTruthy()), ended]);
  interruption.abort();
  return ended;
}

const apiWith = (...notices: readonly object[]) => apiOf(() => [200, { results: notices, cursor: null }]);

describe('listen', () => {
  test('forwards each notice once, as the reference library and ours verify it, and ends at Ctrl-C with a count', async () => {
    const notices = [noticeOf('a'), noticeOf('b', 'room.session.started')];
    const { env, asked } = await apiWith(...notices);
    const { url, got } = await receiver();
    const { code, stdout, stderr } = await listen(['--forward-to', url], env, () => asked.length > 3);
    const [first = '', ...lines] = stdout.trimEnd().split('\n');
    const secret = /^Your signing secret is (whsec_\S{43}=)$/.exec(first)?.[1] ?? '';
    expect(lines).toEqual(
      notices.map(({ id, type, createdAt }) =>
        expect.stringMatching(new RegExp(`^${createdAt}  ${type}  ${id}  204  \\d+ ms$`)),
      ),
    );
    expect([code, stderr]).toEqual([
      0,
      `Waiting for notices. They go to ${url}. End with Ctrl-C.\n2 forwarded, 0 failed.\n`,
    ]);
    for (const [index, { headers, body }] of got.entries()) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(notices[index]);
      expect(await verifyWebhook({ secret, headers, body })).toEqual(notices[index]);
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Roomscribe/1.0 (+webhooks)' });
      expect(headers).not.toHaveProperty('whereby-signature');
    }
    expect(got).toHaveLength(2);
    expect(asked[0]?.path).toBe(`/v1/notices?from=${encodeURIComponent(from)}&limit=100`);
  });

  test('forwards the types that are asked for, with the secret of the environment, also signed as Whereby does', async () => {
    const { env, asked } = await apiWith(noticeOf('a'), noticeOf('b', 'room.session.started'));
    const { url, got } = await receiver();
    const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
    const args = ['--forward-to', url, '--types', 'room.session.started', '--whereby', '--json'];
    const { stdout } = await listen(
      args,
      { ...env, ROOMSCRIBE_WEBHOOK_SECRET: secret },
      () => got.length > 0 && asked.length > 2,
    );
    expect(JSON.parse(stdout)).toEqual({
      noticeId: noticeOf('b').id,
      type: 'room.session.started',
      createdAt: noticeOf('b').createdAt,
      answerCode: 204,
      latencyMs: expect.any(Number),
      failure: null,
    });
    const [{ headers, body } = { headers: {}, body: '' }] = got;
    expect(await verifyWebhook({ secret, headers, body })).toMatchObject({ id: noticeOf('b').id });
    const seconds = headers['webhook-timestamp'];
    const hex = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    expect(headers['whereby-signature']).toBe(`t=${seconds},v1=${hex}`);
  });

  test('goes on after a receiver that answers an error or a redirect, and follows none', async () => {
    const { env } = await apiWith(noticeOf('a'), noticeOf('b'), noticeOf('c'));
    const { url, got } = await receiver(500, 302);
    const { stdout, stderr } = await listen(['--forward-to', url], env, (printed) =>
      printed.includes(noticeOf('c').id),
    );
    expect(stdout.match(/ {2}(500|302|204) {2}\d+ ms$/gm)).toHaveLength(3);
    expect(stderr).toMatch(/1 forwarded, 2 failed\.\n$/);
    expect(got).toHaveLength(3);
  });

  test('tries again if nothing listens, and then goes on', async () => {
    const { env } = await apiWith(noticeOf('a'));
    const port = await getPort({ host: '127.0.0.1' });
    const args = ['--forward-to', `http://127.0.0.1:${port}/hooks`];
    const { stdout, stderr } = await listen(args, env, (printed) => printed.includes('connection refused'));
    expect(stderr.match(/Nothing listens at 127\.0\.0\.1:\d+\. Trying again in (?:0\.5|1|2) s\./g)).toHaveLength(3);
    expect(stdout).toMatch(/ {2}connection refused: not forwarded$/m);
    expect(stderr).toMatch(/0 forwarded, 1 failed\.\n$/);
  });

  test.each([
    ['no address', []],
    ['an address that is none', ['--forward-to', 'localhost:3000']],
    ['another protocol', ['--forward-to', 'ftp://localhost']],
    ['a user in the address', ['--forward-to', 'http://me:secret@localhost']],
    ['an unknown type', ['--forward-to', 'http://localhost', '--types', 'a']],
  ])('refuses %s', async (_, args) => {
    const { env, asked } = await apiWith();
    expect(await begin(['listen', ...args], { env }).ended).toMatchObject({ code: 2, stdout: '' });
    expect(asked).toEqual([]);
  });

  test.each(['whsec_', 'whsec_AAAA', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'whsec_ä'])(
    'refuses the secret "%s"',
    async (secret) => {
      const { env } = await apiWith();
      const { code, stderr } = await begin(['listen', '--forward-to', 'http://localhost'], {
        env: { ...env, ROOMSCRIBE_WEBHOOK_SECRET: secret },
      }).ended;
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^ROOMSCRIBE_WEBHOOK_SECRET must be/)]);
      expect(stderr.includes(secret.slice(6) || '\0')).toBe(false);
    },
  );

  test('ends with a problem if the service refuses the token', async () => {
    const { env } = await apiOf(() => [401, { message: 'No.' }]);
    expect((await begin(['listen', '--forward-to', 'http://localhost'], { env }).ended).code).toBe(3);
  });
});

test('notices shows what each notice is about', async () => {
  const notices = [
    { ...noticeOf('a'), data: { revision: 2, transcriptionId: 't-1', roomSessionId: 's-1' } },
    { ...noticeOf('b', 'room.session.ended'), data: { revision: 1, roomSessionId: 's-1' } },
    { ...noticeOf('c', 'recording.refused'), data: { revision: 1, recordingId: null, eventId: 'e-1' } },
    { ...noticeOf('d', 'webhook.disabled'), data: { revision: 1, webhookId: 'w-1' } },
  ];
  const { env } = await apiWith(...notices);
  const { stdout } = await begin(['notices', '--from', from], { env }).ended;
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/).slice(2)),
  ).toEqual([
    [notices[0]?.id, 't-1', '2'],
    [notices[1]?.id, 's-1', '1'],
    [notices[2]?.id, 'e-1', '1'],
    [notices[3]?.id, 'w-1', '1'],
  ]);
});
