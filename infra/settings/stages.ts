import { RemovalPolicy } from 'aws-cdk-lib';
import * as z from 'zod/mini';
import type { BatchSettings } from '../functions/workers.ts';
import { checkedOutCommit, type Repository } from '../stack/runbook.ts';
import { settingConflicts } from './setting-conflicts.ts';
import { defaultOf, type Setting, settings } from './stage-settings.ts';

/** What differs by stage and cannot be set with `-c`. */
type FixedConfig = {
  /** Limits of the API gateway for all organizations together. The gateway rejects other requests with a 429. */
  readonly throttling: { readonly requestsPerSecond: number; readonly burst: number };
  readonly logLevel: 'DEBUG' | 'INFO';
  /** Whether tables and buckets are deleted with the stack, or retained and protected. */
  readonly removalPolicy: RemovalPolicy;
};

const stages = {
  dev: {
    throttling: { requestsPerSecond: 100, burst: 200 },
    logLevel: 'INFO',
    removalPolicy: RemovalPolicy.DESTROY,
  },
  prod: {
    throttling: { requestsPerSecond: 1000, burst: 2000 },
    logLevel: 'INFO',
    removalPolicy: RemovalPolicy.RETAIN,
  },
} as const satisfies Record<string, FixedConfig>;

/** The name of a stage. */
export type Stage = keyof typeof stages;

/** All stages. `npm run synth` writes the template of each. */
export const stageNames = Object.keys(stages) as Stage[];

const schema = z.object(
  Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, setting.schema])) as {
    [key in keyof typeof settings]: (typeof settings)[key]['schema'];
  },
);

type Settings = z.output<typeof schema>;
type Context = (key: string) => unknown;

/** Minutes of a canary deployment. 0: no canary. */
export type CanaryMinutes = Settings['canaryMinutes'];

/** The domain name of the API or of the console. `hostedZone` is set if the stack creates the DNS record. */
export type CustomDomain = {
  readonly domainName: string;
  readonly certificateArn: string;
  readonly hostedZone?: { readonly hostedZoneId: string; readonly zoneName: string };
};

/** An issuer whose tokens the API accepts instead of those of user pools. */
export type OwnIssuer = {
  readonly issuer: string;
  readonly audience: string;
  readonly organizationClaim: string;
  /** The claim that only tokens of people have: their role. If undefined, every token is a machine's. */
  readonly roleClaim?: string | undefined;
  /** The client with which the console logs people in. */
  readonly consoleClientId?: string | undefined;
  /** The scopes that the console asks for. */
  readonly consoleScope?: string | undefined;
  /** The origin of the token endpoint, if it is not that of the issuer. */
  readonly consoleTokenOrigin?: string | undefined;
};

/** The configuration of a stage. */
export type StageConfig = FixedConfig &
  BatchSettings &
  Pick<
    Settings,
    | 'rateLimitPointsPerMinute'
    | 'personPointsPerMinute'
    | 'console'
    | 'bulkDeleteIdsPerHour'
    | 'defaultSampleRateMs'
    | 'transcriptionMinutesPerDay'
    | 'transcriptionLanguage'
    | 'transcriptionMaxSpeakers'
    | 'recordingCloseMinutes'
    | 'pieceMinutes'
    | 'trackPieceMinutes'
    | 'transcriptionPartsAtOnce'
    | 'transcribeStartsPerSecond'
    | 'tracing'
    | 'canaryMinutes'
    | 'recordingVersionDays'
    | 'hookRetentionDays'
    | 'sessionIdleHours'
    | 'sessionSettleSeconds'
    | 'webhooksPerOrganization'
    | 'replaysPerDay'
    | 'webhookDisableDays'
    | 'webhookReceivers'
    | 'recordingLinks'
    | 'customerManagedKey'
  > & {
    /** The issuer whose tokens the API accepts. If undefined, the stack creates a Cognito user pool. */
    readonly ownIssuer?: OwnIssuer;
    readonly logRetention: Settings['logRetentionDays'];
    /** Concurrent invocations that are reserved for a function, by the function's name. */
    readonly reservedConcurrency: Readonly<Record<string, number>>;
    /** Tags of every resource. */
    readonly tags: Readonly<Record<string, string>>;
    /** Days after which each kind of data expires. If undefined, it does not expire. */
    readonly retentionDays: {
      readonly [kind in 'recording' | 'transcript' | 'sample' | 'fact']?: number | undefined;
    };
    /** The addresses that receive alarms that wake somebody, and those that can wait until morning. */
    readonly alarmEmails: { readonly urgent: string | undefined; readonly routine: string | undefined };
    /** If undefined, alarms name the path of their runbook instead of its address. */
    readonly repository?: Repository;
    /** How far the times of an event may be after and before its arrival. */
    readonly eventDays: { readonly ahead: number; readonly back: number };
    readonly customDomain?: CustomDomain;
    readonly consoleDomain?: CustomDomain;
    readonly corsOrigins: readonly string[];
    /** Roles that are no participants, besides those that are none in every stage. */
    readonly nonParticipantRoles: readonly string[] | undefined;
    /** Roles that speak although they are no participants. */
    readonly speakerRoles: readonly string[] | undefined;
    readonly platformPrincipals: readonly string[];
  };

/** The name of the stack of a stage. */
export function stackName(stage: string): string {
  return `Roomscribe-${stage}`;
}

/** Reads the configuration of a stage from CDK context and defaults. Throws an error that lists every problem found. */
export function stageConfig(stage: string, context: Context): StageConfig {
  if (!isStage(stage)) throw new Error(`Unknown stage "${stage}": use -c stage=${stageNames.join(' or -c stage=')}.`);
  const values = readSettings(stage, context);
  const { issuer, audience, organizationClaim, roleClaim, consoleClientId, consoleScope, consoleTokenOrigin } = values;
  const { console: hasConsole, personPointsPerMinute, corsOrigins = [], platformPrincipals = [], tags = {} } = values;
  const ofConsole = { consoleClientId, consoleScope, consoleTokenOrigin };
  const {
    nonParticipantRoles,
    speakerRoles,
    rateLimitPointsPerMinute,
    bulkDeleteIdsPerHour,
    defaultSampleRateMs,
    transcriptionMinutesPerDay,
    transcriptionLanguage,
    transcriptionMaxSpeakers,
  } = values;
  const {
    recordingCloseMinutes,
    pieceMinutes,
    trackPieceMinutes,
    transcriptionPartsAtOnce,
    transcribeStartsPerSecond,
  } = values;
  const { tracing, canaryMinutes, recordingVersionDays, hookRetentionDays, customerManagedKey, sessionIdleHours } =
    values;
  const { sessionSettleSeconds, webhooksPerOrganization, replaysPerDay, webhookDisableDays, webhookReceivers } = values;
  return {
    ...stages[stage],
    recordingLinks: values.recordingLinks,
    ...{ sessionSettleSeconds, webhooksPerOrganization, replaysPerDay, webhookDisableDays, webhookReceivers },
    ...{ rateLimitPointsPerMinute, bulkDeleteIdsPerHour, defaultSampleRateMs, transcriptionMinutesPerDay },
    ...{ transcriptionLanguage, transcriptionMaxSpeakers },
    ...{ recordingCloseMinutes, pieceMinutes, trackPieceMinutes, transcriptionPartsAtOnce, transcribeStartsPerSecond },
    ...{ tracing, canaryMinutes, recordingVersionDays, hookRetentionDays, customerManagedKey, sessionIdleHours },
    ...{ console: hasConsole, personPointsPerMinute },
    ...{ corsOrigins, platformPrincipals, nonParticipantRoles, speakerRoles, tags },
    roomEventBatch: { size: values.roomEventsBatchSize, windowSeconds: values.roomEventsBatchWindowSeconds },
    alarmEmails: { urgent: values.urgentAlarmEmail ?? values.alarmEmail, routine: values.alarmEmail },
    reservedConcurrency: values.reservedConcurrency ?? {},
    logRetention: values.logRetentionDays,
    retentionDays: {
      recording: values.recordingRetentionDays,
      transcript: values.transcriptRetentionDays,
      sample: values.sampleRetentionDays ?? values.factRetentionDays, // insights show samples only with their facts
      fact: values.factRetentionDays,
    },
    eventDays: { ahead: values.eventDaysAhead, back: values.eventDaysBack },
    ...(issuer === undefined ? {} : { ownIssuer: { issuer, audience, organizationClaim, roleClaim, ...ofConsole } }),
    ...repository(values),
    ...customDomains(values),
  };
}

function repository({ repositoryUrl, commit }: Settings): Pick<StageConfig, 'repository'> {
  return repositoryUrl === undefined
    ? {}
    : { repository: { url: repositoryUrl, commit: commit ?? checkedOutCommit() } };
}

function customDomains(values: Settings): Pick<StageConfig, 'customDomain' | 'consoleDomain'> {
  const { domainName, certificateArn, consoleDomainName, consoleCertificateArn, hostedZoneId, zoneName } = values;
  const hasZone = hostedZoneId !== undefined && zoneName !== undefined;
  const zone = hasZone ? { hostedZone: { hostedZoneId, zoneName } } : {};
  return {
    ...(domainName !== undefined &&
      certificateArn !== undefined && { customDomain: { domainName, certificateArn, ...zone } }),
    ...(consoleDomainName !== undefined &&
      consoleCertificateArn !== undefined && {
        consoleDomain: { domainName: consoleDomainName, certificateArn: consoleCertificateArn, ...zone },
      }),
  };
}

function readSettings(stage: Stage, context: Context): Settings {
  const values = Object.entries<Setting<Stage>>(settings).map(([key, setting]) => [
    key,
    context(key) ?? defaultOf(setting, stage),
  ]);
  const { data, error } = schema.safeParse(Object.fromEntries(values));
  const problems = data
    ? settingConflicts(data, (key) => context(key) !== undefined, process.env.CDK_DEFAULT_REGION)
    : error.issues.map(({ path, message }) => `-c ${String(path[0])} ${message}`);
  if (data && problems.length === 0) return data;
  throw new Error(problems.join('\n'));
}

function isStage(stage: string): stage is Stage {
  return Object.hasOwn(stages, stage);
}
