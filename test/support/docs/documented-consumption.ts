import documented from '#docs/consumption.json' with { type: 'json' };
import { usualMemoryMb } from '#infra/functions/function-memory.ts';
import { queueWorkers } from '#infra/functions/workers.ts';
import { billOfUse, dollarsOfUse, type Use } from '../../bench/cost/bill.ts';

// docs/consumption.json is the one home of what operations consume. Tests measure and compare, and pages have tables of it.

export { documented };

type Row = Readonly<Record<string, string | number>>;

const titles: Readonly<Record<string, string>> = { others: 'Calls to other services' };

/** The tables of pages by their names: the groups of docs/consumption.json, and bills that follow from them. */
export function documentedTable(name: string): string {
  if (name === 'bill') return billOfSessions();
  const rows: Readonly<Record<string, Row>> | undefined = documented[name as keyof typeof documented];
  if (!rows) throw new Error(`docs/consumption.json has no group "${name}".`);
  const columns = Object.keys(Object.values(rows)[0] ?? {});
  const isPriced = columns.join() === 'writes,reads,calls';
  return markdownTable([
    ['What', ...columns.map((column) => titles[column] ?? capitalized(column)), ...(isPriced ? ['$ per million'] : [])],
    ...Object.entries(rows).map(([what, row]) => [
      what,
      ...columns.map((column) => String(row[column])),
      ...(isPriced ? [dollarsOfMillion(row)] : []),
    ]),
  ]);
}

function dollarsOfMillion({ writes, reads }: Row): string {
  return (1_000_000 * dollarsOfUse({ dynamodbWrites: Number(writes), dynamodbReads: Number(reads) })).toFixed(2);
}

const { events } = documented;
const [eventsOfSession, samplesOfSession, batch] = [11, 120, 10];

function runs(worker: string, seconds: number, count: number): Use {
  const { memorySize = usualMemoryMb } = queueWorkers.find(({ name }) => name === worker) ?? {};
  return { sqsRequests: 3 * count, lambdaRequests: count, lambdaGbSeconds: (count * seconds * memorySize) / 1024 };
}

function samplesIn(messages: number, seconds: number): Use {
  const dynamodbWrites = 1_000 * samplesOfSession * events['a minute of network samples'].writes;
  return { dynamodbWrites, ...runs('record-network-samples', seconds, (1_000 * samplesOfSession) / messages) };
}

const [session, told] = [events['session of four people, 11 events'], events['end of a session is told']];

/** What a thousand sessions of four people use: their events, and their samples in batches of ten and one by one. */
export const thousandSessions = {
  events: {
    dynamodbWrites: 1_000 * (session.writes + told.writes),
    dynamodbReads: 1_000 * (session.reads + told.reads),
    ...runs('record-room-events', 0.05, 1_000 * eventsOfSession),
  },
  'samples, in batches of ten': samplesIn(batch, 0.03),
  'samples, one by one': samplesIn(1, 0.01),
} satisfies Readonly<Record<string, Use>>;

function billOfSessions(): string {
  const ofEvents = dollarsOfUse(thousandSessions.events);
  const names = billOfUse(thousandSessions.events).map(({ name }) => name);
  return markdownTable([
    ['A thousand sessions', ...names, 'sum, $', 'with the events, $'],
    ...Object.entries<Use>(thousandSessions).map(([what, use]) => {
      const bill = billOfUse(use);
      const sum = dollarsOfUse(use);
      const cells = [...names.map((name) => bill.find((line) => line.name === name)?.dollars ?? 0), sum];
      return [
        what,
        ...cells.map((dollars) => dollars.toFixed(3)),
        what === 'events' ? '' : (ofEvents + sum).toFixed(3),
      ];
    }),
  ]);
}

function markdownTable([header = [], ...rows]: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
