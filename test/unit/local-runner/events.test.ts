import { describe, expect, it } from 'vitest';
import { assertKnownPattern, matches } from '#tools/local/events/pattern.ts';
import { intervalMs } from '#tools/local/events/schedules.ts';

const pattern = {
  source: ['aws.transcribe'],
  detail: { TranscriptionJobStatus: ['COMPLETED', 'FAILED'], TranscriptionJobName: [{ prefix: 'Roomscribe-dev.' }] },
};
const event = {
  source: 'aws.transcribe',
  detail: { TranscriptionJobStatus: 'COMPLETED', TranscriptionJobName: 'Roomscribe-dev.acme.1', more: true },
};

describe('an event pattern', () => {
  it('matches literals and prefixes in nested fields', () => {
    expect(matches(pattern, event)).toBe(true);
  });

  it.each([
    ['another source', { ...event, source: 'aws.s3' }],
    ['a status that is not listed', { ...event, detail: { ...event.detail, TranscriptionJobStatus: 'QUEUED' } }],
    ["another deployment's job", { ...event, detail: { ...event.detail, TranscriptionJobName: 'Other.acme.1' } }],
    ['no detail', { source: event.source }],
  ])('does not match %s', (_, other) => {
    expect(matches(pattern, other)).toBe(false);
  });

  it('matches an array in the event if one element matches', () => {
    expect(matches({ resources: ['a'] }, { resources: ['b', 'a'] })).toBe(true);
  });

  it.each([
    [{ detail: { size: [{ numeric: ['>', 0] }] } }],
    [{ $or: [{ source: ['a'] }] }],
    [{ source: 'aws.transcribe' }],
  ])('with an unknown form is rejected: %j', (unknown) => {
    expect(() => assertKnownPattern(unknown, 'TheRule')).toThrow(/TheRule/);
  });
});

describe('intervalMs', () => {
  it.each([
    ['rate(1 minute)', 60_000],
    ['rate(2 minutes)', 120_000],
    ['rate(1 hour)', 3_600_000],
  ])('reads %s', (expression, expected) => {
    expect(intervalMs(expression)).toBe(expected);
  });

  it.each(['cron(0 12 * * ? *)', 'rate(5 weeks)', 'now'])('rejects %s', (expression) => {
    expect(() => intervalMs(expression)).toThrow(expression);
  });
});
