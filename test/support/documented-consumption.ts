import { readFile } from 'node:fs/promises';
import type { Consumption } from './capacity-meter.ts';
import { prices } from './prices.ts';

const costLine = /^\| [^|]+ \| [\d.]+ \| [\d.]+ \| \d+ \| [\d.]+ \|$/gm;

/** The lines of costs in all tables of a Markdown file. */
export async function documentedCosts(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).match(costLine) ?? [];
}

/** A line of costs: its name, write and read units, calls, and the cost of a million. */
export function costLineOf(name: string, { writes, reads, calls }: Consumption): string {
  return `| ${name} | ${writes} | ${reads} | ${calls} | ${dollarsOf({ writes, reads }, 1_000_000).toFixed(2)} |`;
}

const { dynamodbWrites, dynamodbReads } = prices;
const dollarsPerWrite = dynamodbWrites.dollars / dynamodbWrites.per;
const dollarsPerRead = dynamodbReads.dollars / dynamodbReads.per;

/** The cost of `count` such consumptions at DynamoDB in us-east-1, in dollars. */
export function dollarsOf({ writes, reads }: Pick<Consumption, 'writes' | 'reads'>, count = 1): number {
  return (writes * dollarsPerWrite + reads * dollarsPerRead) * count;
}
