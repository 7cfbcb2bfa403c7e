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

  it('matches an array of objects if one of them matches', () => {
    const tracks = [{ id: 'a', kind: 'audio' }, { id: 'b' }];
    expect(matches({ detail: { tracks: { id: ['b'] } } }, { detail: { tracks } })).toBe(true);
    expect(matches({ detail: { tracks: { id: ['b'], kind: ['audio'] } } }, { detail: { tracks } })).toBe(false);
  });

  it.each<[string, unknown, unknown, boolean]>([
    ['a number', [1, 2], 2, true],
    ['a number as text', [1], '1', false],
    ['null', [null], null, true],
    ['null, of a missing field', [null], undefined, false],
    ['false', [false], false, true],
    ['a suffix', [{ suffix: '.ended' }], 'room.session.ended', true],
    ['another suffix', [{ suffix: '.ended' }], 'room.session.started', false],
    ['a prefix of a number', [{ prefix: '1' }], 12, false],
    ['anything but a text', [{ 'anything-but': 'a' }], 'b', true],
    ['anything but one of a list', [{ 'anything-but': ['a', 'b'] }], 'b', false],
    ['anything but, of a missing field', [{ 'anything-but': ['a'] }], undefined, false],
    ['a field that exists', [{ exists: true }], null, true],
    ['a field that is missing', [{ exists: true }], undefined, false],
    ['an object, which is no leaf', [{ exists: true }], { a: 1 }, false],
    ['no field', [{ exists: false }], undefined, true],
    ['a field although there must be none', [{ exists: false }], 'a', false],
  ])('compares %s', (_name, expected, value, isMatch) => {
    expect(matches({ detail: { data: { field: expected } } }, { detail: { data: { field: value } } })).toBe(isMatch);
  });

  it('matches a field that must not exist also without its object', () => {
    expect(matches({ detail: { data: { field: [{ exists: false }] } } }, { detail: {} })).toBe(true);
  });

  it.each([
    [{ detail: { size: [{ numeric: ['>', 0] }] } }],
    [{ $or: [{ source: ['a'] }] }],
    [{ source: 'aws.transcribe' }],
    [{ source: [] }],
    [{ source: [{ wildcard: '*' }] }],
    [{ source: [{ prefix: { 'equals-ignore-case': 'a' } }] }],
    [{ source: [{ prefix: 'a', suffix: 'b' }] }],
    [{ source: [{ 'anything-but': { prefix: 'a' } }] }],
    [{ source: [{ exists: 'yes' }] }],
    [{ source: [{ constructor: 'a' }] }],
    [{ source: [['a']] }],
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
