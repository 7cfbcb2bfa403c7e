import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** The server of a test: its URL and a function that stops it. */
export type TestServer = { readonly url: string; readonly stop: () => void };

/** Starts a server on a free local port. */
export async function serve(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** Starts a server that stops when the test has finished. Returns its URL. */
export async function serveInTest(listener: RequestListener): Promise<string> {
  const { url, stop } = await serve(listener);
  onTestFinished(stop);
  return url;
}
