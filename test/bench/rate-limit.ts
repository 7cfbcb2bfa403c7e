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

/** How many times as long as an uncounted read the counted one may take, and a refusal that the function knows already. */
const goals = { counted: 1.15, known: 0.2 };

/** Compares the duration of a read with counted points, and of its refusal, with that of an uncounted read. */
export async function measureRateLimit(): Promise<Report> {
  return withLocalRunner(async ({ dynamodbUrl, tables }) => {
    const documents = distantDocuments(dynamodbUrl);
    const limiter = (pointsPerMinute: number, now?: () => number) =>
      rateLimiter(documents, String(tables.rateLimits), {
        pointsPerMinute,
        personPointsPerMinute: 300,
        ...(now && { now }),
      });
    const listTranscriptions = transcriptionLister(documents, String(tables.transcriptions));
    const reading = (admission: Admission) => createHandler({ admission, listTranscriptions });
    const limitedBy = (limits: Admission['rateLimiter']) => reading({ organizationClaim, rateLimiter: limits });
    const [plenty, startedAt] = [limiter(1_000_000), Date.now()];
    const withNothingLeft = () => limitedBy(limiter(1, () => startedAt + 3_600_000)); // in a minute of its own
    const knowing = withNothingLeft();
    const handlers: Record<Variant, () => ReturnType<typeof reading>> = {
      uncounted: () => reading(uncounted),
      during: () => limitedBy(plenty),
      before: () => limitedBy({ ...plenty, isFarFromLimit: () => false }),
      firstRefusal: withNothingLeft,
      knownRefusal: () => knowing,
    };
    await runEndpoint(knowing, httpEvent()); // spends the only point
    const timings = await interleaved(handlers);
    return {
      setup:
        `A page of transcriptions is read ${rounds} times in each of five ways, in turns: without counting points, ` +
        'with counting during the read (far from the limit), with counting before the read (near the limit), and refused ' +
        'by a function that does not know yet that no points are left, and by one that does. ' +
        `Every call to DynamoDB is delayed by ${roundTripMs} ms to simulate a network.`,
      findings: [
        ratio(
          `p50 of a read far from the limit, relative to no counting: at most ${goals.counted}`,
          timings.during,
          timings.uncounted,
          goals.counted,
        ),
        ratio('p50 of a read near the limit, relative to no counting', timings.before, timings.uncounted),
        ratio(
          `p50 of the first refusal, relative to an uncounted read: at most ${goals.counted}`,
          timings.firstRefusal,
          timings.uncounted,
          goals.counted,
        ),
        ratio(
          `p50 of a later refusal, relative to an uncounted read: at most ${goals.known}`,
          timings.knownRefusal,
          timings.uncounted,
          goals.known,
        ),
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

/** The expected status of each way to read. */
const statuses = { uncounted: 200, during: 200, before: 200, firstRefusal: 429, knownRefusal: 429 } as const;
type Variant = keyof typeof statuses;
type Timings = Record<Variant, number[]>;

async function interleaved(handlers: Record<Variant, () => Parameters<typeof runEndpoint>[0]>): Promise<Timings> {
  const progress = openProgress(process.stderr);
  const timings: Timings = { uncounted: [], during: [], before: [], firstRefusal: [], knownRefusal: [] };
  for (let round = -10; round < rounds; round++) {
    for (const name of Object.keys(timings) as Variant[]) {
      const handler = handlers[name]();
      const startedAt = performance.now();
      const { statusCode } = await runEndpoint(handler, httpEvent());
      if (statusCode !== statuses[name]) throw new Error(`The read "${name}" returned ${statusCode}.`);
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
