import { readFile, writeFile } from 'node:fs/promises';
import getPort from 'get-port';
import * as z from 'zod';
import { errorCode } from '../shared/error-details.ts';
import { UserError } from '../shared/user-error.ts';

/** The address that every server listens on. Other machines cannot reach it. */
export const host = '127.0.0.1';

const portNames = ['api', 'issuer', 'dynamodb', 'aws', 'transcribe', 'sts', 'secretsManager', 'eventBridge'] as const;

/** The ports of the runner's servers. `aws` is the port of SQS and S3. */
export type Ports = Readonly<Record<(typeof portNames)[number], number>>;

/**
 * Chooses a port for each server. Takes the port stored in `file` if it is still free, so that tokens and links stay
 * valid after a restart. `apiPort` must be free; 0 takes any free port.
 */
export async function choosePorts(file: string, apiPort: number): Promise<Ports> {
  const remembered = await readPorts(file);
  const choose = async (name: (typeof portNames)[number]) => {
    if (name === 'api' && apiPort !== 0) return requirePort(apiPort);
    const port = remembered[name];
    return getPort({ host, ...(port !== undefined && { port }), exclude: apiPort === 0 ? [] : [apiPort] });
  };
  const chosen = await Promise.all(portNames.map(async (name) => [name, await choose(name)] as const));
  return Object.fromEntries(chosen) as Ports; // has every name of `portNames`
}

/** Fails before the synthesis, which takes seconds, if another program uses the port. */
async function requirePort(port: number): Promise<number> {
  if ((await getPort({ host, port })) === port) return port;
  throw new UserError(`Port ${port} is in use. ${chooseAnotherPort}`);
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
