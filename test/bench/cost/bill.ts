import { type PriceName, prices, type TranscribeReading } from '../../support/docs/prices.ts';

/** What work uses of AWS: quantities by the names of their prices. */
export type Use = { readonly [name in PriceName]?: number };

/** A line of a bill of AWS. */
export type LineItem = { readonly name: string; readonly dollars: number };

/** The lines of a bill, with the prices that each of them adds up. */
const lines: Readonly<Record<string, readonly PriceName[]>> = {
  'HTTP API': ['httpApiRequests'],
  'Lambda, requests': ['lambdaRequests'],
  'Lambda, duration': ['lambdaGbSeconds'],
  'DynamoDB, writes': ['dynamodbWrites'],
  'DynamoDB, reads': ['dynamodbReads'],
  'DynamoDB, kept, with recovery': ['dynamodbKeptGb', 'dynamodbRecoveryGb'],
  SQS: ['sqsRequests'],
  EventBridge: ['eventBusEvents'],
  'S3, requests': ['s3Puts', 's3Gets'],
  'S3, kept': ['s3KeptGb'],
  Logs: ['logsWrittenGb', 'logsKeptGb'],
  Cognito: ['cognitoClients', 'cognitoTokens', 'cognitoPeople'],
  'Alarms, dashboard, metrics': ['alarmMetrics', 'dashboards', 'customMetrics'],
  'Keys and secrets': ['kmsKeys', 'secrets', 'secretReads'],
  CloudFront: ['cloudFrontRequests', 'cloudFrontGb', 'cloudFrontRuns'],
};

/** The sum of what several pieces of work use. */
export function sumOfUses(...uses: readonly Use[]): Use {
  const sum: { [name in PriceName]?: number } = {};
  for (const use of uses) for (const [name, count] of entriesOf(use)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

/** What a piece of work uses that is done so many times. */
export function times(count: number, use: Use): Use {
  return Object.fromEntries(entriesOf(use).map(([name, each]) => [name, each * count]));
}

/** What is left of a use without logs. */
export function withoutLogs({ logsWrittenGb: _, logsKeptGb: __, ...others }: Use): Use {
  return others;
}

/** The price of a use, without Transcribe. */
export function dollarsOfUse(use: Use): number {
  return entriesOf(use).reduce((sum, [name, count]) => sum + (count * prices[name].dollars) / prices[name].per, 0);
}

/** The bill of a use, without Transcribe. Lines of which nothing is used are left out. */
export function billOfUse(use: Use): LineItem[] {
  return Object.entries(lines)
    .map(([name, parts]) => ({
      name,
      dollars: dollarsOfUse(Object.fromEntries(parts.map((part) => [part, use[part] ?? 0]))),
    }))
    .filter(({ dollars }) => dollars > 0);
}

/** What Transcribe costs for the minutes of a month, by one reading of its price. */
export function transcribeDollars({ tiers }: Pick<TranscribeReading, 'tiers'>, minutes: number): number {
  let dollars = 0;
  let from = 0;
  for (const { upToMinutes, dollarsPerMinute } of tiers) {
    const upTo = Math.min(minutes, upToMinutes ?? minutes);
    dollars += Math.max(0, upTo - from) * dollarsPerMinute;
    from = Math.max(from, upTo);
  }
  return dollars;
}

function entriesOf(use: Use): [PriceName, number][] {
  return Object.entries(use) as [PriceName, number][];
}
