import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { envNames } from '#shared/runtime/names.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { median } from '../quantiles.ts';
import type { Finding, Report } from '../report.ts';
import { type Bundled, makeBundles, makeLoader } from './init-bundles.ts';

/** The most that loading may take, relative to CDK's default bundle, of functions with a client of the SDK and of those without. */
const goals = { withClient: 0.65, withoutClient: 1.05 };

/** How long loading a bundle takes. */
type Sample = { readonly processorMs: number };
/** The samples of a function's bundle and of CDK's, which are taken one after the other. */
type Pair = { readonly own: Sample; readonly ofCdk: Sample };

/** Measures the load time of every function against that of the bundle that CDK makes by default of the same entry. */
export async function measureInit(rounds: number): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), 'roomscribe-init-'));
  try {
    const functions = makeBundles(folder);
    const pairs = await sampled(makeLoader(folder), functions, rounds);
    return {
      setup:
        `Each sample is a fresh process that imports one bundle, in ${rounds} rounds after one to warm up. CDK's bundle takes the SDK from the runtime. ` +
        'Figures are medians of the ratios of processor time.',
      ...loadsOf(functions.map((each) => loadOf(each, pairs.get(each.name) ?? []))),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Loads all bundles in turns, in another order in each round. */
async function sampled(program: string, functions: readonly Bundled[], rounds: number) {
  const pairs = new Map<string, Pair[]>();
  const load = async (file: string): Promise<Sample> => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, file], { env });
    return JSON.parse(stdout.slice(stdout.lastIndexOf('\n')));
  };
  const progress = openProgress(process.stderr);
  for (let round = 0; round <= rounds; round++) {
    for (const { name, file, cdkFile } of functions.toSorted(() => Math.random() - 0.5)) {
      const pair = { own: await load(file), ofCdk: await load(cdkFile) };
      if (round > 0) pairs.set(name, [...(pairs.get(name) ?? []), pair]);
    }
    progress.show('Loading every function', round, rounds);
  }
  progress.end();
  return pairs;
}

/** A value of every variable, so that each function loads. CDK's bundles find the SDK through `NODE_PATH`, as they do on Lambda. */
const env: Record<string, string> = {
  ...Object.fromEntries(Object.values(envNames).map((name) => [name, '100'])),
  ...{ [envNames.organizationClaim]: 'client_id', [envNames.logLevel]: 'INFO' },
  ...{ [envNames.transcriptionLanguage]: 'en-US', [envNames.transcriptionMaxSpeakers]: '10' },
  ...{ [envNames.webhookReceivers]: 'public', [envNames.apiUrl]: 'https://api.example.com' },
  ...{ AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' },
  NODE_PATH: fileURLToPath(new URL('../../../node_modules', import.meta.url)),
};

/** What loading a function takes, relative to CDK's default bundle. */
type Load = { readonly hasClient: boolean; readonly name: string; readonly ratio: number; readonly details: string };

function loadOf({ name, clients, bytes }: Bundled, pairs: readonly Pair[]): Load {
  const ratio = median(pairs.map(({ own, ofCdk }) => own.processorMs / ofCdk.processorMs));
  const [own, ofCdk] = (['own', 'ofCdk'] as const).map((whose) => median(pairs.map((pair) => pair[whose].processorMs)));
  const details = `${own?.toFixed(1)} and ${ofCdk?.toFixed(1)} ms, ${(bytes / 1024).toFixed(0)} KiB`;
  return { hasClient: clients.length > 0, name: path.posix.basename(name), ratio, details };
}

/** A finding for the functions with a client of the SDK and one for those without, and a note with all of them. */
function loadsOf(loads: readonly Load[]): Pick<Report, 'findings' | 'notes'> {
  const finding = (hasClient: boolean): Finding => {
    const ofKind = loads.filter((load) => load.hasClient === hasClient);
    const ratios = ofKind.map(({ ratio }) => ratio);
    const goal = hasClient ? goals.withClient : goals.withoutClient;
    const missed = ofKind.filter(({ ratio }) => ratio > goal).map(({ name }) => name);
    return {
      number: 15,
      goal: `slowest load of ${ofKind.length} functions ${hasClient ? 'with' : 'without'} a client, relative to CDK's default bundle: at most ${goal}`,
      figure: Math.max(...ratios).toFixed(2),
      spread: [`median ${median(ratios).toFixed(2)}, min ${Math.min(...ratios).toFixed(2)}`, ...missed].join(
        '; missed by ',
      ),
      isMet: missed.length === 0,
    };
  };
  const all = loads
    .toSorted((one, other) => other.ratio - one.ratio)
    .map(({ name, ratio, details }) => `${name} ${ratio.toFixed(2)} (${details})`);
  return { findings: [finding(true), finding(false)], notes: [`${noteOfLoads} ${all.join('; ')}.`] };
}

const noteOfLoads = "Each function, with the median times of its bundle and of CDK's, and its size:";
