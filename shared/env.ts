import { envNames, type RetainedKind } from './names.ts';

type EnvName = (typeof envNames)[keyof typeof envNames];

/** Reads the variables that one function needs, and throws one error that lists all that are missing. */
export function readEnv<Shape extends Record<string, EnvName>>(
  shape: Shape,
): { readonly [key in keyof Shape]: string } {
  const entries = Object.entries(shape).map(([key, name]) => [key, process.env[name]] as const);
  const missing = Object.values(shape).filter((name) => !process.env[name]);
  if (missing.length > 0) throw new Error(`Missing environment variables: ${missing.join(', ')}.`);
  return Object.fromEntries(entries) as { [key in keyof Shape]: string };
}

/** For how many days this deployment keeps something; undefined where it is kept until somebody removes it. */
export function readRetentionDays(kind: RetainedKind): number | undefined {
  const name = envNames[`${kind}RetentionDays`];
  const value = process.env[name];
  if (value === undefined) return undefined;
  const days = Number(value);
  if (!Number.isSafeInteger(days) || days < 1) throw new Error(`${name} is no number of days.`);
  return days;
}

/** Which version of its function this is, as Lambda says; undefined elsewhere than on Lambda. */
export function functionVersion(): string | undefined {
  return process.env.AWS_LAMBDA_FUNCTION_VERSION;
}

/** What Lambda sets for every function, and the SDK's own variable for an S3 elsewhere than at AWS. */
export function readAwsEnv(): { readonly region: string; readonly s3Endpoint: string | undefined } {
  const { AWS_REGION, AWS_ENDPOINT_URL_S3 } = process.env;
  if (!AWS_REGION) throw new Error('Missing environment variable: AWS_REGION.');
  return { region: AWS_REGION, s3Endpoint: AWS_ENDPOINT_URL_S3 };
}
