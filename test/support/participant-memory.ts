import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { marshall } from '@aws-sdk/util-dynamodb';
import { build } from 'esbuild';
import { bundleOptions } from '#infra/bundling.ts';
import { endpointMemory } from '#infra/endpoint-memory.ts';
import { maxBlock } from '#shared/domain/network-series.ts';
import { envNames } from '#shared/names.ts';
import { httpEvent } from './http-events.ts';
import { uuid } from './records.ts';
import { joined } from './session-facts.ts';
import { serve } from './test-server.ts';

/** The memory of the function that returns a participant's details. */
export const functionMb = endpointMemory['get-participant'] ?? Number.NaN;
/** The most that its process may use as heap here. */
export const heapMb = 512;
const sampleRateMs = 100;
const blocksPerPage = 20;
const program = fileURLToPath(new URL('invoke-once.ts', import.meta.url));

/** A participant's samples: their number, and the value of each in all series. */
export type Samples = { readonly count: number; readonly valueAt: (sample: number) => number };

/** Numbers with as many digits as possible. */
const longNumber = (sample: number) => ((sample * 7919 + 1) % 1801) * 4_321_234.567_891_23;

/** The largest answers that are sent: with as many samples as one answer may have, or as fit into 6 MB without compression. */
export const largest = {
  gzip: { count: 864_000, valueAt: (sample) => longNumber(sample % 100) },
  identity: { count: 747_000, valueAt: (sample) => sample % 10 },
} as const satisfies Record<string, Samples>;

/** As many samples as one answer may have, with values that no compression makes small enough to be sent. */
export const tooLarge: Samples = { count: 864_000, valueAt: longNumber };

/**
 * Invokes the bundled function get-participant in a process of its own, for a participant with these samples. Returns the
 * status of the answer and the peak of the process's memory.
 */
export async function participantMemory(samples: Samples, acceptEncoding: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-memory-'));
  const dynamodb = await serveSamples(samples);
  try {
    const entryPoints = ['functions/api/insights/get-participant/index.ts'];
    const { outputFiles } = await build({ ...bundleOptions, entryPoints, outdir: folder });
    const bundle = path.join(folder, 'index.js');
    await writeFile(bundle, outputFiles[0]?.contents ?? '');
    const query = `roomSessionId=${uuid(3)}&participantId=ann`;
    const event = httpEvent({ query, headers: { 'accept-encoding': acceptEncoding } });
    const args = [`--max-old-space-size=${heapMb}`, program, bundle, JSON.stringify(event)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: environment(dynamodb.url) });
    return JSON.parse(stdout) as { readonly statusCode: number; readonly peakMb: number };
  } finally {
    dynamodb.stop();
    await rm(folder, { recursive: true });
  }
}

function environment(dynamodbUrl: string): Record<string, string> {
  return {
    [envNames.insightFactsTable]: 'facts',
    [envNames.rateLimitsTable]: 'limits',
    [envNames.rateLimitPointsPerMinute]: '1000',
    [envNames.organizationClaim]: 'client_id',
    [envNames.logLevel]: 'SILENT',
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbUrl,
  };
}

/** Answers like DynamoDB: one join, and pages of blocks that all have the same values. */
async function serveSamples({ count, valueAt }: Samples) {
  const join = joined('ann', '09:00');
  const values = Array.from({ length: maxBlock.samples }, (_, sample) => valueAt(sample));
  const all = { packetLossSend: values, packetLossRecv: values, bitrateSend: values, bitrateRecv: values };
  const series = deflateRawSync(JSON.stringify(all)).toString('base64');
  const blockAt = (index: number) => {
    const startedAt = new Date(Date.parse(join.createdAt) + index * maxBlock.samples * sampleRateMs).toISOString();
    return { ...marshall({ factOwner: 'o', factKey: String(index), startedAt, sampleRateMs }), series: { B: series } };
  };
  const blocks = count / maxBlock.samples;
  const answerTo = (operation: string, body: string) => {
    if (operation.endsWith('UpdateItem')) return { Attributes: marshall({ points: 1 }) };
    if (body.includes('retracted')) return { Items: [] };
    if (!body.includes('samples')) return { Items: [marshall(join, { removeUndefinedValues: true })] };
    const first = Number(JSON.parse(body).ExclusiveStartKey?.factKey.S ?? 0);
    const next = Math.min(blocks, first + blocksPerPage);
    const Items = Array.from({ length: next - first }, (_, index) => blockAt(first + index));
    return { Items, ...(next < blocks && { LastEvaluatedKey: marshall({ factOwner: 'o', factKey: String(next) }) }) };
  };
  return serve(async (request, response) => {
    const answer = answerTo(String(request.headers['x-amz-target']), await text(request));
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
  });
}
