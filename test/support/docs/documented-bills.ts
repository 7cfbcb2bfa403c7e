import { readFileSync } from 'node:fs';
import { type Price, prices, type ReadingName, transcribeReadings } from './prices.ts';

/** A line of a bill: what it is for, how it is computed, and the dollars as the page has them. */
export type Line = { readonly what: string; readonly arithmetic: string; readonly dollars: string };

/** A bill of a page: its lines, and its sums by the reading of the price of Transcribe, or one sum for all. */
export type DocumentedBill = { readonly lines: readonly Line[]; readonly sums: ReadonlyMap<string, string> };

/** The bill below a heading of a page in Markdown. */
export function billOf(page: string, heading: string): DocumentedBill {
  const section = readFileSync(page, 'utf8').split(`\n### ${heading}\n`)[1]?.split('\n#')[0] ?? '';
  const lines = [...section.matchAll(/^\| ([^|]+) \| ([^|]*[×÷][^|]*) \| ([\d.]+) \|$/gm)].map(
    ([, what = '', arithmetic = '', dollars = '']): Line => ({ what, arithmetic, dollars }),
  );
  const sums = [...section.matchAll(/^\| \*\*sum\*\*(?: \((\w+) reading\))? \|[^|]*\| \*\*([\d.]+)\*\* \|$/gm)];
  return { lines, sums: new Map(sums.map(([, reading = '', dollars = '']) => [reading, dollars])) };
}

/** The lines that a sum adds up: all but those of the other reading of the price of Transcribe. */
export function linesOfSum({ lines }: DocumentedBill, reading: string): readonly Line[] {
  return lines.filter(({ what }) => (/\((\w+) reading\)/.exec(what)?.[1] ?? reading) === reading);
}

/** Evaluates a line's arithmetic: numbers with × and ÷ between them. Units are ignored. */
export function computed(arithmetic: string): number {
  const numbers = arithmetic.matchAll(/([×÷]?)\s*\$?(\d[\d ]*(?:\.\d+)?)/g);
  return [...numbers].reduce((product, [, sign, digits = '']) => {
    return sign === '÷' ? product / numberOf(digits) : product * numberOf(digits);
  }, 1);
}

/** The numbers of an arithmetic, in their order. */
export function numbersIn(arithmetic: string): number[] {
  return [...arithmetic.matchAll(/\d[\d ]*(?:\.\d+)?/g)].map(([digits]) => numberOf(digits));
}

/** True if the price in an arithmetic is one of prices.ts, with the number of units that it is for. */
export function hasListPrice(arithmetic: string): boolean {
  const [, dollars = '', divisor = '1'] = /\$([\d.]+)(?: ÷ ([\d ]+))?/.exec(arithmetic) ?? [];
  const per = numberOf(divisor) < 1_000 ? 1 : numberOf(divisor); // a smaller one is a part of a month
  return listed.some((price) => price.dollars === Number(dollars) && price.per === per);
}

const { dynamodbKeptGb, dynamodbRecoveryGb } = prices;
const listed: readonly Pick<Price, 'dollars' | 'per'>[] = [
  ...Object.values(prices),
  { dollars: dynamodbKeptGb.dollars + dynamodbRecoveryGb.dollars, per: 1 },
  ...readings().flatMap(({ tiers }) => tiers.map(({ dollarsPerMinute }) => ({ dollars: dollarsPerMinute, per: 1 }))),
];

function readings() {
  return Object.values(transcribeReadings) satisfies readonly (typeof transcribeReadings)[ReadingName][];
}

function numberOf(digits: string): number {
  return Number(digits.replaceAll(' ', ''));
}
