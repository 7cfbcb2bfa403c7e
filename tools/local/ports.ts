import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import * as z from 'zod';
import { errorCode } from '../shared/error-details.ts';
import { UserError } from '../shared/user-error.ts';

/** The address that every server listens on. Other machines cannot reach it. */
export const host = '127.0.0.1';

const portNames = ['api', 'issuer', 'dynamodb', 'aws', 'transcribe', 'sts', 'secretsManager', 'eventBridge'] as const;

type PortName = (typeof portNames)[number];

/** The ports of the runner's servers. `aws` is the port of SQS and S3. */
export type Ports = Readonly<Record<PortName, number>>;

/** Ports that no other program can take until their servers start. */
export type ReservedPorts = {
  readonly numbers: Ports;
  /** Releases the port of a server, and starts the server on it. */
  readonly startOn: <Started>(name: PortName, start: (port: number) => Promise<Started>) => Promise<Started>;
  readonly releaseAll: () => Promise<void>;
};

/**
 * Reserves a port for each server. Takes the port stored in `file` if it is still free, so that tokens and links stay
 * valid after a restart. `apiPort` must be free; 0 takes any free port. A port that the user chose is not reserved, so
 * that clients that wait for the API cannot connect before it starts.
 */
export async function reservePorts(file: string, apiPort: number): Promise<ReservedPorts> {
  const remembered = await readPorts(file);
  const placeholders = new Map<PortName, Server>();
  const release = async (name: PortName): Promise<void> => {
    const placeholder = placeholders.get(name);
    placeholders.delete(name);
    if (placeholder) await close(placeholder);
  };
  for (const name of portNames) {
    const occupy = name === 'api' && apiPort !== 0 ? occupyPort(apiPort) : occupyAnyPort(remembered[name]);
    placeholders.set(name, await occupy); // the one of the user first, so that nothing is occupied if it is busy
  }
  const numbers = Object.fromEntries(Array.from(placeholders, ([name, each]) => [name, portOf(each)])) as Ports; // has every name of `portNames`
  if (apiPort !== 0) await release('api');
  return {
    numbers,
    startOn: async (name, start) => {
      await release(name);
      return start(numbers[name]);
    },
    releaseAll: async () => {
      await Promise.all(portNames.map(release));
    },
  };
}

/** Starts a server that only occupies a port. Throws a UserError if the port is busy. */
async function occupyPort(port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy()).unref();
  try {
    const listening = once(server, 'listening');
    server.listen(port, host);
    await listening;
    return server;
  } catch (error) {
    throw busyPort(error, port, chooseAnotherPort);
  }
}

/** Occupies the preferred port, or another one if that is busy. */
async function occupyAnyPort(preferred = 0): Promise<Server> {
  try {
    return await occupyPort(preferred);
  } catch (error) {
    if (error instanceof UserError && preferred !== 0) return occupyPort(0);
    throw error;
  }
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port; // it listens
}

/** The UserError for a port on which a server cannot listen, with what to do. Any other error as it is. */
export function busyPort(error: unknown, port: number, remedy: string): unknown {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') return new UserError(`Port ${port} is in use. ${remedy}`, { cause: error });
  if (code === 'EACCES') return new UserError(`You are not allowed to use port ${port}. ${remedy}`, { cause: error });
  return error;
}

/** What to do if another program uses the port of the API. */
export const chooseAnotherPort =
  'Stop the program that uses it, or choose another port with --port (0 takes a free one).';

/** Stores the ports for the next start. */
export async function rememberPorts(file: string, ports: Ports): Promise<void> {
  await writeFile(file, `${JSON.stringify(ports, null, 2)}\n`);
}

async function readPorts(file: string): Promise<Partial<Ports>> {
  try {
    const ports = z.partialRecord(z.enum(portNames), z.int().min(1).max(65_535));
    return ports.catch({}).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return {}; // a new folder, or a file that a crash cut short
    throw error;
  }
}
