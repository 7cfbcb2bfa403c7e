import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod/mini';

/** Every number and switch that differs by stage. */
export type StageConfig = {
  /** OIDC issuer whose tokens the API accepts. Settable with `-c issuer=…`. */
  readonly issuer: string;
  /** `aud` (or `client_id`) that those tokens must carry. Settable with `-c audience=…`. */
  readonly audience: string;
  /** Single-valued claim that names the organization. Settable with `-c organizationClaim=…`. */
  readonly organizationClaim: string;
  /** Points that an organization may spend in a minute. Settable with `-c rateLimitPointsPerMinute=…`. */
  readonly rateLimitPointsPerMinute: number;
  /** What the gateway lets through of all organizations together; the rest is a 429 of its own. */
  readonly throttling: { readonly requestsPerSecond: number; readonly burst: number };
  /** How long every log is kept, that of the API's calls included. */
  readonly logRetention: RetentionDays;
  readonly logLevel: 'DEBUG' | 'INFO';
  /** What happens to tables and buckets with the stack: retained and protected, or gone with it. */
  readonly removalPolicy: RemovalPolicy;
  /** Who is told of alarms; nobody, unless it is set. Settable with `-c alarmEmail=…`. */
  readonly alarmEmail: string | undefined;
};

const stages = {
  dev: {
    issuer: 'https://issuer.example.com',
    audience: 'roomscribe',
    organizationClaim: 'client_id',
    rateLimitPointsPerMinute: 1000,
    throttling: { requestsPerSecond: 100, burst: 200 },
    logRetention: RetentionDays.ONE_WEEK,
    logLevel: 'INFO',
    removalPolicy: RemovalPolicy.DESTROY,
    alarmEmail: undefined,
  },
  prod: {
    issuer: 'https://issuer.example.com',
    audience: 'roomscribe',
    organizationClaim: 'client_id',
    rateLimitPointsPerMinute: 1000,
    throttling: { requestsPerSecond: 1000, burst: 2000 },
    logRetention: RetentionDays.THREE_MONTHS,
    logLevel: 'INFO',
    removalPolicy: RemovalPolicy.RETAIN,
    alarmEmail: undefined,
  },
} as const satisfies Record<string, StageConfig>;

export type Stage = keyof typeof stages;

/** The stages there are; `npm run synth` makes the template of each. */
export const stageNames = Object.keys(stages) as Stage[];

/** The configuration of a stage with what CDK context overrides; an unknown stage is an error that lists the known ones. */
export function stageConfig(stage: string, context: (key: string) => string | undefined): StageConfig {
  if (!isStage(stage)) throw new Error(`Unknown stage "${stage}": use -c stage=${stageNames.join(' or -c stage=')}.`);
  const config: StageConfig = stages[stage];
  return {
    ...config,
    issuer: context('issuer') ?? config.issuer,
    audience: context('audience') ?? config.audience,
    organizationClaim: context('organizationClaim') ?? config.organizationClaim,
    rateLimitPointsPerMinute: wholeNumber(
      'rateLimitPointsPerMinute',
      context('rateLimitPointsPerMinute') ?? config.rateLimitPointsPerMinute,
    ),
    alarmEmail: emailAddress('alarmEmail', context('alarmEmail')) ?? config.alarmEmail,
  };
}

/** At least what the most expensive request costs: below that nobody could ever send it. */
const fewestPoints = 3;

function wholeNumber(key: string, value: string | number): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= fewestPoints) return number;
  throw new Error(`-c ${key} must be a whole number of at least ${fewestPoints}, not "${value}".`);
}

/** SNS would take anything, and then tell nobody. */
function emailAddress(key: string, value: string | undefined): string | undefined {
  if (value === undefined || z.email().safeParse(value).success) return value;
  throw new Error(`-c ${key} must be an e-mail address, not "${value}".`);
}

function isStage(stage: string): stage is Stage {
  return Object.hasOwn(stages, stage);
}
