import { beforeAll, describe, expect, it } from 'vitest';
import type { ParticipantSessionDetail } from '#shared/contracts/insights/insights.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, codeOf, issuePaths } from '../../support/http/checked-api.ts';
import {
  insightsOf,
  pathOf,
  paths,
  type Query,
  send,
  seriesOf,
  sessionOf,
  tellerOf,
} from '../../support/insights/insights.ts';
import { api, logOf, organization } from '../../support/machine.ts';

const joinedAt = Date.parse('2026-03-02T00:00:00.000Z');
const time = (ms: number) => new Date(joinedAt + ms).toISOString();
const [minuteMs, hourMs] = [60_000, 3_600_000];

/** The answer to a client that accepts gzip, which `fetch` does by default. */
const compressed = (acme: string, query: Query) =>
  api(acme)<ParticipantSessionDetail[]>('GET', paths.participant, { query: query as Record<string, string> });

describe('a participant with 24 hours of samples, one every 2 seconds', () => {
  const acme = organization();
  const session = sessionOf(acme);
  const query = { roomSessionId: session.roomSessionId, participantId: 'p-1' };
  const samplesPerMinute = 30;
  const minutes = Array.from({ length: 24 * 60 }, (_, minute) => {
    const first = minute * samplesPerMinute;
    const each = (valueAt: (sample: number) => number | null) =>
      Array.from({ length: samplesPerMinute }, (_, sample) => valueAt(first + sample));
    return {
      packetLossSend: each((sample) => (sample % 997) / 10),
      packetLossRecv: each((sample) => (sample % 11 === 0 ? null : 0)),
      bitrateSend: each((sample) => 1_000_000 + sample),
      bitrateRecv: each((sample) => 2_000_000 - sample),
    };
  });
  const expected = (from = 0, to = minutes.length) => {
    const all = (name: keyof (typeof minutes)[number]) => minutes.slice(from, to).flatMap((minute) => minute[name]);
    return {
      packetLossSend: all('packetLossSend'),
      packetLossRecv: all('packetLossRecv'),
      bitrateSend: all('bitrateSend'),
      bitrateRecv: all('bitrateRecv'),
    };
  };

  beforeAll(async () => {
    const events = minutes.map((series, minute) => session.sampled('p-1', time(minute * minuteMs), [], series));
    await send(session.joined('p-1', time(0)), ...events);
    await eventually(async () => {
      const lines = (await logOf('record-network-samples')).split('\n');
      const done = lines.filter((line) => line.includes(session.roomSessionId) && line.includes('"message done"'));
      expect(done.length).toBeGreaterThanOrEqual(minutes.length);
      expect(await insightsOf(acme).participant({ ...query, to: time(1) })).toHaveLength(1);
    }, 50_000);
  });

  it('is returned completely without compression', async () => {
    const answer = await clientOf(acme)('GET', pathOf('participant', query));

    expect(answer.headers['content-encoding']).toBeUndefined();
    const [detail] = JSON.parse(answer.text) as ParticipantSessionDetail[];
    expect(detail?.sampleRateMs).toBe(2000);
    expect(detail?.samples).toEqual(expected());
  });

  it('is returned completely with gzip if the client accepts it', async () => {
    const { headers, body } = await compressed(acme, query);

    const { 'content-encoding': encoding, vary, 'cache-control': caching } = Object.fromEntries(headers);
    expect([encoding, vary, caching]).toEqual(['gzip', 'accept, accept-encoding', 'no-store']);
    expect(body).toMatchObject([{ sampleRateMs: 2000, timeStamp: time(0), samplesFrom: time(0) }]);
    expect(body[0]?.samples).toEqual(expected());
  });

  it.each([
    [0, 60],
    [61, 62],
    [600, 1380],
    [1439, 1440],
  ])('is returned in part, from minute %i to %i', async (from, to) => {
    const range = { from: time(from * minuteMs), to: time(to * minuteMs) };

    const [detail] = await insightsOf(acme).participant({ ...query, ...range });

    expect(detail?.samplesFrom).toBe(range.from);
    expect(detail?.samples).toEqual(expected(from, to));
  });

  it('is complete if it is read hour by hour', async () => {
    const hours = Array.from({ length: 24 }, (_, hour) => ({
      from: time(hour * hourMs),
      to: time((hour + 1) * hourMs),
    }));

    const parts = await Promise.all(hours.map((range) => insightsOf(acme).participant({ ...query, ...range })));

    const joined = (name: keyof ParticipantSessionDetail['samples']) =>
      parts.flatMap(([detail]) => detail?.samples[name]);
    const { packetLossSend, bitrateRecv } = expected();
    expect([joined('packetLossSend'), joined('bitrateRecv')]).toEqual([packetLossSend, bitrateRecv]);
  });
});

describe.concurrent('an answer that is too large', () => {
  /**
   * A participant who joined at midnight, with one sample this many hours later, at ten samples a second. The rest are
   * gaps.
   */
  async function measuredAfter(hours: number) {
    const acme = organization();
    const session = sessionOf(acme);
    const measuredAt = time(hours * hourMs);
    const sampled = session.sampled('p-1', measuredAt, [], { ...seriesOf([7]), sampleRateMs: 100 });
    await send(session.joined('p-1', time(0)), sampled);
    const query = { roomSessionId: session.roomSessionId, participantId: 'p-1' };
    const narrowed = { ...query, from: measuredAt };
    await eventually(async () => {
      const [detail] = await insightsOf(acme).participant(narrowed);
      expect(detail).toMatchObject({ samplesFrom: measuredAt, samples: seriesOf([7]) });
    });
    return { acme, query };
  }

  it('for Lambda is rejected without gzip, with an error that names from and to, and returned with gzip', async () => {
    const { acme, query } = await measuredAfter(20);

    const refused = await clientOf(acme)('GET', pathOf('participant', query));
    expect([refused.status, codeOf(refused), issuePaths(refused)]).toEqual([400, 'invalid_request', ['from', 'to']]);
    expect(refused.text).toMatch(/at most 6 MB can be returned, or accept gzip/);

    const { status, headers, body } = await compressed(acme, query);
    expect([status, headers.get('content-encoding')]).toEqual([200, 'gzip']);
    const { length } = body[0]?.samples.packetLossSend ?? [];
    expect([length, body[0]?.samples.bitrateRecv.at(-1)]).toEqual([720_001, 7]);
    const part = { ...query, from: time(19 * hourMs), to: time(21 * hourMs) };
    expect((await insightsOf(acme).participant(part))[0]?.samples.bitrateSend).toHaveLength(36_001);
  });

  it('even with gzip is rejected, and returned in parts', async () => {
    const { acme, query } = await measuredAfter(25);

    for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
      const refused = await clientOf(acme)('GET', pathOf('participant', query), { headers });
      expect([refused.status, issuePaths(refused)]).toEqual([400, ['from', 'to']]);
    }
    const { body } = await compressed(acme, { ...query, from: time(2 * hourMs) });
    expect(body[0]?.samples.bitrateSend).toHaveLength(828_001);
  });
});

it('without gzip, with a page of long ratings, is rejected with an error that names limit', async () => {
  const acme = organization();
  const session = sessionOf(acme);
  const longest = '\u0001'.repeat(5000); // the longest character in JSON
  const said = { comment: longest, tags: Array(50).fill(longest.slice(0, 100)) };
  const ids = Array.from({ length: 90 }, (_, index) => `p-${String(index).padStart(2, '0')}`);
  await tellerOf(acme)(...ids.flatMap((id) => [session.joined(id, '09:00'), session.rated(id, '09:01', 3, said)]));
  const query = { roomSessionId: session.roomSessionId, limit: 100 };

  const refused = await clientOf(acme)('GET', pathOf('participants', query));
  expect([refused.status, issuePaths(refused)]).toEqual([400, ['limit']]);

  const { body } = await api(acme)<{ results: object[] }>('GET', paths.participants, { query });
  expect(body.results).toMatchObject(ids.map((participantId) => ({ participantId, ...said })));
  const half = await insightsOf(acme).participants({ ...query, limit: 50 });
  expect(half.results).toEqual(body.results.slice(0, 50));
});

describe('compression', () => {
  const acme = organization();
  const rooms = Array.from({ length: 10 }, (_, index) => sessionOf(acme, { roomName: `/${index}` }).created('09:00'));
  beforeAll(() => tellerOf(acme)(...rooms));

  it('applies to answers of at least a kilobyte if the client accepts gzip', async () => {
    const encodingOf = async (limit: number, acceptEncoding: string) => {
      const headers = { 'accept-encoding': acceptEncoding };
      const answer = await api(acme)('GET', paths.rooms, { query: { limit }, headers });
      expect(answer.body).toMatchObject({ results: { length: limit } });
      return answer.headers.get('content-encoding');
    };

    expect(await encodingOf(10, 'gzip')).toBe('gzip');
    expect(await encodingOf(10, 'br, gzip;q=0.5')).toBe('gzip');
    expect(await encodingOf(10, 'identity')).toBeNull();
    expect(await encodingOf(10, 'gzip;q=0')).toBeNull();
    expect(await encodingOf(10, 'br')).toBeNull();
    expect(await encodingOf(1, 'gzip')).toBeNull();
  });
});
