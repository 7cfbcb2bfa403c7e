import * as z from 'zod/mini';
import { metricsDimension, metricsNamespace } from '#shared/runtime/names.ts';
import { captureLogLines } from '../log-lines.ts';

/** A log line in the embedded metric format, with our namespace and dimension. */
const EmbeddedMetrics = z.object({
  [metricsDimension]: z.string(),
  _aws: z.object({
    CloudWatchMetrics: z.tuple([
      z.object({
        Namespace: z.literal(metricsNamespace),
        Dimensions: z.tuple([z.tuple([z.literal(metricsDimension)])]),
        Metrics: z.array(z.object({ Name: z.string(), Unit: z.string() })),
      }),
    ]),
  }),
});

/** One metric that CloudWatch would extract from a log line. */
export type RecordedMetric = { readonly name: string; readonly unit: string; readonly values: readonly unknown[] };

/** Reads metrics from the log as CloudWatch does, until the spies of the test are restored. */
export function captureMetrics() {
  const { lines } = captureLogLines();
  const recorded = (): readonly RecordedMetric[] =>
    lines()
      .filter(({ facts }) => '_aws' in facts)
      .flatMap(({ facts }) =>
        EmbeddedMetrics.parse(facts)._aws.CloudWatchMetrics[0].Metrics.map(({ Name, Unit }) => ({
          name: Name,
          unit: Unit,
          values: [facts[Name]].flat(),
        })),
      );
  return {
    recorded,
    /** The sum of each recorded metric. */
    sums: () => {
      const sums: Record<string, number> = {};
      for (const { name, values } of recorded())
        for (const value of values) sums[name] = (sums[name] ?? 0) + Number(value);
      return sums;
    },
  };
}
