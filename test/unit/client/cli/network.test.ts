import { createColors } from 'picocolors';
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { networkCharts } from '#client/cli/output/network.ts';
import type { Screen } from '#client/cli/output/screen.ts';
import type { ParticipantSessionDetail } from '#client/types.ts';

type Values = (number | null)[];

const pipe: Screen = { columns: undefined, colors: createColors(false) };
const start = '2026-03-02T10:00:00.000Z';

/** A connection with the given packet loss when sending. The other series are constant. */
function detail(packetLossSend: Values, facts: Partial<ParticipantSessionDetail> = {}): ParticipantSessionDetail {
  const constant = (value: number) => packetLossSend.map(() => value);
  return {
    ...{
      displayName: 'Ada',
      userRole: 'host',
      userAgent: '',
      timeStamp: start,
      samplesFrom: start,
      sampleRateMs: 2000,
    },
    samples: {
      packetLossSend,
      packetLossRecv: constant(0),
      bitrateSend: constant(1_245_000),
      bitrateRecv: constant(2e6),
    },
    events: [{ type: 'joined', timeStamp: start }],
    ...facts,
  };
}

function lines(of: ParticipantSessionDetail, screen = pipe): string[] {
  return networkCharts(of, screen).split('\n');
}

/** The bars of the first chart, from top to bottom. */
function firstBars(of: ParticipantSessionDetail): string[] {
  const all = lines(of);
  const heading = all.findIndex((line) => line.startsWith('Packet loss sent'));
  return all.slice(heading + 1, heading + 5).map((line) => line.slice(7));
}

const times = (count: number, value: (index: number) => number | null): Values =>
  Array.from({ length: count }, (_, index) => value(index));

it('network draws four series one below the other, each with its figures', () => {
  const headings = lines(detail([0, 4, null, 2])).filter((line) => /^(Packet|Bitrate)/.test(line));
  expect(headings).toEqual([
    'Packet loss sent      min 0  mean 2  max 4  missing 25%',
    'Packet loss received  min 0  mean 0  max 0',
    'Bitrate sent          min 1.25M  mean 1.25M  max 1.25M',
    'Bitrate received      min 2M  mean 2M  max 2M',
  ]);
});

it('network names the participant and the time range', () => {
  expect(lines(detail([1, 1], { samplesFrom: '2026-03-02T10:30:00.000Z' })).slice(0, 3)).toEqual([
    'Ada (host)',
    'Joined 2026-03-02 10:00:00 UTC',
    'Samples from 2026-03-02 10:30:00 to 2026-03-02 10:30:04 UTC',
  ]);
});

it('network shows the events of the connection in their order', () => {
  const events = [
    { type: 'rated' as const, timeStamp: '2026-03-02T09:59:59.900Z' },
    { type: 'joined' as const, timeStamp: start },
    { type: 'left' as const, timeStamp: '2026-03-02T10:31:00.000Z' },
  ];
  expect(lines(detail([1], { events, userAgent: 'Browser/1' })).slice(0, 5)).toEqual([
    'Ada (host)',
    'Rated 2026-03-02 09:59:59 UTC',
    'Joined 2026-03-02 10:00:00 UTC',
    'Left 2026-03-02 10:31:00 UTC',
    'Browser/1',
  ]);
});

it('network shows the join alone if the answer of an older deployment has no events', () => {
  const { events, ...older } = detail([1]);
  expect(lines(older as ParticipantSessionDetail).slice(0, 3)).toEqual([
    'Ada (host)',
    'Joined 2026-03-02 10:00:00 UTC',
    'Samples from 2026-03-02 10:00:00 to 2026-03-02 10:00:02 UTC',
  ]);
});

it.each([
  ['muted', 'Muted 2026-03-02 10:00:00 UTC'],
  ['\u001b[31mred', '\ufffd[31mred 2026-03-02 10:00:00 UTC'],
])('network shows an event of the unknown type %j', (type, line) => {
  const events = [{ type, timeStamp: start }] as unknown as ParticipantSessionDetail['events'];
  expect(lines(detail([1], { events }))[1]).toBe(line);
});

it('a network chart leaves a gap blank, and draws zero as the lowest bar', () => {
  const [top, , , bottom] = firstBars(detail([0, null, 4, 0]));
  expect(bottom).toMatch(/^▁{18,19}\s{18}█{18}▁{18}$/);
  expect(top).toMatch(/^\s{36,37}█{18}$/);
});

it('a network chart shows a single lost packet in a long series', () => {
  const [top] = firstBars(detail(times(43_200, (index) => (index === 30_000 ? 50 : 0))));
  expect(top?.trim()).toBe('█');
});

it('a network chart draws the mean of a bitrate', () => {
  const bitrateSend = times(7200, (index) => (index % 2 === 0 ? 0 : 1000));
  const { samples } = detail(bitrateSend);
  const text = networkCharts(detail(bitrateSend, { samples: { ...samples, bitrateSend } }), pipe);
  expect(text).toMatch(/\n {3}500┤█{72}\n/);
});

it('a network chart labels its axes with numbers and times', () => {
  const text = networkCharts(detail(times(900, (index) => index % 18)), pipe);
  expect(text).toContain('\n    20┤');
  expect(text).toContain('\n  1.5M┤');
  expect(text).toMatch(/ 10:05 +10:10 +10:15 +10:20 +10:25\n/);
  expect(text).toContain('A column shows 25 s');
});

it.each<[string, Values, Partial<ParticipantSessionDetail>?]>([
  ['all zero', times(500, () => 0)],
  ['one sample', [0.4]],
  ['one short sample', [3], { sampleRateMs: 100 }],
  ['huge numbers', times(90, () => 1e12)],
  ['tiny numbers', times(90, (index) => index * 1.234e-9)],
  ['a day', times(43_200, (index) => index)],
  ['half a year in hours', times(4400, (index) => index), { sampleRateMs: 3_600_000 }],
  ['gaps at both ends', [null, ...times(50, () => 5), null]],
  ['names of any kind', [1], { displayName: '日本語\u001b[31m'.repeat(30), userRole: '\nhost' }],
])('a network chart fits its screen with %s', (_, values, facts) => {
  for (const columns of [undefined, 40, 80, 132]) {
    const all = lines(detail(values, facts), { ...pipe, columns });
    for (const line of all) expect(stringWidth(line)).toBeLessThanOrEqual(columns ?? 80);
    expect(all.filter((line) => line.includes('└'))).toHaveLength(4);
    expect(all.join('')).not.toContain('\u001b');
    expect(all.join('')).not.toMatch(/NaN|undefined|Infinity/);
  }
});

it('network draws no chart of a series without measurements', () => {
  const text = networkCharts(detail([null, null]), pipe);
  expect(text).toContain('Packet loss sent      no samples\n\nPacket loss received  min 0');
});

it.each([
  [1, 1000, '<1%'],
  [999, 1000, '99%'],
  [1, 3, '33%'],
])('network reports %i of %i missing samples as %s', (missing, count, share) => {
  const values = times(count, (index) => (index < missing ? null : 1));
  expect(networkCharts(detail(values), pipe)).toContain(`missing ${share}`);
});

it('network states that there are no samples', () => {
  const samples = { packetLossSend: [], packetLossRecv: [], bitrateSend: [], bitrateRecv: [] };
  expect(lines(detail([], { samples }))).toEqual([
    'Ada (host)',
    'Joined 2026-03-02 10:00:00 UTC',
    'No network samples.',
  ]);
});
