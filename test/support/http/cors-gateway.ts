import { corsFor } from '#infra/settings/cors.ts';
import { corsHeaders, preflightAnswer } from '#tools/local/http-api/cors.ts';
import { endpoints } from '../machine.ts';
import { serve, type TestServer } from './test-server.ts';

/**
 * The API of the shared local runner with CORS for one origin, implemented by the runner itself. The shared runner has no
 * CORS, like a deployment by default.
 */
export function corsGateway(origin: string): Promise<TestServer> {
  const { allowOrigins, allowMethods, allowHeaders, exposeHeaders, maxAge } = corsFor([origin]);
  const cors = {
    AllowOrigins: allowOrigins ?? [],
    AllowMethods: allowMethods ?? [],
    AllowHeaders: allowHeaders ?? [],
    ExposeHeaders: exposeHeaders ?? [],
    MaxAge: maxAge?.toSeconds() ?? 0,
  };
  return serve(async (request, response) => {
    const preflight = preflightAnswer(cors, request);
    const allowed = corsHeaders(cors, request);
    if (preflight) {
      response.writeHead(preflight.status, { ...preflight.headers, ...allowed }).end();
      return;
    }
    const { method = 'GET', url = '/', headers } = request;
    const sent = Object.entries(headers).filter(([name]) =>
      /^(authorization|content-type|idempotency-key)$/.test(name),
    );
    const chunks = await request.toArray();
    const answer = await fetch(`${endpoints.apiUrl}${url}`, {
      method,
      headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    const own = [...answer.headers].filter(
      ([name]) => !/^(content-length|content-encoding|transfer-encoding|connection|keep-alive)$/.test(name),
    );
    response.writeHead(answer.status, { ...Object.fromEntries(own), ...allowed }).end(body);
  });
}
