import { describe, expect, test } from 'vitest';
import { MeasuredEvent } from '#shared/contracts/insights/network-samples.ts';
import { ClientSpoke } from '#shared/contracts/insights/speech.ts';
import { issuesOf, taken } from '../../../support/issues.ts';
import { uuid } from '../../../support/operations/records.ts';

const required: Readonly<Record<string, unknown>> = {
  roomSessionId: uuid(3),
  participantId: 'ann',
  intervals: [{ from: '2026-03-01T10:00:00.25+01:00', to: '2026-03-01T09:00:07.5Z' }],
};
const event = (change: object = {}, envelope: object = {}) => ({
  id: 'event-1',
  type: 'room.client.spoke',
  organizationId: 'acme',
  createdAt: '2026-03-01T09:01:00Z',
  data: { ...required, ...change },
  ...envelope,
});
const issues = (change: object = {}, envelope: object = {}) => issuesOf(MeasuredEvent, event(change, envelope));
const interval = (from: string, to: string) => ({ from: `2026-03-01T${from}Z`, to: `2026-03-01T${to}Z` });

test('room.client.spoke is accepted, with its times in UTC and milliseconds', () => {
  expect(taken(MeasuredEvent, event()).data).toEqual({
    ...required,
    intervals: [{ from: '2026-03-01T09:00:00.250Z', to: '2026-03-01T09:00:07.500Z' }],
  });
});

test.each(Object.keys(required))('room.client.spoke is rejected without %s', (field) => {
  expect(issues({ [field]: undefined })).toEqual([`data.${field}: is required`]);
  expect(issues({ [field]: null })).toHaveLength(1);
});

test.each(['room.client.joined', '', null, undefined])('the queue rejects the type %j', (type) => {
  expect(issues({}, { type })).toEqual([
    'type: must be an event type that this queue accepts: room.client.sampled, room.client.spoke',
  ]);
});

describe('the intervals', () => {
  const same = interval('09:00:00', '09:00:01');

  test('are from 1 to 1,000', () => {
    const message = 'data.intervals: must have 1 to 1000 elements';
    expect(issues({ intervals: [] })).toEqual([message]);
    expect(issues({ intervals: Array(1000).fill(same) })).toEqual([]);
    expect(issues({ intervals: Array(1001).fill(same) })).toEqual([message]);
  });

  test('come in any order, and may overlap', () => {
    const intervals = [interval('09:10:00', '09:20:00'), interval('09:00:00', '09:15:00')];
    expect(taken(ClientSpoke, event({ intervals })).data.intervals).toHaveLength(2);
  });

  test('end at their start or later', () => {
    expect(issues({ intervals: [interval('09:00:00', '09:00:00')] })).toEqual([]);
    expect(issues({ intervals: [same, interval('09:00:00.001', '09:00:00')] })).toEqual([
      'data.intervals.1.to: must not be before from',
    ]);
    const byOffset = { from: '2026-03-01T09:00:00Z', to: '2026-03-01T09:30:00+01:00' };
    expect(issues({ intervals: [byOffset] })).toEqual(['data.intervals.0.to: must not be before from']);
  });

  test('span at most 24 hours together', () => {
    const next = (time: string) => ({ from: `2026-03-02T${time}Z`, to: `2026-03-02T${time}Z` });
    const message = 'data.intervals: must not span more than 24 hours';
    expect(issues({ intervals: [next('09:00:00'), same] })).toEqual([]);
    expect(issues({ intervals: [next('09:00:00.001'), same] })).toEqual([message]);
    expect(issues({ intervals: [{ from: same.from, to: next('09:00:00.001').to }] })).toEqual([message]);
  });

  test.each([[7], [null], [{}], [{ from: same.from }], [{ ...same, to: '2026-02-30T09:00:00Z' }], [['a', 'b']]])(
    'are never %j',
    (wrong) => {
      const [issue] = issues({ intervals: [wrong] });
      expect(issue).toMatch(/^data\.intervals\.0/);
      expect(issue).not.toContain('Invalid');
    },
  );
});
