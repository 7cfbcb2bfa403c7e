import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, issuePaths } from '../../support/http/checked-api.ts';
import { at, insightsOf, pathOf, seriesOf, sessionOf, tellerOf } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

const acme = organization();
const session = sessionOf(acme);
const { roomSessionId } = session;
const query = { roomSessionId, participantId: 'p-1' };

beforeAll(() => tellerOf(acme)(session.joined('p-1', '09:00'), session.sampled('p-1', '09:00', [1, 2, 3])));

describe('the parameters from and to', () => {
  const noTimes = [
    ...[
      '',
      'now',
      '0',
      '1772442000000',
      '2026-03-02',
      '2026-03-02T09:00',
      '2026-03-02T09:00:00',
      '2026-03-02T09:00:00.000',
    ],
    ...[
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00Z',
      '1969-12-31T23:59:59Z',
      '9999-12-31T23:59:59Z',
      '10000-01-01T00:00:00Z',
    ],
    ...['+002026-03-02T09:00:00Z', '-002026-03-02T09:00:00Z', '2016-12-31T23:59:60Z', '2026-03-02T23:59:61Z'],
    ...[
      '2026-02-29T00:00:00Z',
      '2026-02-30T00:00:00Z',
      '2026-13-01T00:00:00Z',
      '2026-00-10T00:00:00Z',
      '2026-03-00T00:00:00Z',
    ],
    ...[
      '2026-03-02T25:00:00Z',
      '2026-03-02T09:60:00Z',
      '2026-03-02T09:00:00+99:99',
      '2026-03-02T09:00:00+1',
      '2026-03-02T09:00:00 Z',
    ],
    ...[
      '2026-03-02 09:00:00Z',
      '20260302T090000Z',
      'Mon, 02 Mar 2026 09:00:00 GMT',
      '٢٠٢٦-03-02T09:00:00Z',
      '2026-03-02T09:00:00Z\0',
    ],
  ];
  it.each(noTimes)('reject the time %j', async (time) => {
    const answer = await clientOf(acme)('GET', pathOf('participant', { ...query, from: time, to: time }));

    expect([answer.status, [...new Set(issuePaths(answer))]]).toEqual([400, ['from', 'to']]);
  });

  it.each([
    ['from after to', '2026-03-02T10:00:00Z', '2026-03-02T09:00:00Z'],
    ['from equal to to', '2026-03-02T09:00:00Z', '2026-03-02T09:00:00.000Z'],
    ['from equal to to in another time zone', '2026-03-02T09:00:00Z', '2026-03-02T10:00:00+01:00'],
  ])('reject %s with an error that names to', async (_, from, to) => {
    const answer = await clientOf(acme)('GET', pathOf('participant', { ...query, from, to }));

    expect([answer.status, issuePaths(answer)]).toEqual([400, ['to']]);
  });

  it.each([
    ['ten years', '2020-01-01T00:00:00Z', '2030-01-01T00:00:00Z'],
    ['all time', '1970-01-01T00:00:00Z', '9998-12-31T23:59:59.999999999Z'],
    ['all but a day of that', '1970-01-02T00:00:00+23:59', '9998-12-30T23:59:59-23:59'],
    ['a range from a leap day', '2024-02-29T00:00:00Z', '2026-03-02T24:00:00Z'],
  ])('accept %s', async (_, from, to) => {
    expect(await insightsOf(acme).participant({ ...query, from, to })).toMatchObject([
      { samplesFrom: at('09:00'), samples: seriesOf([1, 2, 3]) },
    ]);
  });

  it('find nothing in a range without samples', async () => {
    for (const range of [{ to: '1970-01-01T00:00:00.001Z' }, { from: '9998-12-31T00:00:00Z' }]) {
      expect(await insightsOf(acme).participant({ ...query, ...range })).toMatchObject([{ samples: seriesOf([]) }]);
    }
  });

  it('are rejected alike for an unknown participant and for a known one', async () => {
    const nobody = { roomSessionId: randomUUID(), participantId: 'p-1', from: '2026-03-02' };

    expect(issuePaths(await clientOf(acme)('GET', pathOf('participant', nobody)))).toEqual(['from']);
  });
});

describe('dates of events', () => {
  it('may span a century', async () => {
    const other = organization();
    const { roomSessionId: id, roomName, ...long } = sessionOf(other);
    const [first, last] = ['1970-01-01T00:00:00.000Z', '2069-12-31T23:59:59.999Z'];
    await tellerOf(other)(
      long.created(first, last),
      long.joined('p-1', first),
      long.left('p-1', last),
      long.ended(last),
    );

    const totalParticipantMinutes = Math.ceil((Date.parse(last) - Date.parse(first)) / 60_000);
    expect((await insightsOf(other).rooms({ sortBy: 'totalParticipantMinutes:desc' })).results).toMatchObject([
      { createdAt: first, endAt: last, firstSessionStartedAt: first, totalParticipantMinutes },
    ]);
    expect((await insightsOf(other).roomSessions({ roomName, sortBy: 'endedAt:desc' })).results).toMatchObject([
      { startedAt: first, endedAt: last, totalParticipantMinutes },
    ]);
    expect((await insightsOf(other).participants({ roomSessionId: id, sortBy: 'leftAt:desc' })).results).toMatchObject([
      { joinedAt: first, leftAt: last },
    ]);
  });

  it('are returned in UTC with milliseconds', async () => {
    const other = organization();
    const { created, started, ended, roomName } = sessionOf(other);
    await tellerOf(other)(
      created('2026-03-02T10:00+01:00', '2026-03-02T00:00:00.123456789-12:00'),
      started('2026-03-02T14:30:00.5+05:30'),
      ended('2026-03-02T24:00:00Z'),
    );

    expect((await insightsOf(other).rooms()).results).toMatchObject([
      { createdAt: at('09:00'), endAt: at('12:00:00.123'), firstSessionStartedAt: at('09:00:00.500') },
    ]);
    expect((await insightsOf(other).roomSessions({ roomName })).results).toMatchObject([
      { endedAt: '2026-03-03T00:00:00.000Z' },
    ]);
  });
});
