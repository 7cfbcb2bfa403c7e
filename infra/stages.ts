import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod/mini';
import { clientIdClaim } from '../shared/names.ts';
import { logRetention, type RetentionDaysOf, retentionDays } from './retention.ts';
import { type CustomDomain, corsOrigins, customDomain } from './web-settings.ts';

/** An OIDC issuer that a stage brings along. */
type OwnIssuer = {
  /** As it stands in `iss`. */
  readonly issuer: string;
  /** `aud` (or `client_id`) that its tokens must carry. Settable with `-c audience=…`. */
  readonly audience: string;
  /** Single-valued claim that names the organization. Settable with `-c organizationClaim=…`. */
  readonly organizationClaim: string;
};

/** Every number and switch that differs by stage. */
export type StageConfig = {
  /** The issuer whose tokens the API accepts; without one the stack makes a Cognito user pool. Set by `-c issuer=…`. */
  readonly ownIssuer?: OwnIssuer;
  /** Points that an organization may spend in a minute. Settable with `-c rateLimitPointsPerMinute=…`. */
  readonly rateLimitPointsPerMinute: number;
  /** What the gateway lets through of all organizations together; the rest is a 429 of its own. */
  readonly throttling: { readonly requestsPerSecond: number; readonly burst: number };
  /** How long every log is kept, that of the API's calls included. Settable with `-c logRetentionDays=…`. */
  readonly logRetention: RetentionDays;
  /** Days after which data go by themselves; what is not named is kept. Settable with `-c recordingRetentionDays=…` and the like. */
  readonly retentionDays: RetentionDaysOf;
  readonly logLevel: 'DEBUG' | 'INFO';
  /** What happens to tables and buckets with the stack: retained and protected, or gone with it. */
  readonly removalPolicy: RemovalPolicy;
  /** Who is told of alarms; nobody, unless it is set. Settable with `-c alarmEmail=…`. */
  readonly alarmEmail: string | undefined;
  /** Whether Lambda traces the functions with X-Ray. Settable with `-c tracing=true`. */
  readonly tracing: boolean;
  /** For how long a tenth of the calls goes to new code before all do; 0: all at once. Settable with `-c canaryMinutes=…`. */
  readonly canaryMinutes: CanaryMinutes;
  /** A domain name of yours for the API. Set by `-c domainName=…`, `certificateArn`, `hostedZoneId` and `zoneName`. */
  readonly customDomain?: CustomDomain;
  /** Origins whose pages a browser lets call the API; none, unless set. Settable with `-c corsOrigins=…`. */
  readonly corsOrigins: readonly string[];
  /** Roles and accounts elsewhere that may send recordings and events, as ARNs. Settable with `-c platformPrincipals=…,…`. */
  readonly platformPrincipals: readonly string[];
};

/** What CodeDeploy has ready. */
const canaries = [0, 5, 10, 15, 30] as const;
/** Minutes of a canary; 0 is none. */
export type CanaryMinutes = (typeof canaries)[number];

const stages = {
  dev: {
    rateLimitPointsPerMinute: 1000,
    throttling: { requestsPerSecond: 100, burst: 200 },
    logRetention: RetentionDays.ONE_WEEK,
    retentionDays: {},
    logLevel: 'INFO',
    removalPolicy: RemovalPolicy.DESTROY,
    alarmEmail: undefined,
    tracing: false,
    canaryMinutes: 0,
    corsOrigins: [],
    platformPrincipals: [],
  },
  prod: {
    rateLimitPointsPerMinute: 1000,
    throttling: { requestsPerSecond: 1000, burst: 2000 },
    logRetention: RetentionDays.THREE_MONTHS,
    retentionDays: {},
    logLevel: 'INFO',
    removalPolicy: RemovalPolicy.RETAIN,
    alarmEmail: undefined,
    tracing: false,
    canaryMinutes: 5,
    corsOrigins: [],
    platformPrincipals: [],
  },
} as const satisfies Record<string, StageConfig>;

export type Stage = keyof typeof stages;

/** The stages there are; `npm run synth` makes the template of each. */
export const stageNames = Object.keys(stages) as Stage[];

type Context = (key: string) => string | undefined;

/** The stack that is a stage. */
export function stackName(stage: string): string {
  return `Roomscribe-${stage}`;
}

/** The configuration of a stage with what CDK context overrides; an unknown stage is an error that lists the known ones. */
export function stageConfig(stage: string, context: Context): StageConfig {
  if (!isStage(stage)) throw new Error(`Unknown stage "${stage}": use -c stage=${stageNames.join(' or -c stage=')}.`);
  const config: StageConfig = stages[stage];
  const origins = context('corsOrigins');
  return {
    ...config,
    ...ownIssuer(config, context),
    rateLimitPointsPerMinute: wholeNumber(
      'rateLimitPointsPerMinute',
      context('rateLimitPointsPerMinute') ?? config.rateLimitPointsPerMinute,
    ),
    logRetention: logRetention(config.logRetention, context),
    retentionDays: retentionDays(config.retentionDays, context),
    alarmEmail: emailAddress('alarmEmail', context('alarmEmail')) ?? config.alarmEmail,
    tracing: onOrOff('tracing', context('tracing') ?? config.tracing),
    ...customDomain(config.customDomain, context),
    corsOrigins: origins === undefined ? config.corsOrigins : corsOrigins('-c corsOrigins', origins),
    canaryMinutes: canary('canaryMinutes', context('canaryMinutes') ?? config.canaryMinutes),
    platformPrincipals: principals('platformPrincipals', context('platformPrincipals')) ?? config.platformPrincipals,
  };
}

/** The stage's issuer with what the context overrides, or one that the context alone names. */
function ownIssuer(config: StageConfig, context: Context): Pick<StageConfig, 'ownIssuer'> {
  const issuer = context('issuer') ?? config.ownIssuer?.issuer;
  const [audience, organizationClaim] = [context('audience'), context('organizationClaim')];
  if (issuer !== undefined) {
    const { audience: usual, organizationClaim: usualClaim } = config.ownIssuer ?? usualTokens;
    return { ownIssuer: { issuer, audience: audience ?? usual, organizationClaim: organizationClaim ?? usualClaim } };
  }
  if (audience === undefined && organizationClaim === undefined) return {};
  throw new Error('-c audience and -c organizationClaim describe the tokens of an issuer: give -c issuer too.');
}

const usualTokens = { audience: 'roomscribe', organizationClaim: clientIdClaim };

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

function onOrOff(key: string, value: string | boolean): boolean {
  if (String(value) === 'true') return true;
  if (String(value) === 'false') return false;
  throw new Error(`-c ${key} must be true or false, not "${value}".`);
}

function canary(key: string, value: string | number): CanaryMinutes {
  const minutes = canaries.find((each) => String(each) === String(value));
  if (minutes !== undefined) return minutes;
  throw new Error(`-c ${key} must be one of ${canaries.join(', ')}, not "${value}".`);
}

/** Whoever is named may speak for every organization: no wildcard, and nothing that is not AWS's. */
function principals(key: string, value: string | undefined): readonly string[] | undefined {
  const arns = value?.split(',');
  const wrong = arns?.find((arn) => !/^arn:aws[a-z-]*:iam::\d{12}:(root|(role|user)\/[\w+=,.@/-]+)$/.test(arn));
  if (wrong === undefined) return arns;
  throw new Error(`-c ${key} must be ARNs of roles, users or accounts with commas between them, not "${wrong}".`);
}

function isStage(stage: string): stage is Stage {
  return Object.hasOwn(stages, stage);
}
