import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { startBrowser } from '../support/client/browser.ts';
import { endpoints } from '../support/machine.ts';

/** What a page of a test is like. */
export type PageOptions = {
  readonly theme?: 'light' | 'dark';
  readonly width?: number;
  readonly height?: number;
  /** The zone of the reader. Default: UTC. */
  readonly timezoneId?: string;
  /** Origins that the page may ask besides its own and the bucket's. */
  readonly origins?: readonly string[];
  /** Complaints that the test is about. */
  readonly expected?: RegExp;
};

let browser: Browser | undefined;

/** Starts a browser for the tests of a file. */
export function withBrowser(): void {
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
  });
}

/**
 * Opens a page for a test. `complaints` collects uncaught errors, what the console says, violations of the policy, and requests to
 * origins that the page must not ask.
 */
export async function newPage(options: PageOptions = {}): Promise<{ page: Page; complaints: readonly string[] }> {
  const { theme = 'light', width = 1280, height = 900, timezoneId = 'UTC' } = options;
  if (!browser) throw new Error('The file does not use the browser.');
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    timezoneId,
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(30_000);
  onTestFinished(() => context.close());
  return { page: await context.newPage(), complaints: watch(context, options) };
}

function watch(context: BrowserContext, { origins = [], expected }: PageOptions): readonly string[] {
  const found: string[] = [];
  const complain = (text: string) => {
    if (!expected?.test(text)) found.push(text);
  };
  context.on('console', (message) => {
    if (message.location().url.includes('/recording-link')) return; // browsers report also a refusal that the page expects
    if (['error', 'warning', 'assert'].includes(message.type())) complain(`${message.type()}: ${message.text()}`);
  });
  context.on('weberror', (error) => complain(`uncaught: ${error.error().message}`));
  context.on('request', (request) => {
    if (request.isNavigationRequest()) return; // to the login and back
    const { protocol, origin } = new URL(request.url());
    const own = new URL(request.frame().url() === 'about:blank' ? request.url() : request.frame().url()).origin;
    const isAllowed = [own, endpoints.s3Url, ...origins].includes(origin);
    if (!['data:', 'blob:'].includes(protocol) && !isAllowed) complain(`other origin: ${request.url()}`);
  });
  return found;
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What axe finds wrong with a page, one line for each rule. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axeSource());
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run());
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

type Axe = {
  readonly run: () => Promise<{
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>;
};

let source: string | undefined;

/** The policy of the page allows no script of others, so the source is evaluated instead of loaded. */
function axeSource(): string {
  source ??= readFileSync(axeFile, 'utf8');
  return source;
}

/** By how many pixels the page is wider than what shows it. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}
