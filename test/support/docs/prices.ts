// List prices of AWS in us-east-1, in dollars, without free tier, taxes and support. Bills take their prices from here,
// and tests compare the console and the pages of docs/ with them.

/** So many dollars for so many units, where they were read, and on which day or in which month. */
export type Price = { readonly dollars: number; readonly per: number; readonly source: string; readonly read: string };

const million = 1_000_000;
const priceList = "AWS's price list";

/** The prices by what they are for. Gigabytes that are kept are those of a month. */
export const prices = {
  /** Requests to an HTTP API of up to 512 KB, the first 300 million of a month. */
  httpApiRequests: { dollars: 1, per: million, source: priceList, read: '2026-09-20' },
  lambdaRequests: { dollars: 0.2, per: million, source: priceList, read: '2026-09' },
  /** Gigabytes of memory times seconds, on arm64. */
  lambdaGbSeconds: { dollars: 0.0000133334, per: 1, source: priceList, read: '2026-09' },
  dynamodbWrites: {
    ...{ dollars: 0.625, per: million, read: '2026-09' },
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  dynamodbReads: {
    ...{ dollars: 0.125, per: million, read: '2026-09' },
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  dynamodbKeptGb: {
    ...{ dollars: 0.25, per: 1, read: '2026-09' },
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  /** Continuous backups, for what a table holds. */
  dynamodbRecoveryGb: {
    ...{ dollars: 0.2, per: 1, read: '2026-09' },
    source: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
  },
  /** Requests to standard queues, of up to 64 KB. */
  sqsRequests: { dollars: 0.4, per: million, source: priceList, read: '2026-10' },
  s3Puts: { dollars: 0.005, per: 1_000, source: priceList, read: '2026-09-28' },
  s3Gets: { dollars: 0.0004, per: 1_000, source: priceList, read: '2026-09-28' },
  s3KeptGb: { dollars: 0.023, per: 1, source: priceList, read: '2026-09-28' },
  logsWrittenGb: { dollars: 0.5, per: 1, source: 'https://aws.amazon.com/cloudwatch/pricing/', read: '2026-11' },
  logsKeptGb: { dollars: 0.03, per: 1, source: 'https://aws.amazon.com/cloudwatch/pricing/', read: '2026-11' },
  alarmMetrics: { dollars: 0.1, per: 1, source: 'https://aws.amazon.com/cloudwatch/pricing/', read: '2026-11' },
  dashboards: { dollars: 3, per: 1, source: 'https://aws.amazon.com/cloudwatch/pricing/', read: '2026-11' },
  customMetrics: { dollars: 0.3, per: 1, source: 'https://aws.amazon.com/cloudwatch/pricing/', read: '2026-11' },
  kmsKeys: { dollars: 1, per: 1, source: 'https://aws.amazon.com/kms/pricing/', read: '2026-11' },
  secrets: { dollars: 0.4, per: 1, source: 'https://aws.amazon.com/secrets-manager/pricing/', read: '2026-11' },
  secretReads: {
    ...{ dollars: 0.05, per: 10_000, read: '2026-11' },
    source: 'https://aws.amazon.com/secrets-manager/pricing/',
  },
  /** Clients of machines, that is organizations. */
  cognitoClients: { dollars: 6, per: 1, source: 'https://aws.amazon.com/cognito/pricing/', read: '2025' },
  cognitoTokens: { dollars: 2.25, per: 1_000, source: 'https://aws.amazon.com/cognito/pricing/', read: '2025' },
  /** People who sign in, on the plan Essentials. */
  cognitoPeople: { dollars: 0.015, per: 1, source: 'https://aws.amazon.com/cognito/pricing/', read: '2026-11' },
  eventBusEvents: { dollars: 1, per: million, source: 'https://aws.amazon.com/eventbridge/pricing/', read: '2026-11' },
  cloudFrontRequests: {
    dollars: 1,
    per: million,
    source: 'https://aws.amazon.com/cloudfront/pricing/',
    read: '2026-11',
  },
  cloudFrontGb: { dollars: 0.085, per: 1, source: 'https://aws.amazon.com/cloudfront/pricing/', read: '2026-11' },
  cloudFrontRuns: { dollars: 0.1, per: million, source: 'https://aws.amazon.com/cloudfront/pricing/', read: '2026-11' },
} as const satisfies Readonly<Record<string, Price>>;

/** What a price is for. */
export type PriceName = keyof typeof prices;

/** Minutes of a month up to a number, or all others, and the price of each. */
type Tier = { readonly upToMinutes: number | null; readonly dollarsPerMinute: number };

/** What somebody has read of the price of Amazon Transcribe for files. */
export type TranscribeReading = { readonly source: string; readonly read: string; readonly tiers: readonly Tier[] };

/** The name of a reading. */
export type ReadingName = 'tiered' | 'flat';

/** Two readings exist of what Amazon Transcribe costs. Bills show both until one of them is confirmed by a bill of AWS. */
export const transcribeReadings = {
  /** The price list until 2026. Pages of others still have it. */
  tiered: {
    source: 'https://aws.amazon.com/transcribe/pricing/',
    read: '2025-10-13',
    tiers: [
      { upToMinutes: 250_000, dollarsPerMinute: 0.024 },
      { upToMinutes: 1_000_000, dollarsPerMinute: 0.015 },
      { upToMinutes: 5_000_000, dollarsPerMinute: 0.0102 },
      { upToMinutes: null, dollarsPerMinute: 0.0078 },
    ],
  },
  /** $0.0001 a second: the entry USE1-TranscribeAudio of the price list, in three independent readings. */
  flat: {
    source: priceList,
    read: '2026-09-11',
    tiers: [{ upToMinutes: null, dollarsPerMinute: 0.006 }],
  },
} as const satisfies Readonly<Record<ReadingName, TranscribeReading>>;
