import { log } from './logger.ts';
import { type MetricName, metricsDimension, metricsNamespace, metricUnits } from './names.ts';

/** What was counted or measured; of several values each counts on its own. */
export type Measured = Readonly<Partial<Record<MetricName, number | readonly number[]>>>;

/**
 * Writes a log line in CloudWatch's embedded metric format, from which CloudWatch makes the metrics; nothing is called.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
export function recordMetrics(measured: Measured): void {
  const names = Object.keys(measured) as MetricName[];
  if (names.length === 0) return;
  const Metrics = names.map((Name) => ({ Name, Unit: metricUnits[Name] }));
  const directive = { Namespace: metricsNamespace, Dimensions: [[metricsDimension]], Metrics };
  log.metrics({ _aws: { Timestamp: Date.now(), CloudWatchMetrics: [directive] }, ...measured });
}
