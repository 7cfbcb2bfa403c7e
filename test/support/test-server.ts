import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A server of a test: where it is, and how it ends. */
export type TestServer = { readonly url: string; readonly stop: () => void };

/** Serves on a free port of this machine. */
export async function serve(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** The same until the test has finished; returns where. */
export async function serveInTest(listener: RequestListener): Promise<string> {
  const { url, stop } = await serve(listener);
  onTestFinished(stop);
  return url;
}
