import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** An answer to a raw request. */
export type RawAnswer = {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** The parts of a raw request. */
export type RawRequest = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
};

/** Sends a request to a port of this machine with the path and headers as they are: `fetch` would change both. */
export async function rawRequest(
  port: string | number,
  path: string,
  { method = 'GET', headers = {}, body }: RawRequest = {},
): Promise<RawAnswer> {
  const all = { host: `127.0.0.1:${port}`, ...headers } as Record<string, string | string[]>;
  const asked = request({ host: '127.0.0.1', port, path, method, headers: all });
  asked.on('error', () => {}); // a server may answer before it has read the body, and close
  asked.end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Sends these bytes to a port of this machine, and returns all that comes back until the server closes. */
export async function rawBytes(port: string | number, bytes: string): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1');
  socket.end(bytes);
  return text(socket);
}
