import { envNames, type RetainedKind, type TableName } from './names.ts';

type EnvName = (typeof envNames)[keyof typeof envNames];

/** Reads the environment variables of a function. Throws one error that lists all missing variables. */
export function readEnv<Shape extends Record<string, EnvName>>(
  shape: Shape,
): { readonly [key in keyof Shape]: string } {
  const entries = Object.entries(shape).map(([key, name]) => [key, process.env[name]] as const);
  const missing = Object.values(shape).filter((name) => !process.env[name]);
  if (missing.length > 0) throw new Error(`Missing environment variables: ${missing.join(', ')}.`);
  return Object.fromEntries(entries) as { [key in keyof Shape]: string };
}

/** The variables of tables, by their names, for the shape that `readEnv` takes. */
export function tableEnv<Name extends TableName>(...names: readonly Name[]) {
  const entries = names.map((name) => [name, envNames[`${name}Table`]]);
  return Object.fromEntries(entries) as { readonly [name in Name]: (typeof envNames)[`${name}Table`] };
}

/** The claim with the role of a person, and the client that logs people in, for a deployment whose own issuer has people. */
export function readPersonClaims(): {
  readonly roleClaim: string | undefined;
  readonly consoleClientId: string | undefined;
} {
  return {
    roleClaim: process.env[envNames.roleClaim] || undefined,
    consoleClientId: process.env[envNames.consoleClientId] || undefined,
  };
}

/** The pool of people and the client of the console, if this deployment has a console. */
export function readPeoplePool(): { readonly userPoolId: string; readonly clientId: string } | undefined {
  if (process.env[envNames.peoplePoolId] === undefined) return undefined;
  return readEnv({ userPoolId: envNames.peoplePoolId, clientId: envNames.consoleClientId });
}

/** Days for which this deployment keeps a kind of data, or undefined if it keeps it without limit. */
export function readRetentionDays(kind: RetainedKind): number | undefined {
  return readCount(envNames[`${kind}RetentionDays`]);
}

function readCount(name: EnvName): number | undefined {
  const value = process.env[name];
  if (value === undefined) return undefined;
  const count = Number(value);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`${name} must be a whole number from 1.`);
  return count;
}

/** How far the times of events may be from their arrival in this deployment. */
export function readTimeBounds(): { readonly daysAhead: number; readonly daysBack: number } {
  const { daysAhead, daysBack } = readEnv({ daysAhead: envNames.eventDaysAhead, daysBack: envNames.eventDaysBack });
  return { daysAhead: Number(daysAhead), daysBack: Number(daysBack) };
}

/** Days for which this deployment keeps the bodies of webhooks. */
export function readHookRetentionDays(): number {
  const { days } = readEnv({ days: envNames.hookRetentionDays });
  return Number(days);
}

/** Hours without an event after which this deployment closes a session. Undefined if it closes none. */
export function readSessionIdleHours(): number | undefined {
  return readCount(envNames.sessionIdleHours);
}

/** Seconds without an event of an ended session after which this deployment tells its end. */
export function readSessionSettleSeconds(): number {
  const { seconds } = readEnv({ seconds: envNames.sessionSettleSeconds });
  return Number(seconds);
}

/** The role that signs links to recordings, and their bucket. Undefined if this deployment allows no such links. */
export function readRecordingLinks(): { readonly roleArn: string; readonly bucket: string } | undefined {
  if (process.env[envNames.recordingLinkRoleArn] === undefined) return undefined;
  return readEnv({ roleArn: envNames.recordingLinkRoleArn, bucket: envNames.recordingsBucket });
}

/** The roles that this deployment adds to those that are no participants. Undefined if it adds none. */
export function readNonParticipantRoles(): string[] | undefined {
  return process.env[envNames.nonParticipantRoles]?.split(',');
}

/** The roles that speak in this deployment although they are no participants. Undefined if there are none. */
export function readSpeakerRoles(): string[] | undefined {
  return process.env[envNames.speakerRoles]?.split(',');
}

/** Which addresses of webhooks this deployment calls. */
export function readReceiverMode(): 'public' | 'this-machine' {
  const { mode } = readEnv({ mode: envNames.webhookReceivers });
  if (mode !== 'public' && mode !== 'this-machine')
    throw new Error(`${envNames.webhookReceivers} must be public or this-machine.`);
  return mode;
}

/** What log lines need: the least level to be logged, the service, and the version of the running function, which is undefined outside of Lambda. */
export function readLogSettings() {
  const { [envNames.logLevel]: leastLevel = 'INFO', [envNames.serviceName]: service = 'unknown' } = process.env;
  return { leastLevel, service, version: process.env.AWS_LAMBDA_FUNCTION_VERSION };
}

/** The X-Ray trace of the current invocation, if this deployment traces. Lambda sets it anew for each invocation. */
export function readTraceId(): string | undefined {
  return /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1];
}

/** The region, which Lambda sets, and the SDK's variable for an S3 endpoint outside of AWS. */
export function readAwsEnv(): { readonly region: string; readonly s3Endpoint: string | undefined } {
  const { AWS_REGION, AWS_ENDPOINT_URL_S3 } = process.env;
  if (!AWS_REGION) throw new Error('Missing environment variable: AWS_REGION.');
  return { region: AWS_REGION, s3Endpoint: AWS_ENDPOINT_URL_S3 };
}
