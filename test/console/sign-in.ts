import type { Page } from 'playwright-core';
import { newPage, type PageOptions } from './browser-pages.ts';
import type { HostedConsole } from './hosted-console.ts';
import type { OidcIssuer } from './oidc-issuer.ts';

/** Opens a view of a deployed console, and logs in at the issuer, which asks for a name. */
export async function signInAt(
  { url }: HostedConsole,
  issuer: OidcIssuer,
  name: string,
  path: string,
  options: PageOptions = {},
) {
  const opened = await newPage({ origins: [issuer.url], ...options });
  await opened.page.goto(`${url}${path.slice(1)}`);
  await logIn(opened.page, name);
  return opened;
}

/** Logs in at the issuer, which is what the page shows. */
export async function logIn(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Log in' }).click();
}
