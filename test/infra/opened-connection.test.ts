import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';
import { bundleOptions, entryModule } from '#infra/bundling.ts';
import { envNames } from '#shared/names.ts';

/** Loads the module of a function as Lambda does, prints `loaded`, and calls the function once. */
const program = `
  const { handler } = await import(process.argv[1]);
  process.stdout.write('loaded\\n');
  const { statusCode } = await handler(JSON.parse(process.argv[2]), { getRemainingTimeInMillis: () => 3000 });
  process.stdout.write(statusCode + '\\n');
  process.exit();`;

const id = '9226ec25-8833-431d-82bc-05dbfd0728fb';
const getTranscription = 'transcriptions/get-transcription';

const event = {
  headers: {},
  pathParameters: { transcriptionId: id },
  requestContext: {
    requestId: 'request',
    http: { method: 'GET', path: '/' },
    authorizer: { lambda: { client_id: 'acme', tokenExpiry: String(Math.floor(Date.now() / 1000) + 3600) } },
  },
};

/** A stand-in for DynamoDB, which notes what each connection is asked for. */
async function startDynamodb({ answersDescribe = true } = {}) {
  const asked: string[][] = [];
  const server = createServer((request, response) => {
    request.resume();
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    const ofConnection = connections.get(request.socket) ?? [];
    ofConnection.push(operation);
    if (operation === 'DescribeEndpoints' && !answersDescribe) return;
    const answer = operation === 'UpdateItem' ? { Attributes: { points: { N: '1' } } } : {};
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
  });
  const connections = new Map<unknown, string[]>();
  server.on('connection', (socket) => {
    const ofConnection: string[] = [];
    connections.set(socket, ofConnection);
    asked.push(ofConnection);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

type Called = {
  readonly file?: 'index.mjs' | 'bundle.cjs';
  readonly name?: string;
  readonly query?: object;
  readonly body?: object;
};

async function loadAndCall(
  url: string,
  { file = 'index.mjs', name = getTranscription, query = {}, body }: Called = {},
): Promise<string[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-opened-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const entryPoints = [`functions/api/${name}/index.ts`];
  const { outputFiles } = await build({ ...bundleOptions, entryPoints, outdir: folder });
  await writeFile(path.join(folder, 'bundle.cjs'), outputFiles[0]?.contents ?? '');
  await writeFile(path.join(folder, 'index.mjs'), entryModule('bundle.cjs'));
  const env = {
    ...Object.fromEntries(Object.values(envNames).map((name) => [name, '100'])),
    ...{ [envNames.organizationClaim]: 'client_id', [envNames.transcriptionLanguage]: 'en-US' },
    [envNames.transcriptionMaxSpeakers]: '10',
    [envNames.logLevel]: 'SILENT',
    ...{ AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
    AWS_ENDPOINT_URL_DYNAMODB: url,
  };
  const asked = {
    ...event,
    rawQueryString: String(new URLSearchParams({ ...query })),
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  };
  const args = ['--input-type=module', '--eval', program, path.join(folder, file), JSON.stringify(asked)];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return stdout.trim().split('\n');
}

test('a function opens its connection before it takes a call, and the first call uses it', async () => {
  const { url, asked } = await startDynamodb();
  expect(await loadAndCall(url)).toEqual(['loaded', '404']);
  expect(asked[0]?.slice(0, 2)).toEqual(['DescribeEndpoints', 'UpdateItem']);
});

test.each([
  { name: 'insights/list-room-insights', connections: 4, status: '200' },
  { name: 'insights/get-session-network', query: { roomSessionId: id }, connections: 3, status: '200' },
  { name: 'insights/get-participant', query: { roomSessionId: id, participantId: id }, connections: 2, status: '200' },
  { name: 'transcriptions/create-transcription', body: { recordingId: id }, connections: 2, status: '404' },
])('$name opens $connections connections, because it makes so many calls at once', async (each) => {
  const { connections, status, ...called } = each;
  const { url, asked } = await startDynamodb();
  expect(await loadAndCall(url, called)).toEqual(['loaded', status]);
  expect(asked.map(([first]) => first)).toEqual(Array.from({ length: connections }, () => 'DescribeEndpoints'));
  expect(
    asked.filter((operations) => operations.length > 1),
    'and uses all of them',
  ).toHaveLength(connections);
});

test('a function whose connection does not open takes its call half a second later', async () => {
  const { url, asked } = await startDynamodb({ answersDescribe: false });
  expect(await loadAndCall(url)).toEqual(['loaded', '404']);
  expect(asked.flat().filter((operation) => operation === 'DescribeEndpoints')).toHaveLength(1);
});

test('a bundle that is loaded without its module opens nothing before a call needs it', async () => {
  const { url, asked } = await startDynamodb();
  expect(await loadAndCall(url, { file: 'bundle.cjs' })).toEqual(['loaded', '404']);
  expect(asked.flat()).not.toContain('DescribeEndpoints');
});
