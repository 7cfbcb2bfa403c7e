import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startBrowser } from '../../support/client/browser.ts';
import { installedPackage } from '../../support/client/package.ts';
import { corsGateway } from '../../support/http/cors-gateway.ts';
import { serve } from '../../support/http/test-server.ts';
import { known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { organization, token } from '../../support/machine.ts';
import { finishRecording, registered } from '../../support/media/recordings.ts';

let browser: Browser;
let [library, receiver] = ['', ''];
beforeAll(async () => {
  const [started, { folder }] = await Promise.all([startBrowser(), installedPackage()]);
  browser = started;
  const read = (name: string) => readFile(path.join(folder, `node_modules/roomscribe/client/${name}.js`), 'utf8');
  [library, receiver] = await Promise.all([read('index'), read('receiver')]);
});
afterAll(() => browser?.close());

/** The script of the page. It reads its input from the `#` part of its address and shows its results. */
const script = `
  import { NotFoundError, Roomscribe } from '/client/index.js';
  const { apiUrl, token, recordingId } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
  const { transcriptions } = new Roomscribe({ apiUrl, token, maxRetries: 0 });
  const show = (text) => { document.querySelector('output').value = JSON.stringify(text); };
  try {
    const listed = (await transcriptions.list({ limit: 1 }).toArray()).map((each) => each.transcriptionId);
    const created = await transcriptions.create({ recordingId });
    await transcriptions.delete(created.transcriptionId);
    const gone = await transcriptions.get(created.transcriptionId).catch((error) => error);
    show({ listed, created: typeof created.transcriptionId, gone: [gone instanceof NotFoundError, gone.code, typeof gone.requestId] });
  } catch ({ name, code }) {
    show({ name, code });
  }
`;

/** The script of a page that verifies a webhook, as a worker at the edge does. */
const verifyingScript = `
  import { verifyWebhook } from '/client/receiver.js';
  const { webhook } = JSON.parse(decodeURIComponent(location.hash.slice(1)));
  const of = (body) => verifyWebhook({ ...webhook, headers: new Headers(webhook.headers), body });
  const { type } = await of(new TextEncoder().encode(webhook.body));
  const refused = await of(webhook.body + ' ').catch((error) => error.code);
  document.querySelector('output').value = JSON.stringify([type, refused]);
`;

/** Opens the page and returns its results. */
async function visit(pageUrl: string, facts: object, route = '/'): Promise<unknown> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(`${pageUrl}${route}#${encodeURIComponent(JSON.stringify(facts))}`);
  const shown = page.locator('output:not(:empty)');
  await shown.waitFor();
  expect(errors).toEqual([]);
  return JSON.parse(await shown.innerText());
}

/** Serves the page from another origin than the API. */
async function servePage() {
  const served: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', `<!doctype html><output></output><script type="module">${script}</script>`],
    '/client/index.js': ['text/javascript', library],
    '/client/receiver.js': ['text/javascript', receiver],
    '/receiver': ['text/html', `<!doctype html><output></output><script type="module">${verifyingScript}</script>`],
  };
  const server = await serve(({ url = '' }, response) => {
    const [type, text] = served[url] ?? ['text/plain', ''];
    response.writeHead(url in served ? 200 : 404, { 'content-type': type }).end(text);
  });
  onTestFinished(server.stop);
  return server.url;
}

it('a page of an allowed origin can list, create, delete and read errors', async () => {
  const acme = organization();
  const [session, recording] = [liveSession(acme), await finishRecording(acme)];
  await sendToRoomEvents([session.started()]);
  await Promise.all([known(acme, session.path), registered(acme, recording.recordingId)]);
  const page = await servePage();
  const gateway = await corsGateway(page);
  onTestFinished(gateway.stop);

  const shown = await visit(page, {
    apiUrl: gateway.url,
    token: await token(acme),
    recordingId: recording.recordingId,
  });

  expect(shown).toEqual({
    listed: [session.transcriptionId],
    created: 'string',
    gone: [true, 'transcription_not_found', 'string'],
  });
});

it('a page of another origin gets a connection error', async () => {
  const page = await servePage();
  const gateway = await corsGateway('https://app.example.com');
  onTestFinished(gateway.stop);

  const shown = await visit(page, { apiUrl: gateway.url, token: await token(organization()), recordingId: '' });

  expect(shown).toEqual({ name: 'ConnectionError', code: 'connection_failed' });
});

it('a page verifies a webhook', async () => {
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
  const body = JSON.stringify({ id: 'ntc_1', type: 'webhook.test', data: { text: '林' } });
  const now = new Date();
  const headers = {
    'webhook-id': 'ntc_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('ntc_1', now, body),
  };

  const shown = await visit(await servePage(), { webhook: { secret, headers, body } }, '/receiver');

  expect(shown).toEqual(['webhook.test', 'wrong_signature']);
});
