import { describe, expect, test } from 'vitest';
import { sampleSeries } from '#shared/contracts/insights/insights.ts';
import { ClientSampled } from '#shared/contracts/insights/network-samples.ts';
import { issuesOf, taken } from '../../../support/issues.ts';
import { uuid } from '../../../support/operations/records.ts';

const seriesOf = (values: unknown) => Object.fromEntries(sampleSeries.map((name) => [name, values]));
const required: Readonly<Record<string, unknown>> = {
  roomSessionId: uuid(3),
  participantId: 'ann',
  startedAt: '2026-03-01T10:00:00+01:00',
  sampleRateMs: 2000,
  ...seriesOf([0, 0.5, null]),
};
const event = (change: object = {}, envelope: object = {}) => ({
  id: 'event-1',
  type: 'room.client.sampled',
  organizationId: 'acme',
  createdAt: '2026-03-01T09:01:00Z',
  data: { ...required, ...change },
  ...envelope,
});
const issues = (change: object = {}, envelope: object = {}) => issuesOf(ClientSampled, event(change, envelope));

test('ClientSampled accepts samples unchanged and converts times to UTC', () => {
  expect(taken(ClientSampled, event())).toEqual(
    event({ startedAt: '2026-03-01T09:00:00.000Z' }, { createdAt: '2026-03-01T09:01:00.000Z' }),
  );
});

test.each(Object.keys(required))('ClientSampled rejects data without %s', (field) => {
  expect(issues({ [field]: undefined })).toEqual([`data.${field}: is required`]);
  expect(issues({ [field]: null })).toHaveLength(1);
});

test.each(['id', 'organizationId', 'createdAt', 'data'])('ClientSampled rejects an envelope without %s', (field) => {
  expect(issues({}, { [field]: undefined })).toEqual([`${field}: is required`]);
});

test.each(['room.client.joined', 'recording.finished', '', null, undefined])(
  'ClientSampled rejects the type %j',
  (type) => {
    expect(issues({}, { type })[0]).toMatch(/^type: /);
  },
);

test('ClientSampled accepts version 1 or no version, and rejects other versions', () => {
  expect(issues({}, { version: 1 })).toEqual([]);
  for (const version of [0, 2, '1', null]) {
    expect(issues({}, { version })).toEqual(['version: must be 1: the event format has no other version']);
  }
});

test('ClientSampled accepts unknown fields and drops them', () => {
  expect(taken(ClientSampled, event({ jitter: [1] }, { trace: 'x' }))).toEqual(taken(ClientSampled, event()));
});

test.each([
  [{ roomSessionId: 'x' }, 'data.roomSessionId: must be a UUID'],
  [{ participantId: '' }, 'data.participantId: must not be empty'],
  [{ participantId: 'a'.repeat(257) }, 'data.participantId: must be at most 256 bytes of UTF-8'],
  [{ startedAt: '2026-03-01T10:00:00' }, expect.stringMatching(/^data\.startedAt: must be an ISO 8601/)],
  [{ startedAt: '2026-02-29T10:00:00Z' }, expect.stringMatching(/^data\.startedAt: must be a date and time/)],
])('ClientSampled rejects data with %j', (change, issue) => {
  expect(issues(change)[0]).toEqual(issue);
});

describe('sampleRateMs', () => {
  test.each([100, 101, 2000, 3_600_000])('accepts %d', (sampleRateMs) => {
    expect(issues({ sampleRateMs })).toEqual([]);
  });

  test.each([0, -2000, 99, 3_600_001, 2000.5, '2000', Number.NaN, Number.POSITIVE_INFINITY])(
    'rejects %j',
    (sampleRateMs) => {
      expect(issues({ sampleRateMs })[0]).toMatch(/^data\.sampleRateMs: must be /);
    },
  );
});

describe.each(sampleSeries)('the series %s', (name) => {
  test.each([0, 0.001, 1e12, null])('accepts the value %j', (value) => {
    expect(issues({ [name]: [value, value, value] })).toEqual([]);
  });

  test.each([-0.001, -1, 1e12 + 1, '7', true, [1], Number.NaN, Number.POSITIVE_INFINITY])(
    'rejects the value %j',
    (value) => {
      expect(issues({ [name]: [1, value, 1] })[0]).toMatch(new RegExp(`^data\\.${name}\\.1: `));
    },
  );

  test.each([[[]], ['1,2,3'], [7], [{ 0: 1 }]])('rejects the series %j', (series) => {
    expect(issues({ [name]: series })[0]).toMatch(new RegExp(`^data\\.${name}: `));
  });

  test('must be as long as the other series', () => {
    for (const values of [
      [1, 2],
      [1, 2, 3, 4],
    ]) {
      expect(issues({ [name]: values })).toEqual([
        `data.packetLossSend: must be as long as the other series (${sampleSeries.join(', ')})`,
      ]);
    }
  });
});

test('ClientSampled accepts at most 43,200 values in a series, a day with one value every two seconds', () => {
  expect(issues(seriesOf(Array(43_200).fill(1)))).toEqual([]);
  expect(issues(seriesOf(Array(43_201).fill(1)))).toHaveLength(sampleSeries.length);
});

test('every issue names the field and the rule, because operators read them in the log', () => {
  const wrong = [
    undefined,
    null,
    7,
    -1,
    1.5,
    1e13,
    true,
    '',
    'x'.repeat(300),
    '\ud800',
    [],
    [-1],
    [''],
    Array(43_201),
    {},
  ];
  for (const field of Object.keys(required)) {
    for (const value of wrong) expect(issues({ [field]: value }).join(), field).not.toContain('Invalid');
  }
  for (const field of ['id', 'type', 'organizationId', 'createdAt', 'data', 'version']) {
    for (const value of wrong) expect(issues({}, { [field]: value }).join(), field).not.toContain('Invalid');
  }
});
