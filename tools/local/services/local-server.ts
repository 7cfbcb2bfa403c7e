import { once } from 'node:events';
import type { Server } from 'node:http';
import { errorCode } from '../../shared/error-details.ts';
import { UserError } from '../../shared/user-error.ts';
import { host } from '../ports.ts';

/** A server of the runner that is being served. */
export type RunningServer = { readonly url: string; readonly stop: () => Promise<void> };

/**
 * Serves on this machine alone. Stopping ends at once what is idle, and what is under way after `graceMs`. A busy port is a problem that names the
 * port and what to do, which `remedy` says.
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
    const code = errorCode(error);
    if (code === 'EADDRINUSE') throw new UserError(`Port ${port} is in use: ${remedy}.`, { cause: error });
    if (code === 'EACCES') throw new UserError(`Port ${port} is not allowed to you: ${remedy}.`, { cause: error });
    throw error;
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

/** What is said of a port that the runner chose itself and that something took in the meantime. */
export const startAgain = 'something took it this very moment; start again';
