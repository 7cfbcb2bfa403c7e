import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { inject } from 'vitest';
import { builtConsole } from '#client/build/console.ts';
import { type ConsoleAnswer, configAnswer, configPath, readConsole } from '#console/serving/files.ts';
import { endpoints } from '../support/machine.ts';

/** The console as a deployment serves it: the built page and the API have one origin. */
export type HostedConsole = {
  readonly origin: string;
  /** The address of the page, to which the login leads back. */
  readonly url: string;
  /** What is behind `/v1/`: the API, an API that answers 503 or has no points left, or nothing. */
  api: 'up' | 'busy' | 'limited' | 'down';
  readonly stop: () => void;
};

/** The address of the page of a deployment. */
export const hostedUrl = `http://127.0.0.1:${inject('hostedPort')}/console/`;

/** What a gateway makes of the header `Authorization`: one for the API of this machine, or the answer. */
export type Authorize = (header: string) => Promise<string | ConsoleAnswer>;

type HostedOptions = { readonly issuer?: string; readonly authorize?: Authorize };

/** The configuration of a reader who needs no login. The API of a test that uses it does not look at the token. */
export function withToken() {
  return { signIn: 'token', token: 'a.b.c', expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
}

/** Serves the console with the policy of a deployment. `config` says how to log in. `authorize` stands for another gateway than the runner's. */
export async function startHostedConsole(
  config: () => object,
  { issuer, authorize = async (header) => header }: HostedOptions = {},
): Promise<HostedConsole> {
  const port = inject('hostedPort');
  const connect = [...(issuer === undefined ? [] : [issuer]), endpoints.s3Url];
  const files = await readConsole(await builtConsole(), { connect, media: [endpoints.s3Url] });
  const hosted: Omit<HostedConsole, 'stop'> = {
    origin: `http://127.0.0.1:${port}`,
    url: hostedUrl,
    api: 'up',
  };
  const server = createServer((request, response) => {
    const [requested = ''] = (request.url ?? '').split('?');
    if (requested.startsWith('/v1/')) return void forward(hosted.api, authorize, request, response);
    const found = requested === configPath ? configAnswer(config()) : files(requested);
    return send(response, found ?? { status: 404, headers: {}, body: Buffer.alloc(0) });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return Object.assign(hosted, { stop });
}

async function forward(
  api: HostedConsole['api'],
  authorize: Authorize,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (api === 'down') return void request.socket.destroy();
  if (api !== 'up') return send(response, refusals[api]);
  const { method = 'GET', headers, url = '' } = request;
  const body = method === 'GET' ? undefined : await buffer(request);
  const authorization = await authorize(headers.authorization ?? '');
  if (typeof authorization !== 'string') return send(response, authorization);
  const { host: _host, connection: _connection, ...kept } = headers as Record<string, string>;
  const sent = { ...kept, authorization };
  const answer = await fetch(`${endpoints.apiUrl}${url}`, { method, headers: sent, ...(body?.length && { body }) });
  const { 'content-encoding': _encoding, 'content-length': _length, ...given } = Object.fromEntries(answer.headers);
  send(response, { status: answer.status, headers: given, body: Buffer.from(await answer.arrayBuffer()) });
}

const refusals: Readonly<Record<'busy' | 'limited', ConsoleAnswer>> = {
  busy: refusal(503, 'service_unavailable', { 'apigw-requestid': 'request-of-the-test' }),
  limited: refusal(429, 'rate_limited', { 'retry-after': '2' }),
};

function refusal(status: number, code: string, headers: Readonly<Record<string, string>>): ConsoleAnswer {
  const body = Buffer.from(JSON.stringify({ code, message: 'Try again later.' }));
  return { status, headers: { 'content-type': 'application/json', ...headers }, body };
}

function send(response: ServerResponse, { status, headers, body }: ConsoleAnswer): void {
  const { 'transfer-encoding': _chunked, connection: _connection, 'keep-alive': _alive, ...kept } = headers;
  response.writeHead(status, kept);
  response.end(status === 204 ? undefined : body);
}
