import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { demoOrganization } from '../shared/token.ts';
import type { HttpResponse } from './http-api/function-response.ts';
import type { OwnPage } from './http-api/http-api.ts';

/** The path of the page that shows the API's description. The stack has no such route. */
export const docsPath = '/docs';

const require = createRequire(import.meta.url);
const scriptPath = `${docsPath}/standalone.js`;

type Section = { readonly from: string; readonly to?: string };

/** The sections of docs/api.md that the page links to, as their Markdown. */
const sections: ReadonlyMap<string, Section> = new Map([
  [`${docsPath}/tutorial`, { from: '## Tutorial', to: '## Calls' }],
  [`${docsPath}/events`, { from: '## Events the platform sends' }],
]);

/** The settings of the renderer. The page tries calls with the token, if there is one, which any program on this machine can request. */
function configurationOf(token: string | undefined): object {
  // https://github.com/scalar/scalar/blob/main/documentation/configuration.md
  return {
    url: '/v1/openapi.json',
    servers: [{ url: '/', description: 'This machine' }], // the page sends requests to the API that serves it
    authentication: {
      preferredSecurityScheme: 'accessToken',
      ...(token !== undefined && { securitySchemes: { accessToken: { token } } }),
    },
    defaultOpenAllTags: true,
    withDefaultFonts: false, // they come from a CDN
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
  };
}

/** Below the line with the links, the renderer's page. Tables scroll sideways instead of breaking words. */
const style = `
  :root { --scalar-custom-header-height: 40px; }
  header { position: sticky; top: 0; z-index: 20; box-sizing: border-box; height: 40px; padding: 10px 16px; overflow: auto;
    white-space: nowrap; color: #111; font: 14px/20px system-ui, sans-serif; background: #fff; border-bottom: 1px solid #ddd; }
  header a { margin-right: 16px; color: #0550ae; }
  .scalar-app .markdown table { display: block !important; max-width: 100% !important; overflow-x: auto !important; }
  .scalar-app .markdown :is(th, td), .scalar-app .markdown :is(th, td) * {
    word-break: normal !important; overflow-wrap: normal !important; hyphens: none !important; }
  .scalar-app .markdown :is(th, td) code { white-space: nowrap !important; }
  .scalar-app .markdown td { min-width: 12ch; }`;

const filledIn = `The token of the organization "${demoOrganization}" is filled in, valid for one hour from when this page was loaded.`;
const noToken = 'No token is filled in, because this API has a public address. npm start has printed one.';

const html = (token: string | undefined) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Roomscribe API</title>
    <link rel="icon" href="data:,">
    <style>${style}</style>
  </head>
  <body>
    <header>
      <a href="${docsPath}/tutorial">Tutorial</a> (plain text)
      <a href="${docsPath}/events">Events the platform sends</a> (plain text)
      ${token === undefined ? noToken : filledIn}
    </header>
    <script id="api-reference" data-configuration="${escapeAttribute(JSON.stringify(configurationOf(token)))}"></script>
    <script src="${scriptPath}"></script>
  </body>
</html>
`;

/** Allows only the script and API of this server. The renderer creates its styles at run time. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the page that renders the description, its script, and the texts that it links to. Undefined for other requests. Without
 * `requestToken`, the page has no token.
 */
export function createDocsPage(requestToken: (() => Promise<string>) | undefined): OwnPage {
  return async (method, requested) => {
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (requested === docsPath) {
      const headers = { 'content-security-policy': contentSecurityPolicy, 'cache-control': 'no-store' };
      return respond('text/html', Buffer.from(html(await requestToken?.())), headers);
    }
    if (requested === scriptPath) return respond('text/javascript', await readFile(rendererFile()));
    const section = sections.get(requested);
    return section && respond('text/plain', Buffer.from(await textOf(section)));
  };
}

/** A part of docs/api.md, from one heading to another one or to the end. */
async function textOf({ from, to }: Section): Promise<string> {
  const page = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
  const [, after = ''] = page.split(`\n${from}\n`);
  return `${from}\n${to === undefined ? after : after.split(`\n${to}\n`)[0]}`;
}

/** The file of the renderer. The package does not export it, so this finds it next to the exported module. */
function rendererFile(): string {
  return path.join(path.dirname(require.resolve('@scalar/api-reference')), 'browser', 'standalone.js');
}

function respond(type: string, body: Buffer, headers: HttpResponse['headers'] = {}): HttpResponse {
  const common = { 'content-type': `${type}; charset=utf-8`, 'x-content-type-options': 'nosniff' };
  return { status: 200, headers: { ...common, ...headers }, body };
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
