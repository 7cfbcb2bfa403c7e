import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, issuePaths } from '../../support/http/checked-api.ts';
import { at, insightsOf, pagesOf, pathOf, type Query, sessionOf, tellerOf } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

/** A new organization with one session. `tell` also waits until each answer is that of an independent recount. */
function oneSession() {
  const acme = organization();
  const session = sessionOf(acme);
  const { roomSessionId } = session;
  const network = (query: Query = {}) => insightsOf(acme).network({ roomSessionId, ...query });
  const minutes = async (query: Query = {}) => (await network(query)).results.map(({ minute }) => minute);
  return { acme, session, tell: tellerOf(acme), network, minutes };
}

describe.concurrent('the network of a session', () => {
  it('has each participant once in a minute, whatever the number of blocks and connections', async () => {
    const { session, tell, network } = oneSession();
    const { joined, left, sampled } = session;

    await tell(joined('p-1', '09:00'), left('p-1', '09:00:40'), joined('p-1', '09:00:45'), joined('p-2', '09:00'));
    await tell(sampled('p-1', '09:00:10', [1, 2, null]), sampled('p-1', '09:00:50', [3, 4, 5, 6, 7, 8]));
    await tell(sampled('p-2', '09:00:20', [10, null]));

    const loss = (median: number, max: number) => ({ median, p95: max, max });
    expect(await network()).toEqual({
      results: [
        {
          ...{ minute: at('09:00'), participants: 2, samples: 8, badParticipants: 1 },
          ...{ packetLossSend: loss(4, 10), packetLossRecv: loss(4, 10) },
          ...{ bitrateSend: { median: 4, p5: 4 }, bitrateRecv: { median: 4, p5: 4 } },
        },
        {
          ...{ minute: at('09:01'), participants: 1, samples: 1, badParticipants: 1 },
          ...{ packetLossSend: loss(8, 8), packetLossRecv: loss(8, 8) },
          ...{ bitrateSend: { median: 8, p5: 8 }, bitrateRecv: { median: 8, p5: 8 } },
        },
      ],
      cursor: null,
    });
  });

  it('has late and repeated samples, and those of recorders and of people who never joined', async () => {
    const { session, tell, network } = oneSession();
    const { joined, sampled } = session;
    const first = sampled('p-1', '09:05', [2]);

    await tell(joined('bot', '09:00', { roleName: 'recorder' }), first, sampled('bot', '09:05', [4]));
    await tell(first, sampled('nobody', '09:05:30', [6]), sampled('p-1', '08:00', [1]));

    expect((await network()).results).toMatchObject([
      { minute: at('08:00'), participants: 1, samples: 1 },
      { minute: at('09:05'), participants: 3, samples: 3, packetLossSend: { median: 4, max: 6 }, badParticipants: 1 },
    ]);
  });

  it('has the minutes that begin in the range, also of blocks that begin up to an hour earlier', async () => {
    const { session, tell, minutes } = oneSession();
    const { joined, sampled } = session;
    const hourly = Array.from({ length: 60 }, (_, minute) => minute);

    await tell(joined('p-1', '09:00'), sampled('p-1', '09:00:30', hourly, { sampleRateMs: 60_000 }));
    await tell(sampled('p-2', '09:58:45', [1, 2, 3], { sampleRateMs: 30_000 }));

    expect(await minutes({ from: at('09:58'), to: at('10:00') })).toEqual([at('09:58'), at('09:59')]);
    expect(await minutes({ from: at('09:58:00.001') })).toEqual([at('09:59')]);
    expect(await minutes({ to: at('09:01:00.001') })).toEqual([at('09:00'), at('09:01')]);
    expect(await minutes({ from: at('09:30:01'), to: at('09:30:59') })).toEqual([]);
    expect(await minutes({ from: at('11:00') })).toEqual([]);
    expect((await minutes()).length).toBe(60);
  });

  it('has figures of CSV in columns of their own', async () => {
    const { acme, session, tell } = oneSession();
    await tell(session.joined('p-1', '09:00'), session.sampled('p-1', '09:00', [1, 2]));

    const path = pathOf('network', { roomSessionId: session.roomSessionId });
    const { text } = await clientOf(acme)('GET', path, { headers: { accept: 'text/csv' } });

    expect(text).toBe(
      'minute,participants,samples,packetLossSend.median,packetLossSend.p95,packetLossSend.max,' +
        'packetLossRecv.median,packetLossRecv.p95,packetLossRecv.max,bitrateSend.median,bitrateSend.p5,' +
        'bitrateRecv.median,bitrateRecv.p5,badParticipants\r\n' +
        `${at('09:00')},1,2,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,1.5,0\r\n`,
    );
  });
});

describe('the network of a session of more than a day', () => {
  const acme = organization();
  const session = sessionOf(acme);
  const { roomSessionId } = session;
  const read = (query: Query = {}) => insightsOf(acme).network({ roomSessionId, ...query });
  beforeAll(async () => {
    const minutely = { sampleRateMs: 60_000 };
    const samples = (length: number) => Array.from({ length }, (_, minute) => minute % 10);
    const people = ['p-1', 'p-2', 'p-3'];
    await tellerOf(acme)(
      ...people.map((who) => session.joined(who, '09:00')),
      ...people.map((who) => session.sampled(who, '09:00', samples(1440), minutely)),
      session.sampled('p-1', '2026-03-03T09:00:00.000Z', samples(60), minutely),
    );
  });

  it('has at most 1 440 minutes on a page, and whole ones on the next', async () => {
    const pages = await pagesOf(read);

    expect(pages.map(({ results }) => results.length)).toEqual([1440, 60]);
    const all = pages.flatMap(({ results }) => results);
    expect(all.map(({ minute }) => Date.parse(minute))).toEqual(
      all.map((_, index) => Date.parse(at('09:00')) + index * 60_000),
    );
    expect(all.map(({ participants }) => participants)).toEqual(all.map((_, index) => (index < 1440 ? 3 : 1)));
  });

  it('refuses the cursor of another range or session', async () => {
    const { cursor } = await read();
    const refusalOf = async (query: Query) =>
      issuePaths(await clientOf(acme)('GET', pathOf('network', { roomSessionId, cursor: cursor ?? '', ...query })));

    expect(cursor).not.toBeNull();
    expect(await refusalOf({ from: at('09:00') })).toEqual(['cursor']);
    expect(await refusalOf({ roomSessionId: randomUUID() })).toEqual(['cursor']);
    expect(await refusalOf({ cursor: 'x' })).toEqual(['cursor']);
  });
});
