import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { at, insightsOf, type Query, send, seriesOf, sessionOf, tellerOf } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

/** A new organization with one session, and the connections of its participant `p-1`. */
function oneParticipant() {
  const acme = organization();
  const session = sessionOf(acme);
  const { roomSessionId } = session;
  const detail = (query: Query = {}) => insightsOf(acme).participant({ roomSessionId, participantId: 'p-1', ...query });
  return { acme, session, tell: tellerOf(acme), detail };
}

/** An element of the answer without the fields of the person. */
const series = (time: string, values: readonly (number | null)[], samplesFrom = time) => ({
  ...{ timeStamp: at(time), samplesFrom: at(samplesFrom), sampleRateMs: 2000, samples: seriesOf(values) },
});

describe.concurrent('the series of a connection', () => {
  it('have null where a sample is missing, and end with the last sample', async () => {
    const { session, tell, detail } = oneParticipant();

    await tell(session.joined('p-1', '09:00'), session.sampled('p-1', '09:00:04', [1, null, 3]));
    await tell(session.sampled('p-1', '09:00:14', [8]));

    expect(await detail()).toMatchObject([series('09:00', [null, null, 1, null, 3, null, null, 8])]);
  });

  it('are four with separate values', async () => {
    const { session, tell, detail } = oneParticipant();
    const samples = {
      packetLossSend: [0, 0.25],
      packetLossRecv: [1e-9, 100],
      bitrateSend: [null, 1_245_000],
      bitrateRecv: [1e12, null],
    };

    await tell(session.joined('p-1', '09:00'), session.sampled('p-1', '09:00', [], samples));

    expect(await detail()).toMatchObject([{ samples, sampleRateMs: 2000 }]);
  });

  it('that arrive before the join stay hidden until the join, and create no participant and no session', async () => {
    const { acme, session, tell, detail } = oneParticipant();
    const { roomName, roomSessionId } = session;
    const other = sessionOf(acme);

    await tell(
      session.sampled('p-1', '09:00', [1, 2]),
      other.joined('p-1', '09:00'),
      other.sampled('p-1', '09:00', [7]),
    );
    expect(await detail()).toEqual([]);
    expect((await insightsOf(acme).participants({ roomSessionId })).results).toEqual([]);
    expect((await insightsOf(acme).roomSessions({ roomName, roomSessionId })).results).toEqual([]);
    await tell(session.joined('p-1', '09:00'));

    expect(await detail()).toMatchObject([series('09:00', [1, 2])]);
  });

  it('assign samples with clock jitter to the intended interval', async () => {
    const { session, tell, detail } = oneParticipant();

    await tell(session.joined('p-1', '09:00:00.500'));
    await tell(session.sampled('p-1', '09:00:00.400', [1]), session.sampled('p-1', '09:00:02.301', [2]));
    await tell(session.sampled('p-1', '09:00:06.400', [3]));

    expect(await detail()).toMatchObject([series('09:00:00.500', [1, 2, null, 3])]);
  });

  it('have the smallest of several sample rates, and the later block overrides the earlier one', async () => {
    const { session, tell, detail } = oneParticipant();
    const slow = { sampleRateMs: 4000 };

    await tell(session.joined('p-1', '09:00'), session.sampled('p-1', '09:00:06', [7, 8]));
    await tell(session.sampled('p-1', '09:00', [1, 2, 3], slow), session.sampled('p-1', '09:00:08', [null]));

    expect(await detail()).toMatchObject([series('09:00', [1, null, 2, 7, null])]);
  });
});

describe.concurrent('the connections of a participant', () => {
  it('are in the order of joining, each with its own samples and the facts of its join', async () => {
    const { session, tell, detail } = oneParticipant();
    const { joined, left, sampled } = session;

    await tell(
      sampled('p-1', '09:10', [5, 6]),
      joined('p-1', '09:10', { displayName: 'Ada (again)', userAgent: 'B/2' }),
    );
    await tell(joined('p-1', '09:00', { displayName: 'Ada', userAgent: 'A/1' }), left('p-1', '09:01'));
    await tell(sampled('p-1', '09:00:02', [1]), joined('p-1', '09:20', { displayName: '', roleName: 'recorder' }));
    await tell(sampled('p-1', '09:20', [9]), sampled('p-1', '09:09:54.999', [2]));

    const lastOfFirst = Array.from({ length: 298 }, (_, index) => ({ 1: 1, 297: 2 })[index] ?? null);
    expect(await detail()).toMatchObject([
      { displayName: 'Ada', userRole: 'guest', userAgent: 'A/1', ...series('09:00', lastOfFirst) },
      { displayName: 'Ada (again)', userRole: 'guest', userAgent: 'B/2', ...series('09:10', [5, 6]) },
      { displayName: '', userRole: 'recorder', userAgent: '', ...series('09:20', [9]) },
    ]);
  });

  it('have their own events and ratings, those that arrive late too, and never those that were taken back', async () => {
    const { session, tell, detail } = oneParticipant();
    const { joined, left, rated, retracted } = session;
    const wrong = left('p-1', '09:04');
    const event = (type: 'joined' | 'left' | 'rated', time: string) => ({ type, timeStamp: at(time) });

    await tell(rated('p-1', '09:30', 5), retracted(wrong), left('p-1', '09:05'), session.ended('10:00'));
    expect(await detail()).toEqual([]);
    await tell(joined('p-1', '09:20'), joined('p-1', '09:00'));
    await tell(wrong, rated('p-1', '09:06', 4), rated('p-2', '09:06', 1), rated('p-1', '09:30', 5));

    const events = [
      { events: [event('joined', '09:00'), event('left', '09:05'), event('rated', '09:06')] },
      { events: [event('joined', '09:20'), event('rated', '09:30'), event('rated', '09:30')] },
    ];
    expect(await detail()).toMatchObject(events);
    expect(await detail({ from: at('09:05'), to: at('09:06') })).toMatchObject(events);
  });

  it('without samples have no rate and four empty series', async () => {
    const { session, tell, detail } = oneParticipant();

    await tell(session.joined('p-1', '09:00'));

    expect(await detail()).toMatchObject([{ sampleRateMs: 2000, samples: seriesOf([]), samplesFrom: at('09:00') }]);
    expect(await detail({ from: at('10:00') })).toMatchObject([{ sampleRateMs: 2000, samples: seriesOf([]) }]);
  });
});

describe('the parameters from and to', () => {
  it('limit the samples and keep the connections', async () => {
    const { session, tell, detail } = oneParticipant();
    await tell(session.joined('p-1', '09:00:00.500'), session.joined('p-1', '10:00'));
    await tell(session.sampled('p-1', '09:00:00.500', [1, 2, 3, 4, 5]), session.sampled('p-1', '10:00', [6, 7]));
    const first = (values: number[], from: string) => series('09:00:00.500', values, from);
    const second = (values: number[], from = '10:00') => series('10:00', values, from);
    const nothing = { sampleRateMs: 2000, samples: seriesOf([]) };

    const ask = async (from?: string, to?: string) => detail({ from: from && at(from), to: to && at(to) });
    expect(await ask()).toMatchObject([first([1, 2, 3, 4, 5], '09:00:00.500'), second([6, 7])]);
    expect(await ask('08:00', '11:00')).toMatchObject([first([1, 2, 3, 4, 5], '09:00:00.500'), second([6, 7])]);
    expect(await ask('09:00:02')).toMatchObject([first([2, 3, 4, 5], '09:00:02.500'), second([6, 7])]);
    expect(await ask('09:00:02.500')).toMatchObject([first([2, 3, 4, 5], '09:00:02.500'), second([6, 7])]);
    expect(await ask('09:00:02.501')).toMatchObject([first([3, 4, 5], '09:00:04.500'), second([6, 7])]);
    expect(await ask('09:00:02.500', '09:00:06.500')).toMatchObject([first([2, 3], '09:00:02.500'), nothing]);
    expect(await ask(undefined, '09:00:06.501')).toMatchObject([first([1, 2, 3, 4], '09:00:00.500'), nothing]);
    expect(await ask('09:00:03', '09:00:04')).toMatchObject([first([], '09:00:04.500'), nothing]);
    expect(await ask('09:59', '10:00:01')).toMatchObject([{ samples: seriesOf([]) }, second([6])]);
    expect(await ask('12:00')).toMatchObject([nothing, nothing]);
  });

  it('find the samples of one minute in an event of several hours', async () => {
    const { session, detail } = oneParticipant();
    const values = Array.from({ length: 5400 }, (_, index) => index); // three hours
    await send(session.joined('p-1', '09:00'), session.sampled('p-1', '09:00', values));
    await eventually(async () => expect(await detail()).toMatchObject([series('09:00', values)]));

    for (const [from, first] of [
      ['09:30', 900],
      ['10:00', 1800],
      ['11:59:00', 5370],
    ] as const) {
      const to = new Date(Date.parse(at(from)) + 60_000).toISOString();
      expect(await detail({ from: at(from), to })).toMatchObject([
        series('09:00', values.slice(first, first + 30), from),
      ]);
    }
    const offset = { from: '2026-03-02T10:30:00+01:00', to: '2026-03-02T04:31-05:00' };
    expect(await detail(offset)).toMatchObject([series('09:00', values.slice(900, 930), '09:30')]);
  });
});
