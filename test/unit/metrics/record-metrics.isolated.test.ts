import { beforeEach, describe, expect, test, vi } from 'vitest';
import { withLogContext } from '#shared/runtime/logger.ts';
import { recordMetrics } from '#shared/runtime/metrics.ts';
import { metricsDimension, metricsNamespace, metricUnits } from '#shared/runtime/names.ts';
import { captureLogLines, type LogLine } from '../../support/log-lines.ts';

// Lambda sets the variable before the logger is loaded.
vi.hoisted(() => vi.stubEnv('SERVICE_NAME', 'Roomscribe-test'));

let lines: () => readonly LogLine[];

beforeEach(() => {
  lines = captureLogLines().lines;
});

describe('recordMetrics', () => {
  test('writes one line in the embedded metric format, with the deployment as the dimension', () => {
    const before = Date.now();
    recordMetrics({ TranscriptionsStarted: 1, TranscribedTime: 600 });
    expect(lines()).toHaveLength(1);
    const facts = lines()[0]?.facts ?? {};
    expect(facts).toMatchObject({
      [metricsDimension]: 'Roomscribe-test',
      TranscriptionsStarted: 1,
      TranscribedTime: 600,
      _aws: {
        CloudWatchMetrics: [
          {
            Namespace: metricsNamespace,
            Dimensions: [[metricsDimension]],
            Metrics: [
              { Name: 'TranscriptionsStarted', Unit: 'Count' },
              { Name: 'TranscribedTime', Unit: 'Seconds' },
            ],
          },
        ],
      },
    });
    const { Timestamp } = facts._aws as { readonly Timestamp: number };
    expect(Timestamp).toBeGreaterThanOrEqual(before);
    expect(Timestamp).toBeLessThanOrEqual(Date.now());
  });

  test('accepts several values of one metric', () => {
    recordMetrics({ RoomEventLag: [12, 7] });
    expect(lines()[0]?.facts).toMatchObject({ RoomEventLag: [12, 7] });
  });

  test('writes the organization into the line, but not as a dimension', () => {
    withLogContext({ organizationId: 'acme' }, () => recordMetrics({ JobsHealed: 1 }));
    expect(lines()[0]?.facts.organizationId).toBe('acme');
    expect(lines()[0]?.text).toContain(`"Dimensions":[["${metricsDimension}"]]`);
  });

  test('writes nothing if there are no metrics', () => {
    recordMetrics({});
    expect(lines()).toEqual([]);
  });
});

test('no metric has the name of another field of a log line', () => {
  const fields = ['level', 'message', 'timestamp', 'xray_trace_id', metricsDimension];
  expect(Object.keys(metricUnits).filter((name) => fields.includes(name))).toEqual([]);
});
