import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode, errorMessage } from './error-details.ts';
import { UserError } from './user-error.ts';

/** The addresses of a running local service: the content of `endpoints.json`. */
export type Endpoints = {
  /** The address of the API on this machine. */
  readonly apiUrl: string;
  /** The address that platforms and clients elsewhere are given. It is `apiUrl`, unless `npm start` has `--public-url`. */
  readonly publicUrl: string;
  /** The page that shows the API's description. */
  readonly docsUrl: string;
  /** The console, logged in. With `--public-url`, it only says how to open it otherwise. */
  readonly consoleUrl: string;
  readonly tokenUrl: string;
  readonly issuer: string;
  readonly jwksUrl: string;
  /** Where a test gets tokens of people, if the stage has a console. */
  readonly people?: { readonly issuer: string; readonly clientId: string; readonly tokenUrl: string };
  readonly dynamodbUrl: string;
  readonly sqsUrl: string;
  readonly s3Url: string;
  readonly transcribeUrl: string;
  readonly stsUrl: string;
  readonly secretsManagerUrl: string;
  readonly eventBridgeUrl: string;
  /** The bus on which notices are put. */
  readonly eventBusName: string;
  readonly region: string;
  /** URLs by name. The dead-letter queue of `roomEvents` is `roomEventsDlq`. */
  readonly queues: Readonly<Record<string, string>>;
  readonly buckets: Readonly<Record<string, string>>;
  readonly tables: Readonly<Record<string, string>>;
};

/** The queues, buckets and tables in the outputs of a stack, by the names that programs use. */
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

/** Writes the file atomically: a reader never sees half of it. */
export async function writeEndpoints(file: string, endpoints: Endpoints): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(endpoints, null, 2)}\n`);
  await rename(`${file}.new`, file);
}

/** Reads the addresses of the `npm start` that uses a data directory. Throws a UserError if none is running. */
export async function readEndpoints(dataDir: string): Promise<Endpoints> {
  const file = path.resolve(dataDir, 'endpoints.json');
  try {
    const endpoints: Endpoints = JSON.parse(await readFile(file, 'utf8'));
    if (endpoints.queues === undefined) throw new Error('it names no queues');
    return endpoints;
  } catch (error) {
    const reason = errorCode(error) ?? errorMessage(error);
    throw new UserError(
      `npm start is not running: ${file} cannot be read (${reason}). Run npm start and wait until it is ready. ` +
        'If you use another data directory, pass the same --data-dir to both commands.',
      { cause: error },
    );
  }
}

/** Removes the file when the service stops. */
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
