import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { startBrowser, watchPages } from '../../support/client/browser.ts';
import { endpoints } from '../../support/machine.ts';

const Reference = z.object({ $ref: z.string() });
const Json = z.object({ example: z.optional(z.unknown()), examples: z.record(z.string(), z.unknown()).optional() });
const Answer = z.object({ content: z.object({ 'application/json': Json }).optional() });
const Operation = z.object({
  summary: z.string(),
  parameters: z.array(z.unknown()).default([]),
  responses: z.record(z.string(), z.unknown()),
});
const methods = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;
/** How the page labels each method. */
const shownAs = { get: 'GET', head: 'HEAD', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DEL' } as const;
const PathItem = z.partialRecord(z.enum(methods), Operation);
const Description = z.object({ paths: z.record(z.string(), PathItem) });

let browser: Browser;
let description: unknown;
beforeAll(async () => {
  browser = await startBrowser();
  const response = await fetch(`${endpoints.apiUrl}/v1/openapi.json`);
  expect(response.status, 'GET /v1/openapi.json').toBe(200);
  description = await response.json();
});
afterAll(() => browser?.close());

/** Opens the page. `complaints` collects its errors and its requests to other hosts. */
async function openDocs(): Promise<{ readonly page: Page; readonly complaints: readonly string[] }> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 } });
  onTestFinished(() => context.close());
  const complaints = watchPages(context, new URL(endpoints.apiUrl).origin);
  const page = await context.newPage();
  await page.goto(endpoints.docsUrl);
  return { page, complaints };
}

/** A part of the description, with a reference resolved. */
function resolve(part: unknown): unknown {
  const { success, data: reference } = Reference.safeParse(part);
  if (!success) return part;
  const steps = reference.$ref.slice(2).split('/');
  return resolve(steps.reduce((at, step) => (at as Record<string, unknown>)[step], description));
}

/** Every operation of the served description. `link` is its name in the page's list. */
function describedOperations() {
  return Object.values(Description.parse(description).paths).flatMap((item) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      const { summary } = operation;
      const parameters = operation.parameters.map((part) => z.object({ name: z.string() }).parse(resolve(part)).name);
      const link = `${summary} HTTP Method: ${shownAs[method]}`;
      return [{ summary, link, parameters, example: exampleOf(operation.responses['200']) }];
    }),
  );
}

/** The first example of a JSON answer. */
function exampleOf(response: unknown): unknown {
  const json = Answer.safeParse(resolve(response)).data?.content?.['application/json'];
  const [first] = Object.values(json?.examples ?? {});
  return json?.example ?? z.object({ value: z.unknown() }).safeParse(resolve(first)).data?.value;
}

it('lists every operation of the served description', async () => {
  const { page, complaints } = await openDocs();
  const operations = describedOperations();
  expect(operations).not.toEqual([]);

  for (const { link } of operations) {
    await page.getByRole('complementary').getByRole('link', { name: link, exact: true }).waitFor();
  }

  expect(complaints).toEqual([]);
});

it('shows the parameters and the example of an opened operation', async () => {
  const { page, complaints } = await openDocs();
  const operation = describedOperations().find(({ parameters, example }) => parameters.length > 0 && example);
  if (operation === undefined) throw new Error('No operation has both parameters and an example.');

  await page.getByRole('complementary').getByRole('link', { name: operation.link, exact: true }).click();

  const opened = page.getByRole('region', { name: operation.summary, exact: true });
  for (const name of operation.parameters) await opened.getByRole('button', { name: `Copy link to ${name}` }).waitFor();
  const shown = opened
    .locator('code')
    .filter({ hasText: /^\s*[[{]/ })
    .first();
  await shown.waitFor();
  expect(JSON.parse((await shown.textContent()) ?? '')).toEqual(operation.example);
  expect(complaints).toEqual([]);
});

/** Returns the words of the page's tables, and those that stand in more than one line. Runs in the browser. */
const brokenWords = `(() => {
  const found = { words: 0, broken: [] };
  for (const cell of document.querySelectorAll('.markdown :is(th, td)')) {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode;
      for (const { index, 0: word } of text.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        found.words++;
        if (lines.size > 1) found.broken.push(word);
      }
    }
  }
  return found;
})()`;

it('breaks no word of a table at any width, and links to the tutorial and the events', async () => {
  const { page, complaints } = await openDocs();
  await page.locator('.markdown table').first().waitFor();
  for (const width of [320, 760, 1400]) {
    await page.setViewportSize({ width, height: 900 });
    const { words, broken } = await page.evaluate<{ words: number; broken: string[] }>(brokenWords);
    expect(words).toBeGreaterThan(100);
    expect(broken, `at a width of ${width}`).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
  }
  for (const [name, heading] of [
    ['Tutorial', '### 1. Addresses and a token'],
    ['Events the platform sends', '### recording.finished'],
  ] as const) {
    const link = page.getByRole('banner').getByRole('link', { name, exact: true });
    const linked = await fetch(new URL((await link.getAttribute('href')) ?? '', endpoints.docsUrl));
    expect([linked.status, linked.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await linked.text()).toContain(`\n${heading}\n`);
  }
  expect(complaints).toEqual([]);
});

it('sends a call with the token that is filled in', async () => {
  const { page } = await openDocs();
  await page.getByRole('complementary').getByRole('link', { name: 'List rooms HTTP Method: GET', exact: true }).click();
  const opened = page.getByRole('region', { name: 'List rooms', exact: true });
  await opened.getByRole('button', { name: /^Test Request/ }).click();
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/v1/insights/rooms');

  await page.getByRole('button', { name: /^Send get request/ }).click();

  const answer = await answered;
  expect(answer.request().headers().authorization).toMatch(/^Bearer \S+\.\S+\.\S+$/);
  expect(answer.headers()).toHaveProperty('x-ratelimit-remaining'); // the authorizer accepted the token
});

it('answers only GET and HEAD, and loads only from this machine', async () => {
  const [read, asked, posted, below] = await Promise.all([
    fetch(endpoints.docsUrl),
    fetch(endpoints.docsUrl, { method: 'HEAD' }),
    fetch(endpoints.docsUrl, { method: 'POST' }),
    fetch(`${endpoints.docsUrl}/nothing.js`),
  ]);

  expect([read.status, asked.status, posted.status, below.status]).toEqual([200, 200, 404, 404]);
  expect(await posted.json()).toEqual({ message: 'Not Found' }); // the gateway's own answer
  const policy = read.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(read.headers.get('cache-control')).toBe('no-store'); // the page has a token
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  expect(asked.headers.get('content-security-policy')).toBe(policy);
});

it.each([
  ['a foreign name that leads to this machine', { host: 'evil.example:80' }, 404],
  ['a page of another origin', { origin: 'https://evil.example' }, 404],
  ['a tunnel that changes the host', { 'x-forwarded-for': '203.0.113.7' }, 404],
  ['a proxy of RFC 7239', { forwarded: 'for=203.0.113.7' }, 404],
  ['the machine itself', {}, 200],
])('answers %s', async (_what, headers, status) => {
  const asked = request(endpoints.docsUrl, { headers });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await text(response);
  expect(response.statusCode).toBe(status);
  expect(body.includes('Bearer') || body.includes('eyJ')).toBe(status === 200);
});
