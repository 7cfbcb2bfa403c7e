import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { inject } from 'vitest';
import { builtConsole } from '../../client/build/console.ts';
import { type ConsoleAnswer, configAnswer, configPath, readConsole } from '../../client/console-serving/files.ts';
import { endpoints } from '../support/machine.ts';

/** The console as a deployment serves it: the built page and the API have one origin. */
export type HostedConsole = {
  readonly origin: string;
  /** The address of the page, to which the login leads back. */
  readonly url: string;
  /** What is behind `/v1/`: the API, an API that answers 503, or nothing. */
  api: 'up' | 'busy' | 'down';
  readonly stop: () => void;
};

/** The address of the page of a deployment. */
export const hostedUrl = `http://127.0.0.1:${inject('hostedPort')}/console/`;

/** Serves the console with the policy of a deployment. `config` says how to log in. */
export async function startHostedConsole(config: () => object, issuer?: string): Promise<HostedConsole> {
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
    if (requested.startsWith('/v1/')) return void forward(hosted.api, request, response);
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

async function forward(api: HostedConsole['api'], request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (api === 'down') return void request.socket.destroy();
  if (api === 'busy') return send(response, busy);
  const { method = 'GET', headers, url = '' } = request;
  const body = method === 'GET' ? undefined : await buffer(request);
  const { host: _host, connection: _connection, ...sent } = headers as Record<string, string>;
  const answer = await fetch(`${endpoints.apiUrl}${url}`, { method, headers: sent, ...(body?.length && { body }) });
  const { 'content-encoding': _encoding, 'content-length': _length, ...kept } = Object.fromEntries(answer.headers);
  send(response, { status: answer.status, headers: kept, body: Buffer.from(await answer.arrayBuffer()) });
}

const busy: ConsoleAnswer = {
  status: 503,
  headers: { 'content-type': 'application/json', 'apigw-requestid': 'request-of-the-test' },
  body: Buffer.from(JSON.stringify({ code: 'service_unavailable', message: 'Try again later.' })),
};

function send(response: ServerResponse, { status, headers, body }: ConsoleAnswer): void {
  const { 'transfer-encoding': _chunked, connection: _connection, 'keep-alive': _alive, ...kept } = headers;
  response.writeHead(status, kept);
  response.end(status === 204 ? undefined : body);
}
