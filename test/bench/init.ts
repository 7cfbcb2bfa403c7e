import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { envNames } from '#shared/names.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { type Bundled, makeBundles, makeLoader } from './init-bundles.ts';
import { median, quantile } from './quantiles.ts';
import type { Finding, Report } from './report.ts';

/** The most that loading may take, relative to CDK's default bundle, of functions with a client of the SDK and of those without. */
const goals = { withClient: 0.65, withoutClient: 1.05 };

/** How long loading a bundle takes. */
type Sample = { readonly wallMs: number; readonly processorMs: number };
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
        'Each sample is a fresh process that loads one bundle as the runtime of Lambda does, with import(). ' +
        `${rounds} rounds load each bundle and CDK's one after the other, after a round to warm up. CDK's takes the SDK from the runtime, here from ` +
        'the same packages. Figures are medians of the ratios of processor time, which other programs disturb less than the time that passes.',
      findings: functions.map((each) => findingOf(each, pairs.get(each.name) ?? [])),
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
  NODE_PATH: fileURLToPath(new URL('../../node_modules', import.meta.url)),
};

function findingOf({ name, clients, bytes }: Bundled, pairs: readonly Pair[]): Finding {
  const ratios = (kind: keyof Sample) => pairs.map(({ own, ofCdk }) => own[kind] / ofCdk[kind]);
  const processor = ratios('processorMs');
  const [low, high] = [0.1, 0.9].map((part) => quantile(processor, part).toFixed(2));
  const [own, ofCdk] = (['own', 'ofCdk'] as const).map((whose) => median(pairs.map((pair) => pair[whose].processorMs)));
  const goal = clients.length > 0 ? goals.withClient : goals.withoutClient;
  return {
    number: 15,
    goal: `load of ${path.posix.basename(name)}, relative to CDK's default bundle: at most ${goal}`,
    figure: median(processor).toFixed(2),
    spread:
      `p10 ${low}, p90 ${high}; time passed ${median(ratios('wallMs')).toFixed(2)}; ${own?.toFixed(1)} and ${ofCdk?.toFixed(1)} ms; ` +
      `${(bytes / 1024).toFixed(0)} KiB, ${clients.join(', ') || 'no client'}`,
    isMet: median(processor) <= goal,
  };
}
