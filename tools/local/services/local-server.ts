import { once } from 'node:events';
import type { Server } from 'node:http';
import { busyPort, host } from '../ports.ts';

/** A server of the runner that listens. */
export type RunningServer = { readonly url: string; readonly stop: () => Promise<void> };

/**
 * Listens on this machine only. `stop` closes idle connections at once, and busy ones after `graceMs`. Throws a
 * UserError if the port is busy; its message ends with `remedy`.
 */
export async function listen(
  server: Server,
  port: number,
  { remedy, graceMs = 0 }: { readonly remedy: string; readonly graceMs?: number },
): Promise<RunningServer> {
  try {
    const listening = once(server, 'listening');
    server.listen(port, host);
    await listening;
  } catch (error) {
    throw busyPort(error, port, remedy);
  }
  return { url: `http://${host}:${port}`, stop: () => close(server, graceMs) };
}

async function close(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(timer);
}

/** The remedy for a port that the runner chose and that another program took in the meantime. */
export const startAgain = 'Another program has just taken it. Start again.';
