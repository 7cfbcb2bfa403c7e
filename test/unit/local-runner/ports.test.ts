import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { host, type ReservedPorts, rememberPorts, reservePorts } from '#tools/local/ports.ts';
import { makeDataFolder } from '../../support/data-folder.ts';

let folder = '';
let file = '';
let cleanup: AsyncDisposableStack;

beforeEach(async () => {
  cleanup = new AsyncDisposableStack();
  folder = await makeDataFolder('roomscribe-ports-');
  cleanup.defer(() => rm(folder, { recursive: true }));
  file = path.join(folder, 'ports.json');
});
afterEach(() => cleanup.disposeAsync());

async function listenOn(port: number): Promise<Server> {
  const server = createServer();
  const listening = once(server, 'listening');
  server.listen(port, host);
  await listening;
  cleanup.defer(() => {
    server.close();
  });
  return server;
}

async function reserve(apiPort = 0): Promise<ReservedPorts> {
  const ports = await reservePorts(file, apiPort);
  cleanup.defer(ports.releaseAll);
  return ports;
}

/** A port that another program uses. */
async function busyPort(): Promise<number> {
  return ((await listenOn(0)).address() as AddressInfo).port;
}

/** A port that nothing uses, as its server has just closed. */
async function freePort(): Promise<number> {
  const server = await listenOn(0);
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('no other program can take a reserved port before its server starts', async () => {
  const { numbers, startOn } = await reserve();
  expect(new Set(Object.values(numbers)).size).toBe(Object.keys(numbers).length);
  for (const port of Object.values(numbers)) await expect(listenOn(port)).rejects.toThrow('EADDRINUSE');
  await expect(startOn('issuer', listenOn)).resolves.toMatchObject({ listening: true });
});

test('ports that no server took are free when they are released', async () => {
  const { numbers, releaseAll } = await reserve();
  await releaseAll();
  for (const port of Object.values(numbers)) await listenOn(port);
});

test('the ports of the last start are taken again, except one that another program uses', async () => {
  const first = await reserve();
  await first.releaseAll();
  const issuer = await busyPort();
  await rememberPorts(file, { ...first.numbers, issuer });
  const { numbers } = await reserve();
  expect(numbers).toEqual({ ...first.numbers, issuer: expect.any(Number) });
  expect(numbers.issuer).not.toBe(issuer);
});

test('an API port of the user is not reserved, and no other server gets it', async () => {
  const port = await freePort();
  await rememberPorts(file, { ...(await reserve()).numbers, issuer: port });
  const { numbers } = await reserve(port);
  expect(numbers.api).toBe(port);
  expect(numbers.issuer).not.toBe(port);
  await listenOn(port);
});

test('a busy API port of the user is refused, and nothing stays reserved', async () => {
  const first = await reserve();
  await first.releaseAll();
  await rememberPorts(file, first.numbers);
  const port = await busyPort();
  await expect(reservePorts(file, port)).rejects.toThrow(
    `Port ${port} is in use. Stop the program that uses it, or choose another port with --port (0 takes a free one).`,
  );
  await listenOn(first.numbers.issuer);
});
