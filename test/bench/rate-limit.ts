import { setTimeout as delay } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { MiddlewareStack } from '@smithy/types';
import { createHandler } from '#functions/api/transcriptions/list-transcriptions/handler.ts';
import type { Admission } from '#shared/http/admission.ts';
import { rateLimiter } from '#shared/storage/rate-limits.ts';
import { transcriptionLister } from '#shared/storage/transcriptions/list.ts';
import { clientSettings } from '#tools/shared/client-settings.ts';
import { openProgress } from '#tools/shared/progress-bar.ts';
import { httpEvent, organizationClaim, admission as uncounted } from '../support/http-events.ts';
import { runEndpoint } from '../support/run-endpoint.ts';
import { withLocalRunner } from './local-runner.ts';
import { median, quantile } from './quantiles.ts';
import type { Finding, Report } from './report.ts';

/** Delay of every call to DynamoDB, because the local one responds faster than a network in AWS. */
const roundTripMs = 10;
const rounds = 200;
const maxRatio = 1.15;

/** Compares the duration of a read with counted points to one without. */
export async function measureRateLimit(): Promise<Report> {
  return withLocalRunner(async ({ dynamodbUrl, tables }) => {
    const documents = distantDocuments(dynamodbUrl);
    const limiter = rateLimiter(documents, String(tables.rateLimits), { pointsPerMinute: 1_000_000 });
    const listTranscriptions = transcriptionLister(documents, String(tables.transcriptions));
    const reading = (admission: Admission) => createHandler({ admission, listTranscriptions });
    const variants = {
      uncounted: reading(uncounted),
      during: reading({ organizationClaim, rateLimiter: limiter }),
    };
    const before = async () => {
      await limiter.spend('acme' as Parameters<typeof limiter.spend>[0], 1);
      return runEndpoint(variants.uncounted, httpEvent());
    };
    const timings = await interleaved({
      uncounted: () => runEndpoint(variants.uncounted, httpEvent()),
      during: () => runEndpoint(variants.during, httpEvent()),
      before,
    });
    return {
      setup:
        `A page of transcriptions is read ${rounds} times in each of three ways, in turns: without counting points, ` +
        'with counting during the read, and (for comparison) with counting before the read. ' +
        `Every call to DynamoDB is delayed by ${roundTripMs} ms to simulate a network.`,
      findings: [
        ratio(
          `p50 with counting during the read, relative to no counting: at most ${maxRatio}`,
          timings.during,
          timings.uncounted,
          maxRatio,
        ),
        ratio('p50 with counting before the read, relative to no counting', timings.before, timings.uncounted),
      ],
    };
  });
}

function distantDocuments(endpoint: string): DynamoDBDocumentClient {
  const client = new DynamoDBClient(clientSettings(endpoint));
  (client.middlewareStack as unknown as MiddlewareStack<object, object>).add(
    (next) => async (args) => {
      await delay(roundTripMs);
      return next(args);
    },
    { step: 'finalizeRequest', name: 'distance' },
  );
  return DynamoDBDocumentClient.from(client);
}

type Variants = Readonly<
  Record<'uncounted' | 'during' | 'before', () => Promise<{ readonly statusCode?: number | undefined }>>
>;
type Timings = Record<keyof Variants, number[]>;

async function interleaved(variants: Variants): Promise<Timings> {
  const progress = openProgress(process.stderr);
  const timings: Timings = { uncounted: [], during: [], before: [] };
  for (let round = -10; round < rounds; round++) {
    for (const name of Object.keys(timings) as (keyof Timings)[]) {
      const startedAt = performance.now();
      const { statusCode } = await variants[name]();
      if (statusCode !== 200) throw new Error(`The read "${name}" returned ${statusCode}.`);
      if (round >= 0) timings[name].push(performance.now() - startedAt); // the first rounds warm up
    }
    if (round >= 0) progress.show('Reading pages in turns', round + 1, rounds);
  }
  progress.end();
  return timings;
}

function ratio(goal: string, timings: readonly number[], base: readonly number[], goalRatio?: number): Finding {
  const figure = median(timings) / median(base);
  const show = (values: readonly number[]) =>
    `${median(values).toFixed(1)} ms (p90 ${quantile(values, 0.9).toFixed(1)})`;
  return {
    goal,
    figure: figure.toFixed(2),
    spread: `${show(timings)} versus ${show(base)}`,
    ...(goalRatio !== undefined && { isMet: figure <= goalRatio }),
  };
}
