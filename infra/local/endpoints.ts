import { rename, rm, writeFile } from 'node:fs/promises';

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
