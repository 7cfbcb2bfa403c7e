import { describe, expect, test } from 'vitest';
import { dollarsOfUse } from '../../bench/bill.ts';
import { billsTable, monthOf } from '../../bench/customers.ts';
import type { MeasuredFunction } from '../../bench/invoked-function.ts';
import { memoryTable } from '../../bench/memory-sizes.ts';
import { atRestUse, gbSecondsOf, recordingUse, requestUse, samplesUse, sessionUse } from '../../bench/uses.ts';
import { billOf } from '../../support/documented-bills.ts';

const run: MeasuredFunction = { cpuMs: 2, rounds: 1, peakMb: 100, cpuOfProcesses: [2], invocations: 10 };
const call = { ...run, memoryMb: 512, units: { writes: 1, reads: 2, calls: 3 } };
const measures = {
  pages: { get: call, transcriptions: call, rooms: call },
  workers: { event: run, sample: run, tenSamples: run },
  session: { writes: 157, reads: 77, calls: 107 },
  told: { writes: 8, reads: 1, calls: 2 },
  sampledMinute: { writes: 2, reads: 0, calls: 1 },
  recording: { writes: 100, reads: 7, calls: 15 },
};

describe('the duration of an invocation', () => {
  test('is longer with a share of a processor, and includes waiting and cold starts', () => {
    // 4 ms for the call, 2 ms × 1769 ÷ 512, and 3 ms of cold starts, with half a gigabyte
    expect(gbSecondsOf(run, 512)).toBeCloseTo(((4 + 2 * (1769 / 512) + 3) / 1000) * 0.5, 12);
  });

  test('is not shorter with more than a processor', () => {
    expect(gbSecondsOf(run, 2048)).toBeCloseTo(((4 + 2 + 3) / 1000) * 2, 12);
  });
});

test('other sizes of memory have a duration and a price for each measured invocation', () => {
  const rows = memoryTable(measures).split('\n').slice(-6);
  const cells = '18 ms, $0.069 | 11 ms, $0.093 | 7 ms, $0.139 | 6 ms, $0.207';
  expect(rows[0]).toBe(`| get | ${cells} |`);
  expect(rows).toHaveLength(6);
});

describe('the use of', () => {
  test('a request has one of each kind, and its units', () => {
    const { lambdaGbSeconds, ...counts } = requestUse(call);
    expect(counts).toEqual({
      ...{ httpApiRequests: 1, lambdaRequests: 1, dynamodbWrites: 1, dynamodbReads: 2, logsWrittenGb: 1e-6 },
    });
    expect(lambdaGbSeconds).toBe(gbSecondsOf(run, 512));
    expect(requestUse({ ...call, memoryMb: 1024 }).lambdaGbSeconds).toBe(gbSecondsOf(run, 1024));
  });

  test('a session has 11 messages of its events, and two notices', () => {
    const { sqsRequests, lambdaRequests, dynamodbWrites, dynamodbReads, eventBusEvents } = sessionUse(measures);
    expect({ sqsRequests, lambdaRequests, eventBusEvents }).toEqual({
      ...{ sqsRequests: 11 * 3 + 2 * 2 * 3, lambdaRequests: 11 + 2 * 3, eventBusEvents: 2 },
    });
    expect([dynamodbWrites, dynamodbReads]).toEqual([157 + 8 + 2 * 2, 77 + 1 + 2]);
  });

  test('samples has a tenth of the messages in batches of ten, and the same units', () => {
    const [one, ten] = [samplesUse(measures, 1), samplesUse(measures, 10)];
    expect([one.sqsRequests, one.lambdaRequests, one.dynamodbWrites]).toEqual([360, 120, 240]);
    expect([ten.sqsRequests, ten.lambdaRequests, ten.dynamodbWrites]).toEqual([36, 12, 240]);
  });

  test('a recording grows with its length only by what is stored', () => {
    const [short, long] = [recordingUse(measures, 30), recordingUse(measures, 60)];
    expect(Number(long.s3KeptGb)).toBeCloseTo(2 * Number(short.s3KeptGb), 12);
    expect(long.s3Puts).toBe(Number(short.s3Puts) + 4);
    expect(long.dynamodbWrites).toBe(short.dynamodbWrites);
  });

  test('a stage at rest costs what docs/deploy.md states', () => {
    expect(dollarsOfUse(atRestUse()).toFixed(2)).toBe(billOf('docs/deploy.md', 'At rest').sums.get(''));
  });
});

describe('the month of a customer', () => {
  test('grows with the rooms, apart from the stage and the authorizer', () => {
    const [one, two, three] = [1_000, 2_000, 3_000].map((rooms) => dollarsOfUse(monthOf(measures, rooms).use));
    expect(Number(two) - Number(one)).toBeCloseTo(Number(three) - Number(two), 6);
    expect(monthOf(measures, 1_000).minutes).toBe(1_000 * 30 * 0.2 * 30);
  });

  test('calls the authorizer once in five minutes, or for each request if there are fewer', () => {
    const busy = Number(monthOf(measures, 50_000).use.lambdaRequests);
    const twice = Number(monthOf(measures, 100_000).use.lambdaRequests);
    const fixed = 2 * busy - twice;
    expect(fixed).toBeCloseTo(30 * 24 * 12 + Number(atRestUse().lambdaRequests), 3);
  });

  test('has a bill whose lines add up, and both readings of the price of Transcribe', () => {
    const table = billsTable(measures, [10]);
    const cells = table
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .split('|')
          .slice(1, 3)
          .map((cell) => cell.trim()),
      );
    const dollars = new Map(cells.map(([name = '', amount]) => [name, Number(amount)]));
    const sum = Number(dollars.get('**sum** without Transcribe'));
    expect(sum).toBeCloseTo(dollarsOfUse(monthOf(measures, 10).use), 2);
    expect(dollars.get('Transcribe (flat reading)')).toBeCloseTo(10 * 30 * 0.2 * 30 * 0.006, 2);
    expect(dollars.get('Transcribe (tiered reading)')).toBeCloseTo(10 * 30 * 0.2 * 30 * 0.024, 2);
    expect(dollars.get('**all** (flat reading)')).toBeCloseTo(sum + 10.8, 1);
  });
});
