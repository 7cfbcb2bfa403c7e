import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { findChromium } from '#tools/local/chromium.ts';

/** Starts headless Chromium. If it is not installed, the error says what to install. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error('This test needs Chromium: run npm run setup -- --tests, or apt-get install chromium.');
  }
  const isRoot = process.getuid?.() === 0; // Chromium's sandbox refuses to run as root
  return chromium.launch({ executablePath, chromiumSandbox: !isRoot });
}

/** Collects, from now on, the errors of the pages of a context and their requests to addresses outside `origin`. */
export function watchPages(context: BrowserContext, origin: string): readonly string[] {
  const found: string[] = [];
  context.on('console', (message) => {
    const isComplaint = ['error', 'warning', 'assert'].includes(message.type());
    if (isComplaint) found.push(`console ${message.type()}: ${message.text()}`);
  });
  context.on('weberror', (error) => found.push(`uncaught: ${error.error().message}`));
  context.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol !== 'data:' && asked !== origin) found.push(`other origin: ${request.url()}`);
  });
  context.on('requestfailed', (request) => found.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
  context.on('response', (response) => {
    if (response.status() >= 400) found.push(`${response.status()}: ${response.url()}`);
  });
  return found;
}
