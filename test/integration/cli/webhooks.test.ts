import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type TestNotice, verifyWebhook } from '#client/receiver.ts';
import type { Notice } from '#client/types.ts';
import { commandLineOf } from '../../support/client/command-line.ts';
import { eventually } from '../../support/eventually.ts';
import { serveInTest } from '../../support/http/test-server.ts';
import { known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { organization } from '../../support/machine.ts';

/** A receiver that accepts what is signed with its secret. */
async function receiver(whose: { secret: string }) {
  const got: (Notice | TestNotice)[] = [];
  const url = await serveInTest(async (request, response) => {
    const webhook = { secret: whose.secret, headers: request.headers, body: await text(request) };
    const notice = await verifyWebhook(webhook).catch(() => undefined);
    if (notice) got.push(notice);
    response.writeHead(notice ? 204 : 400).end();
  });
  return { url: `${url}/hooks`, got };
}

test('a webhook is created, tested, told, replayed, rotated and deleted', async () => {
  const acme = organization();
  const { json, run } = await commandLineOf(acme);
  const whose = { secret: `whsec_${Buffer.alloc(32).toString('base64')}` };
  const { url, got } = await receiver(whose);
  const types = ['--types', 'transcription.started'];
  const { webhookId, secret } = await json(['webhooks', 'create', url, ...types]);

  const refused = await run(['webhooks', 'test', webhookId]);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('it may have another secret') });
  whose.secret = secret;
  expect(await json(['webhooks', 'test', webhookId])).toMatchObject({ succeeded: true, answerCode: 204 });

  const session = liveSession(acme);
  await sendToRoomEvents([session.started()]);
  await known(acme, session.path);
  await eventually(() => expect(got.map(({ type }) => type)).toEqual(['webhook.test', 'transcription.started']));
  const { results } = await eventually(async () => {
    const page = await json(['webhooks', 'deliveries', webhookId]);
    expect(page.results).toMatchObject([{ noticeId: got[1]?.id, state: 'delivered', attempts: 1, answerCode: 204 }]);
    return page;
  });
  const listed = await json(['notices', '--from', new Date(Date.now() - 600_000).toISOString()]);
  expect(listed.results).toContainEqual(got[1]);

  const [{ noticeId, createdAt }] = results;
  await json(['webhooks', 'replay', webhookId, '--notice-id', noticeId, '--created-at', createdAt]);
  await eventually(() => expect(got.slice(1)).toEqual([got[1], got[1]]));

  const rotated = await json(['webhooks', 'rotate', webhookId, '--old-for', '0']);
  whose.secret = rotated.secret;
  expect(await json(['webhooks', 'test', webhookId])).toMatchObject({ succeeded: true });
  expect(await run(['webhooks', 'list'])).toMatchObject({ code: 0, stdout: expect.stringContaining(webhookId) });
  expect((await run(['webhooks', 'update', webhookId, '--disable'])).code).toBe(0);
  expect(await run(['webhooks', 'test', webhookId])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`roomscribe webhooks update ${webhookId} --enable`),
  });
  expect((await run(['webhooks', 'delete', webhookId, '--yes'])).code).toBe(0);
  expect((await run(['webhooks', 'get', webhookId])).code).toBe(4);
});

test('listen forwards what happens, and a process of it ends at Ctrl-C with its count', async () => {
  const acme = organization();
  const { begin } = await commandLineOf(acme);
  const whose = { secret: `whsec_${Buffer.alloc(32, 9).toString('base64')}` };
  const { url, got } = await receiver(whose);
  const session = liveSession(acme);
  const from = new Date(Date.now() - 600_000).toISOString();
  const args = [
    'listen',
    '--forward-to',
    url,
    '--from',
    from,
    '--every-seconds',
    '0.2',
    '--types',
    'transcription.started',
  ];
  const { child, ended } = begin(args, { env: { ROOMSCRIBE_WEBHOOK_SECRET: whose.secret } });
  onTestFinished(() => void child.kill('SIGKILL'));

  await sendToRoomEvents([session.started()]);
  await eventually(() => expect(got).toMatchObject([{ data: { transcriptionId: session.transcriptionId } }]));
  child.kill('SIGINT');

  const { code, stdout, stderr } = await ended;
  expect([code, stderr]).toEqual([0, expect.stringMatching(/1 forwarded, 0 failed\.\n$/)]);
  expect(stdout).toMatch(/^\S+Z {2}transcription\.started {2}ntc_\S{27} {2}204 {2}\d+ ms\n$/);
});
