import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { onTestFinished } from 'vitest';
import { nameResolver } from '#shared/adapters/webhooks/name-resolver.ts';

const typeA = 1;
const typeAaaa = 28;
/** Flags of an answer. */
const noError = 0x8180;
const noSuchName = 0x8183;

/** A DNS server on this machine that gets queries and answers none. `asked` resolves when it has got so many. */
export async function silentDns() {
  let queries = 0;
  const socket = createSocket('udp4');
  const asked = (count: number) =>
    new Promise<void>((resolve) => {
      const see = () => queries >= count && resolve();
      socket.on('message', see);
      see();
    });
  socket.on('message', () => {
    queries += 1;
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { servers: [`127.0.0.1:${socket.address().port}`], asked };
}

/**
 * A DNS server on this machine. It gives each answer of the list once, and then the last one again: the first entry to the first query, and so on.
 * `resolve` asks it for addresses, and `queries` counts the queries.
 */
export async function dnsResponder(answers: readonly (readonly string[])[]) {
  const seen: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const type = query.readUInt16BE(query.length - 4);
    seen.push(type === typeA ? 'A' : 'AAAA');
    const turn = seen.filter((other) => other === seen.at(-1)).length - 1;
    const addresses = answers[Math.min(turn, answers.length - 1)] ?? [];
    socket.send(answerOf(query, type, addresses), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  const servers = [`127.0.0.1:${socket.address().port}`];
  const resolve = nameResolver('public', { servers });
  return { resolve, servers, queries: () => seen.filter((type) => type === 'A').length };
}

/** Repeats the question, and adds a record without a time to live for each address of the type that was asked for. */
function answerOf(query: Buffer, type: number, addresses: readonly string[]): Buffer {
  const end = query.indexOf(0, 12) + 5; // the name, its end, type and class
  const records = addresses
    .filter((address) => (isIPv4(address) ? typeA : typeAaaa) === type)
    .map((address) => {
      const data = bytesOf(address);
      const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([head, data]);
    });
  const header = Buffer.from(query.subarray(0, 12));
  header.writeUInt16BE(records.length > 0 || addresses.length > 0 ? noError : noSuchName, 2);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt16BE(0, 10); // without the additional records of the query
  return Buffer.concat([header, query.subarray(12, end), ...records]);
}

/** The bytes of an address. An IPv6 address must have its eight groups, without `::`. */
function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  return Buffer.concat(address.split(':').map((group) => Buffer.from(group.padStart(4, '0'), 'hex')));
}
