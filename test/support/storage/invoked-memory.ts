import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundleOptions } from '#infra/bundling/bundling.ts';
import { envNames } from '#shared/runtime/names.ts';
import { serve } from '../http/test-server.ts';

const program = fileURLToPath(new URL('invoke-once.ts', import.meta.url));

/** The text of DynamoDB's answer to an operation with this input. */
export type AnswerText = (operation: string, input: Readonly<Record<string, object>>) => string;

/** The status of a function's answer, or how many of a worker's messages failed, and the peak of the memory. */
export type Invocation = { readonly statusCode?: number; readonly failed?: number; readonly peakMb: number };

/** Invokes a bundled function once, in a process of its own with this memory, against a stand-in for DynamoDB. */
export async function invokedMemory(
  folder: string,
  memoryMb: number,
  event: object,
  { answerTo, env = {} }: { readonly answerTo: AnswerText; readonly env?: Record<string, string> },
): Promise<Invocation> {
  const directory = await mkdtemp(path.join(tmpdir(), 'roomscribe-memory-'));
  const dynamodb = await serve(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const answer = answerTo(operation, JSON.parse(await text(request)));
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(answer);
  });
  try {
    await build({ ...bundleOptions, entryPoints: [`${folder}/index.ts`], outdir: directory, write: true });
    const bundle = path.join(directory, 'index.js');
    const eventFile = path.join(directory, 'event.json');
    await writeFile(eventFile, JSON.stringify(event));
    const args = [`--max-old-space-size=${memoryMb}`, program, bundle, eventFile];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      env: { ...environment, ...env, AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url },
    });
    return JSON.parse(stdout);
  } finally {
    dynamodb.stop();
    await rm(directory, { recursive: true });
  }
}

/** An address at which no queue answers. */
const noQueue = 'http://127.0.0.1:1/queue';
const places = Object.entries(envNames).flatMap(([name, variable]): [string, string][] => {
  if (/(Table|Bucket)$/.test(name)) return [[variable, name]];
  return name.endsWith('Queue') ? [[variable, noQueue]] : [];
});

/** Every table and bucket, by the name of its variable, and queues that take nothing, so that a function finds the ones it needs. */
const environment: Record<string, string> = {
  ...Object.fromEntries(places),
  [envNames.insightFactsTable]: 'facts',
  [envNames.sessionSettleSeconds]: '60',
  [envNames.logLevel]: 'SILENT',
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
};
