import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { HttpResponse } from './http-api/function-response.ts';

/** The path of the page that shows the API's description. The stack has no such route. */
export const docsPath = '/docs';

const require = createRequire(import.meta.url);
const scriptPath = `${docsPath}/standalone.js`;

// https://github.com/scalar/scalar/blob/main/documentation/configuration.md
const configuration = {
  url: '/v1/openapi.json',
  servers: [{ url: '/', description: 'This machine' }], // the page sends requests to the API that serves it
  defaultOpenAllTags: true,
  withDefaultFonts: false, // they come from a CDN
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
};

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Roomscribe API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <script id="api-reference" data-configuration="${escapeAttribute(JSON.stringify(configuration))}"></script>
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

/** Serves the page that renders the description, and its script. Undefined for every other request. */
export async function docsPage(method: string, requested: string): Promise<HttpResponse | undefined> {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (requested === docsPath) {
    return respond('text/html', Buffer.from(page), { 'content-security-policy': contentSecurityPolicy });
  }
  if (requested === scriptPath) return respond('text/javascript', await readFile(rendererFile()));
  return undefined;
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
