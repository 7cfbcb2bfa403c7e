import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { envNames } from '#shared/names.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { httpEvent } from '../support/http-events.ts';
import { madeCertificate } from '../support/made-certificate.ts';
import { uuid } from '../support/records.ts';
import { type Bundled, makeBundles, makeLoader } from './init-bundles.ts';
import { median, quantile } from './quantiles.ts';
import type { Finding, Report } from './report.ts';

/** CDK's bundles are far slower, so every fifth round is enough for them. */
const roundsPerCdkRound = 5;
const maxOfCdk = 0.6;
const maxFirstCall = 1.25;
/** Reads whose first call is measured, with an event each. */
const calls: Readonly<Record<string, object>> = {
  'api/transcriptions/get-transcription': httpEvent({ params: { transcriptionId: uuid(1) } }),
  'api/transcriptions/list-transcriptions': httpEvent(),
  'api/insights/list-room-insights': httpEvent(),
  'api/insights/list-participants': httpEvent({ query: `roomSessionId=${uuid(1)}` }),
};

type Sample = {
  readonly wallMs: number;
  readonly processorMs: number;
  /** The processor time of the call alone. */
  readonly callMs: number;
  readonly statusCode?: number;
};
/** Loads a file in a process of its own, and calls it if there is an event. */
type Load = (file: string, event?: object) => Promise<Sample>;
/** R, and every function. */
type Bundles = readonly [Bundled, ...Bundled[]];
/** The samples of what was measured, by its key. */
type Samples = Map<string, Sample[]>;

/** Measures the load time of every function against R and against CDK's default bundle, and load with the first call of some. */
export async function measureInit(rounds: number): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-init-'));
  const dynamodb = await startDynamodb();
  try {
    const [bare, ...functions] = await makeBundles(folder);
    const authority = path.join(folder, 'authority.pem');
    await writeFile(authority, dynamodb.cert);
    const load = loader(makeLoader(folder), {
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
      NODE_EXTRA_CA_CERTS: authority,
    });
    const samples = await sampled([bare, ...functions], load, rounds);
    return {
      setup:
        'Each sample is a fresh process that loads one bundle as the runtime of Lambda does, with import(). R has the client of DynamoDB ' +
        `and one call, and is bundled as the functions are. ${rounds} rounds, each in another order, after one to warm up; every ` +
        `${roundsPerCdkRound}th also loads the bundles that CDK makes by default. Figures are ratios of medians of processor time, ` +
        'which other programs of the machine disturb less than the time that passes. The load is that of the bundle. Lambda also opens the ' +
        'connections of a function while it loads it: rows of their own have both, for four functions. The first call is that of a new function: it ' +
        'counts the points and finds nothing. DynamoDB is a stand-in behind TLS. Before their first call, functions open their connections, as in ' +
        'Lambda, where a function that loads has whole processors, and one that is called has the part of its memory.',
      findings: [
        ...functions.map((each) => loadFinding(each, bare, samples)),
        ...Object.keys(calls).map((name) => callFinding(name, samples)),
        ...Object.keys(calls).map((name) => openedLoadFinding(name, bare, samples)),
        ...Object.keys(calls).map((name) => callAloneFinding(name, samples)),
        bareFinding(bare, samples),
      ],
    };
  } finally {
    dynamodb.stop();
    await rm(folder, { recursive: true });
  }
}

const callOf = (name: string) => `call ${name}`;

/** Takes all samples, in turns, so that everything is measured at the same times. */
async function sampled([bare, ...functions]: Bundles, load: Load, rounds: number): Promise<Samples> {
  const samples: Samples = new Map();
  const progress = openProgress(process.stderr);
  for (let round = 0; round <= rounds; round++) {
    const loads = [bare, ...functions].map(({ file }) => [file, () => load(file)] as const);
    const ofCdk = functions.map(({ cdkFile }) => [cdkFile, () => load(cdkFile)] as const);
    const called = [bare, ...functions]
      .filter(({ name }) => name === bare.name || name in calls)
      .map(
        ({ name, file, entry }) =>
          [callOf(name), () => load(name === bare.name ? file : entry, calls[name] ?? {})] as const,
      );
    const turns = [...loads, ...called, ...(round > 0 && round % roundsPerCdkRound === 0 ? ofCdk : [])];
    for (const [key, take] of turns.toSorted(() => Math.random() - 0.5)) {
      const sample = await take();
      if (round > 0) samples.set(key, [...(samples.get(key) ?? []), sample]);
    }
    progress.show('Loading every function', round, rounds);
  }
  progress.end();
  return samples;
}

function loader(program: string, environment: Readonly<Record<string, string>>): Load {
  const env = { ...functionEnvironment, ...environment };
  return async (file, event) => {
    const args = [program, file, ...(event ? [JSON.stringify(event)] : [])];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    const sample: Sample = JSON.parse(stdout.slice(stdout.lastIndexOf('\n')));
    if ((sample.statusCode ?? 200) >= 500) throw new Error(`${file} answered ${sample.statusCode}: ${stdout}`);
    return sample;
  };
}

/** A value of every variable, so that each function loads. CDK's bundles find the SDK through `NODE_PATH`, as they do on Lambda. */
const functionEnvironment: Record<string, string> = {
  ...Object.fromEntries(Object.values(envNames).map((name) => [name, '100'])),
  ...{ [envNames.organizationClaim]: 'client_id', [envNames.logLevel]: 'INFO' },
  ...{ [envNames.transcriptionLanguage]: 'en-US', [envNames.transcriptionMaxSpeakers]: '10' },
  ...{ [envNames.webhookReceivers]: 'public', [envNames.apiUrl]: 'https://api.example.com' },
  ...{ AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
  NODE_PATH: fileURLToPath(new URL('../../node_modules', import.meta.url)),
};

/** Answers like DynamoDB, over TLS: it counts points, and has nothing else. */
async function startDynamodb() {
  const { cert, key } = madeCertificate('127.0.0.1');
  const server = createServer({ cert, key }, (request, response) => {
    request.resume();
    const isCount = String(request.headers['x-amz-target']).endsWith('UpdateItem');
    const answer = isCount ? { Attributes: { points: { N: '1' } } } : { Items: [], Count: 0 };
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, cert, stop };
}

/** The most that loading may take, in R, by the clients in the bundle. */
function goalOf({ clients }: Bundled): number {
  if (clients.includes('s3')) return 1.9;
  return clients.length > 1 ? 1.45 : 1.3;
}

function loadFinding(each: Bundled, bare: Bundled, samples: Samples): Finding {
  const ratio = ratioOf(samples, each.file, bare.file);
  const ofCdk = ratioOf(samples, each.file, each.cdkFile);
  const goal = goalOf(each);
  return {
    number: 1,
    goal: `load of ${path.posix.basename(each.name)}: at most ${goal} R, and ${maxOfCdk} of CDK's bundle`,
    figure: `${figure(ratio)} R, ${figure(ofCdk)}`,
    spread:
      `${spreadOf(samples, each.file, bare.file)}; of CDK's ${rangeOf(samples, each.file, each.cdkFile)}; ` +
      `${(each.bytes / 1024).toFixed(0)} KiB, ` +
      `${each.clients.join(', ') || 'no client'}`,
    isMet: ratio <= goal && ofCdk <= maxOfCdk,
  };
}

function callFinding(name: string, samples: Samples): Finding {
  const ratio = ratioOf(samples, callOf(name), callOf('bare'));
  return {
    number: 2,
    goal: `load and first call of ${path.posix.basename(name)}: at most ${maxFirstCall} R`,
    figure: `${figure(ratio)} R`,
    spread: spreadOf(samples, callOf(name), callOf('bare')),
    isMet: ratio <= maxFirstCall,
  };
}

/** What Lambda does before the first call: it loads the function, and opens its connections. */
function openedLoadFinding(name: string, bare: Bundled, samples: Samples): Finding {
  const loads = (samples.get(callOf(name)) ?? []).map(({ processorMs: all, callMs }) => all - callMs);
  return {
    goal: `load of ${path.posix.basename(name)} with open connections, relative to that of R, which opens none`,
    ...inRelationTo(median(processorMs(samples, bare.file)), loads),
  };
}

/** What is left to the first call after the load, in which the connection was opened. */
function callAloneFinding(name: string, samples: Samples): Finding {
  const [ours, ofBare] = [callOf(name), callOf('bare')].map((key) =>
    (samples.get(key) ?? []).map(({ callMs }) => callMs),
  );
  return {
    goal: `first call of ${path.posix.basename(name)} alone, relative to that of R, which opens its connection in it`,
    ...inRelationTo(median(ofBare ?? []), ours ?? []),
  };
}

function bareFinding(bare: Bundled, samples: Samples): Finding {
  const [loaded, called] = [bare.file, callOf(bare.name)].map((key) => median(processorMs(samples, key)).toFixed(1));
  return {
    goal: 'R: processor time of its load, and with its first call',
    figure: `${loaded} ms, ${called} ms`,
    spread: `${spreadOf(samples, bare.file, bare.file)}; ${(bare.bytes / 1024).toFixed(0)} KiB`,
  };
}

/** The median and the spread of times, divided by another time. */
function inRelationTo(other: number, times: readonly number[]): { readonly figure: string; readonly spread: string } {
  const [low, high] = [0.1, 0.9].map((part) => figure(quantile(times, part) / other));
  return { figure: figure(median(times) / other), spread: `p10 ${low}, p90 ${high}` };
}

/** The spread of the processor time. */
function rangeOf(samples: Samples, key: string, other: string): string {
  return inRelationTo(median(processorMs(samples, other)), processorMs(samples, key)).spread;
}

/** The spread of the processor time, and the ratio of the time that passed. */
function spreadOf(samples: Samples, key: string, other: string): string {
  const wall = (of: string) => median((samples.get(of) ?? []).map((sample) => sample.wallMs));
  return `${rangeOf(samples, key, other)}; time passed ${figure(wall(key) / wall(other))}`;
}

function processorMs(samples: Samples, key: string): readonly number[] {
  return (samples.get(key) ?? []).map((sample) => sample.processorMs);
}

function ratioOf(samples: Samples, key: string, other: string): number {
  return median(processorMs(samples, key)) / median(processorMs(samples, other));
}

function figure(ratio: number): string {
  return ratio.toFixed(2);
}
