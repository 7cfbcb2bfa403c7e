import { log } from './logger.ts';
import { type MetricName, metricsDimension, metricsNamespace, metricUnits } from './names.ts';

/** Counted or measured values by metric. Each value of a list counts separately. */
export type Measured = Readonly<Partial<Record<MetricName, number | readonly number[]>>>;

/** A transcription of a recording that has ended, and when it was created. */
export type EndedTranscription = { readonly state: 'ready' | 'failed'; readonly createdAt: string };

/** What is measured when a transcription of a recording ends. */
export function measuredEnd({ state, createdAt }: EndedTranscription, now: Date): Measured {
  if (state === 'failed') return { TranscriptionsFailed: 1 };
  return { TranscriptionsReady: 1, TimeToReady: Math.max(0, (now.getTime() - Date.parse(createdAt)) / 1000) };
}

/**
 * Writes a log line in CloudWatch's embedded metric format. CloudWatch creates the metrics from it, so no API is called.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function recordMetrics(measured: Measured): void {
  const names = Object.keys(measured) as MetricName[];
  if (names.length === 0) return;
  const Metrics = names.map((Name) => ({ Name, Unit: metricUnits[Name] }));
  const directive = { Namespace: metricsNamespace, Dimensions: [[metricsDimension]], Metrics };
  log.metrics({ _aws: { Timestamp: Date.now(), CloudWatchMetrics: [directive] }, ...measured });
}
