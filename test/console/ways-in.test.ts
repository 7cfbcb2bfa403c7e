import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { commandLineOf } from '../support/client/command-line.ts';
import { serveInTest } from '../support/http/test-server.ts';
import { endpoints } from '../support/machine.ts';
import { newPage, withBrowser } from './browser-pages.ts';
import { acme, world } from './world.ts';

withBrowser();
beforeAll(async () => void (await world()));

/** Starts `roomscribe console`, and returns the link that it prints. */
async function consoleLink(path: string): Promise<string> {
  const { begin } = await commandLineOf(acme);
  const { child, ended } = begin(['console', '--path', path]);
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (text) => {
    printed += text;
  });
  await Promise.race([once(child.stdout, 'data'), ended]);
  return /http:\S+/.exec(printed)?.[0] ?? String((await ended).stderr);
}

/** What looks like a token in the memory of a page. */
async function tokensInMemory(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  let memory = '';
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    memory += chunk;
  });
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  return memory.match(/eyJ[\w-]{20,}\.eyJ[\w-]{20,}/g) ?? [];
}

it('npm start serves the console, logged in to the demo', async () => {
  const { page, complaints } = await newPage();

  await page.goto(endpoints.consoleUrl);

  await page.getByText('/team/standup').first().waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/rooms');
  expect(complaints).toEqual([]);
  expect(await tokensInMemory(page)).not.toEqual([]); // so the other test would find one
});

it('roomscribe console opens a view by a link that works once, and its page never has the token', async () => {
  const link = await consoleLink('/transcriptions?state=failed');
  const { page, complaints } = await newPage();
  const tokens: string[] = [];
  page.on('request', (request) => {
    const { authorization = '' } = request.headers();
    if (/^Bearer eyJ/.test(authorization)) tokens.push(request.url());
  });

  await page.goto(link);
  await page.getByText('/team/retro').first().waitFor();
  expect(page.url()).toMatch(/\/console\/transcriptions\?state=failed$/);
  await page.reload();
  await page.getByText('/team/retro').first().waitFor();
  expect(complaints).toEqual([]);
  expect(tokens).toEqual([]);
  expect(await tokensInMemory(page)).toEqual([]);
  expect(await page.evaluate('document.cookie')).toBe('');

  const other = await newPage({ expected: /401/ });
  await other.page.goto(link);
  await other.page.getByText('works once').first().waitFor();
  await other.page.goto(new URL('/console/rooms', link).href);
  expect(await other.page.getByText('/team/standup').count()).toBe(0);
});

it('a page of another site gets nothing from roomscribe console, also in the browser that is logged in', async () => {
  const link = await consoleLink('/rooms');
  const { page } = await newPage({ expected: /./ });
  await page.goto(link);
  await page.getByText('/team/standup').first().waitFor();
  const site = await serveInTest((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>Another site</title>');
  });

  await page.goto(site);
  const asked = (mode: string) =>
    page.evaluate<string>(
      `fetch('${new URL('/v1/insights/rooms', link).href}', { credentials: 'include', mode: '${mode}' })
        .then(async (answer) => answer.type + ' ' + answer.status + ' ' + (await answer.text()), () => 'blocked')`,
    );

  expect(await asked('cors')).toBe('blocked');
  expect(await asked('no-cors')).not.toContain('standup');
});
