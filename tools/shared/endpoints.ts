import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, errorMessage } from './error-details.ts';
import { UserError } from './user-error.ts';

/** Where everything is: the content of `endpoints.json`. With it any program can send real traffic. */
export type Endpoints = {
  readonly apiUrl: string;
  /** The API's description, for people. */
  readonly docsUrl: string;
  readonly tokenUrl: string;
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly dynamodbUrl: string;
  readonly sqsUrl: string;
  readonly s3Url: string;
  readonly transcribeUrl: string;
  readonly stsUrl: string;
  readonly region: string;
  /** URLs; the dead-letter queue of `roomEvents` is `roomEventsDlq`. */
  readonly queues: Readonly<Record<string, string>>;
  readonly buckets: Readonly<Record<string, string>>;
  readonly tables: Readonly<Record<string, string>>;
};

/** The queues, buckets and tables that a stack's outputs name, under the names that programs use for them. */
export function describeOutputs(
  outputs: Readonly<Record<string, string>>,
): Pick<Endpoints, 'queues' | 'buckets' | 'tables'> {
  const deadLetterQueues = pick(outputs, /^(.+)DeadLetterQueueUrl$/, (name) => `${name}Dlq`);
  return {
    queues: { ...pick(outputs, /^(.+?)(?<!DeadLetter)QueueUrl$/, (name) => name), ...deadLetterQueues },
    buckets: pick(outputs, /^(.+)BucketName$/, (name) => name),
    tables: pick(outputs, /^(.+)TableName$/, (name) => name),
  };
}

/** Writes the file in one step: whoever sees it sees all of it. */
export async function writeEndpoints(file: string, endpoints: Endpoints): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(endpoints, null, 2)}\n`);
  await rename(`${file}.new`, file);
}

/** Where everything of a running `npm start` is, by its data directory; a problem says so where none runs. */
export async function readEndpoints(dataDir: string): Promise<Endpoints> {
  const file = path.resolve(dataDir, 'endpoints.json');
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const reason = errorCode(error) ?? errorMessage(error);
    throw new UserError(
      `No npm start runs here, as far as ${file} tells (${reason}): start it, and wait until it is ready. ` +
        'For another data directory, give --data-dir to both.',
      { cause: error },
    );
  }
}

/** Removes the file: nothing is served any more. */
export async function removeEndpoints(file: string): Promise<void> {
  await rm(file, { force: true });
}

function pick(outputs: Readonly<Record<string, string>>, pattern: RegExp, rename: (name: string) => string) {
  const entries = Object.entries(outputs).flatMap(([output, value]) => {
    const name = pattern.exec(output)?.[1];
    return name === undefined ? [] : [[rename(name.charAt(0).toLowerCase() + name.slice(1)), value] as const];
  });
  return Object.fromEntries(entries);
}
