import type { envNames } from './names.ts';

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
