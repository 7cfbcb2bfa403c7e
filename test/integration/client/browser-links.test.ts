import type { RequestListener } from 'node:http';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fileCorsFor } from '#infra/settings/cors.ts';
import { bucketCors } from '#tools/local/services/queues-and-buckets/bucket-cors.ts';
import { startBrowser } from '../../support/client/browser.ts';
import { serveInTest } from '../../support/http/test-server.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

/** A bucket that answers browsers by the rules of the stack. Returns the origins that it was asked from, too. */
async function bucketFor(origin: string) {
  const [rule] = fileCorsFor([origin]);
  const cors = bucketCors();
  const CorsRules = [
    {
      AllowedOrigins: [...(rule?.allowedOrigins ?? [])],
      AllowedMethods: [...(rule?.allowedMethods ?? [])],
      AllowedHeaders: [...(rule?.allowedHeaders ?? [])],
      ExposedHeaders: [...(rule?.exposedHeaders ?? [])],
      MaxAge: rule?.maxAge ?? 0,
    },
  ];
  cors.setRules([{ logicalId: 'B', name: 'bucket', properties: { CorsConfiguration: { CorsRules } } }]);
  const origins: (string | undefined)[] = [];
  const url = await serveInTest((request, response) => {
    origins.push(request.headers.origin);
    const reply = {
      code: (status: number) => {
        response.statusCode = status;
        return reply;
      },
      header: (name: string, value: string) => {
        response.setHeader(name, value);
        return reply;
      },
      send: (body: string) => response.end(body),
    };
    const asked = { method: request.method ?? '', url: request.url ?? '', headers: request.headers };
    cors.addHeaders(asked, reply);
    if (!cors.answerPreflight(asked, reply)) reply.send('words');
  });
  return { url: `${url}/bucket/a.txt`, origins };
}

/** Fetches a URL from a page of that origin. Returns the text, or the name of the error. */
async function fetchFrom(origin: string, url: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto(origin);
  const text = await page.evaluate(async (address) => {
    try {
      return await (await fetch(address, { headers: { range: 'bytes=0-4' } })).text();
    } catch (error) {
      return (error as Error).name;
    }
  }, url);
  await page.close();
  return text;
}

it('a page of an allowed origin can fetch a link of S3 and a link of the API, and other pages cannot', async () => {
  const blank: RequestListener = (_request, response) => response.setHeader('content-type', 'text/html').end('');
  const [page, other] = [await serveInTest(blank), await serveInTest(blank)];
  const file = await bucketFor(page);
  const api = await serveInTest((request, response) => {
    if (request.headers.origin === page) response.setHeader('access-control-allow-origin', page);
    response.writeHead(302, { location: file.url, 'referrer-policy': 'no-referrer' }).end();
  });

  expect(await fetchFrom(page, file.url)).toBe('words');
  expect(await fetchFrom(page, `${api}/v1/links/token`)).toBe('words');
  expect(file.origins).toEqual([page, 'null']); // a browser hides the origin after a redirect to another one
  expect(await fetchFrom(other, file.url)).toBe('TypeError');
  expect(await fetchFrom(other, `${api}/v1/links/token`)).toBe('TypeError');
});
