import { setTimeout as delay } from 'node:timers/promises';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { queueDepth } from '#tools/shared/queue-depth.ts';
import { inParallel } from '#tools/simulation/in-parallel.ts';
import { withLocalRunner } from '../local-runner.ts';
import { median, quantile } from '../quantiles.ts';
import type { Finding, Report } from '../report.ts';
import { type Contest, contests, noisy, type Probe, sizes } from './fairness-contests.ts';
import { connect, type Service } from './fairness-service.ts';

const quiet = ['amber', 'birch', 'cedar', 'daisy', 'elder'];
const samples = 20;
const pauseMs = 30;
/** A quiet organization's p99 may be this many times its own p99 without the flood, or as long as the contest says is enough. */
const maxFactor = 3;

const context = { rateLimitPointsPerMinute: '1000000' };

/** Measures how long quiet organizations wait for their work, alone and beside a flood of another organization. */
export async function measureFairness(chosen = contests): Promise<Report> {
  const findings: Finding[] = [];
  for (const contestOf of chosen) {
    findings.push(
      await withLocalRunner(
        async (endpoints) => {
          const service = await connect(endpoints, [...quiet, noisy]);
          const contest = contestOf(service);
          return measure(service, contest).finally(contest.close);
        },
        { context },
      ),
    );
  }
  return {
    setup:
      `${quiet.length} quiet organizations do one thing, again and again, and poll until they see its effect: ${samples} samples alone, then ${samples} ` +
      `while another organization has a backlog: ${sizes.oneSession} joins of one session, ${sizes.sessions} and ${sizes.manySessions} joins of as many ` +
      `sessions, ${10 * sizes.sessions} messages with samples of as many sessions, ${sizes.sessions} webhooks of LiveKit of as many sessions, or ` +
      `${sizes.bulkDeletes} bulk deletes of ${sizes.idsOfBulkDelete} ids. For notices, ${sizes.sessions} sessions begin for an organization whose ` +
      'receiver takes 9 s for each. The worker of room events waits up to a second for a full batch, as in AWS.',
    findings,
  };
}

async function measure(
  { sqs, queues }: Service,
  { name, queue, pace, enoughMs, prepare, flood, backlog: ownBacklog }: Contest,
): Promise<Finding> {
  const progress = openProgress(process.stderr);
  const lagsOf = async (what: string, count = samples) => {
    const lags: number[] = [];
    const probes: Probe[] = [];
    const owners = Array.from({ length: count }, (_, index) => quiet[index % quiet.length] ?? '');
    await inParallel(owners, quiet.length, async (owner) => void probes.push(await prepare(owner)));
    if (what === 'beside the flood') await flood();
    await inParallel(probes, pace.atOnce, async (probe) => {
      await delay(pauseMs);
      const startedAt = performance.now();
      await probe();
      lags.push(performance.now() - startedAt);
      progress.show(`${name}, ${what}`, lags.length, count);
    });
    return lags;
  };
  await lagsOf('warming up', samples / 4);
  const alone = await lagsOf('alone');
  const beside = await lagsOf('beside the flood');
  const backlog = (await ownBacklog?.()) ?? (await queueDepth(sqs, queues[queue] ?? '')).total;
  progress.end();
  const most = Math.max(maxFactor * quantile(alone, 0.99), enoughMs);
  const show = (lags: readonly number[]) => `p50 ${median(lags).toFixed(0)} ms, max ${quantile(lags, 1).toFixed(0)} ms`;
  return {
    goal: `${name}: p99 lag of a quiet organization beside a flood that outlasts the measurement, at most ${most.toFixed(0)} ms`,
    figure: `${quantile(beside, 0.99).toFixed(0)} ms`,
    spread: `${show(beside)}; alone ${show(alone)}; ${backlog} messages or notices left`,
    isMet: quantile(beside, 0.99) <= most && backlog > 0,
  };
}
