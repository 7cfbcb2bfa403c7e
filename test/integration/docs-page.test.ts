import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { startBrowser, watchPages } from '../support/browser.ts';
import { endpoints } from '../support/machine.ts';

const Reference = z.object({ $ref: z.string() });
const Json = z.object({ example: z.optional(z.unknown()), examples: z.record(z.string(), z.unknown()).optional() });
const Answer = z.object({ content: z.object({ 'application/json': Json }).optional() });
const Operation = z.object({
  summary: z.string(),
  parameters: z.array(z.unknown()).default([]),
  responses: z.record(z.string(), z.unknown()),
});
const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** How the page labels each method. */
const shownAs = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DEL' } as const;
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
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
  expect(asked.headers.get('content-security-policy')).toBe(policy);
});
