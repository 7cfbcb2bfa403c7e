import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { badLimits, goodLimits, unknownParameters } from '../../support/http/bad-queries.ts';
import { clientOf, codeOf, issuePaths, type RawAnswer } from '../../support/http/checked-api.ts';
import {
  at,
  type InsightName,
  insightsOf,
  listNames,
  pathOf,
  paths,
  type Query,
} from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

const acme = organization();
const call = clientOf(acme);
const id = randomUUID();

/** A valid query of each endpoint. It finds nothing. */
const good: Readonly<Record<InsightName, Query>> = {
  rooms: {},
  roomSessions: { roomName: '/daily' },
  participants: { roomSessionId: id },
  participant: { roomSessionId: id, participantId: 'p-1' },
  network: { roomSessionId: id },
  usage: {},
};
const names = Object.keys(good) as InsightName[];

/** Calls an endpoint with raw text after its valid query. */
const callWith = (name: InsightName, more: string): Promise<RawAnswer> => {
  const path = pathOf(name, good[name]);
  return call('GET', `${path}${path.includes('?') ? '&' : '?'}${more}`);
};
const whatIsWrong = (answer: RawAnswer) => [answer.status, issuePaths(answer).toSorted()];

describe.each(listNames)('the list %s', (name) => {
  it.each(badLimits)('rejects limit=%s', async (limit) => {
    expect(whatIsWrong(await callWith(name, `limit=${limit}`))).toEqual([400, ['limit']]);
  });

  it.each(goodLimits)('accepts limit=%s', async (limit) => {
    expect((await callWith(name, `limit=${limit}`)).status).toBe(200);
  });

  const ofAnother = { rooms: 'startedAt:asc', roomSessions: 'totalSessions:asc', participants: 'startedAt:asc' };
  const orders = [
    '',
    'rating',
    'joinedAt:',
    'createdAt:up',
    'endedAt:ASC',
    'leftat:asc',
    'JoinedAt:asc',
    '__proto__:asc',
  ];
  const wrong = ['room:asc', 'roomSessionId:asc', 'displayName:asc', ':asc', 'joinedAt%20asc', 'rating:asc:desc'];
  it.each([...orders, ...wrong, 'leftAt:asc,joinedAt:asc', ofAnother[name]])('rejects sortBy=%s', async (order) => {
    const answer = await callWith(name, `sortBy=${order}`);

    expect(whatIsWrong(answer)).toEqual([400, ['sortBy']]);
    expect(answer.text).toContain(`${name === 'participants' ? 'joinedAt' : 'totalRecorderMinutes'}:desc`);
  });

  it('reports all invalid parameters at once', async () => {
    const answer = await callWith(name, 'limit=0&sortBy=x&cursors=1');

    expect(whatIsWrong(answer)).toEqual([400, ['cursors', 'limit', 'sortBy']]);
    expect(codeOf(answer)).toBe('invalid_request');
  });

  it('rejects an empty cursor', async () => {
    expect(whatIsWrong(await callWith(name, 'cursor='))).toEqual([400, ['cursor']]);
  });
});

describe.each(names)('the endpoint %s', (name) => {
  it.each(unknownParameters)('rejects the unknown parameter "%s"', async (parameter) => {
    expect(whatIsWrong(await callWith(name, `${parameter}=1`))).toEqual([400, [parameter || 'query']]);
  });

  const parametersOf = {
    rooms: [
      ...['roomName[exact]', 'roomName[startsWith]', 'roomName[contains]', 'createdAt[from]', 'createdAt[to]'],
      ...['roomNamePrefix', 'createdAtFrom', 'createdAtTo', 'limit', 'cursor', 'sortBy'],
    ],
    roomSessions: [
      ...['roomName', 'roomName[exact]', 'roomSessionId', 'limit', 'cursor', 'sortBy'],
      ...['startedAt[from]', 'startedAtFrom', 'startedAt[to]', 'startedAtTo'],
    ],
    participants: ['roomSessionId', 'externalId', 'limit', 'cursor', 'sortBy'],
    participant: ['roomSessionId', 'participantId', 'from', 'to'],
    network: ['roomSessionId', 'from', 'to', 'cursor'],
    usage: ['from', 'to', 'roomName', 'limit', 'cursor'],
  };
  it.each(parametersOf[name])('rejects a repeated %s parameter, even with equal values', async (parameter) => {
    for (const values of [
      ['1', '2'],
      [id, id],
      ['', ''],
    ]) {
      const answer = await call('GET', `${paths[name]}?${values.map((value) => `${parameter}=${value}`).join('&')}`);
      expect(answer.status).toBe(400);
      expect(issuePaths(answer)).toContain(parameter);
    }
  });

  it('does not echo rejected values', async () => {
    const secret = '%3Cscript%3Ealert(1)%3C/script%3E';
    const answer = await call(
      'GET',
      `${paths[name]}?limit=${secret}&roomName=${secret}&roomSessionId=${secret}&from=${secret}`,
    );

    expect(answer.status).toBe(400);
    expect(answer.text).not.toMatch(/script|alert/);
  });

  it.each(['%ED%A0%80', '%FF', '%C0%AF', '%', '%zz'])('rejects invalid UTF-8: %s', async (bytes) => {
    expect((await callWith(name, `x=${bytes}`)).status).toBe(400);
  });
});

describe('required parameters', () => {
  it.each([
    ['roomSessions', {}, ['roomName']],
    ['roomSessions', { roomSessionId: id }, ['roomName']],
    ['roomSessions', { roomName: '' }, ['roomName']],
    ['roomSessions', { 'roomName[exact]': '' }, ['roomName[exact]']],
    ['roomSessions', { limit: 0 }, ['limit', 'roomName']],
    ['roomSessions', { roomName: 'daily' }, ['roomName']],
    ['roomSessions', { roomName: ' /daily' }, ['roomName']],
    ['roomSessions', { roomName: '%2Fdaily' }, ['roomName']],
    ['roomSessions', { roomName: '/daily', roomSessionId: 'abc' }, ['roomSessionId']],
    ['roomSessions', { roomName: '/daily', roomSessionId: '' }, ['roomSessionId']],
    ['participants', {}, ['roomSessionId']],
    ['participants', { limit: 5 }, ['roomSessionId']],
    ['participants', { roomSessionId: 'abc' }, ['roomSessionId']],
    ['participants', { roomSessionId: `${id} ` }, ['roomSessionId']],
    ['participants', { roomSessionId: `{${id}}` }, ['roomSessionId']],
    ['participants', { externalId: '' }, ['externalId']],
    ['participants', { roomSessionId: '', externalId: '' }, ['externalId', 'roomSessionId']],
    ['participants', { externalId: 'x'.repeat(257) }, ['externalId']],
    ['participants', { externalId: 'é'.repeat(129) }, ['externalId']],
    ['participants', { externalId: 'a\0b' }, ['externalId']],
    ['participant', {}, ['participantId', 'roomSessionId']],
    ['participant', { roomSessionId: id }, ['participantId']],
    ['participant', { participantId: 'p-1' }, ['roomSessionId']],
    ['participant', { roomSessionId: id, participantId: '' }, ['participantId']],
    ['participant', { roomSessionId: 'abc', participantId: 'p-1' }, ['roomSessionId']],
    ['participant', { roomSessionId: id, participantId: 'x'.repeat(257) }, ['participantId']],
    ['participant', { roomSessionId: id, participantId: '\0' }, ['participantId']],
    ['network', {}, ['roomSessionId']],
    ['network', { roomSessionId: 'abc' }, ['roomSessionId']],
    ['network', { roomSessionId: id, from: '2026-03-02' }, ['from']],
    ['network', { roomSessionId: id, from: at('09:00'), to: at('09:00') }, ['to']],
    ['network', { roomSessionId: id, cursor: 'x' }, ['cursor']],
  ] as const)('make %s reject %j', async (name, query, wrong) => {
    expect(whatIsWrong(await call('GET', pathOf(name, query)))).toEqual([400, wrong]);
  });

  it('of participants are a session or an external id, as the error says', async () => {
    expect((await call('GET', paths.participants)).text).toContain('is required, unless externalId is given');
  });
});

describe('an unknown room, session or participant', () => {
  const nothing = { results: [], cursor: null };

  it('has an empty answer', async () => {
    const insights = insightsOf(acme);

    expect(await insights.rooms()).toEqual(nothing);
    expect(await insights.roomSessions({ roomName: '/nowhere' })).toEqual(nothing);
    expect(await insights.roomSessions({ roomName: '/nowhere', roomSessionId: id })).toEqual(nothing);
    expect(await insights.participants({ roomSessionId: id })).toEqual(nothing);
    expect(await insights.participants({ externalId: 'nobody' })).toEqual(nothing);
    expect(await insights.participants({ roomSessionId: id, externalId: 'nobody' })).toEqual(nothing);
    expect(await insights.participant({ roomSessionId: id, participantId: 'nobody' })).toEqual([]);
    expect(await insights.network({ roomSessionId: id })).toEqual(nothing);
  });

  it.each(['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])(
    'has an empty answer for the id %s',
    async (roomSessionId) => {
      expect(await insightsOf(acme).participants({ roomSessionId })).toEqual(nothing);
    },
  );
});

describe('the gateway', () => {
  it.each([
    ...Object.values(paths).flatMap((path) =>
      ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'].map((method) => [method, path]),
    ),
    ...Object.values(paths).map((path) => ['GET', `${path}/`]),
    ...['/v1/insights', '/v1/insights/', `${paths.rooms}/daily`, `${paths.participant}/${id}`].map((path) => [
      'GET',
      path,
    ]),
    ...['/v1/Insights/rooms', '/v1//insights/rooms', '/v1/insights/rooms%2F'].map((path) => ['GET', path]),
  ])('returns 404 for %s %s', async (method = '', path = '') => {
    const answer = await call(method, path);

    expect(answer.status).toBe(404);
    if (method !== 'HEAD') expect(JSON.parse(answer.text)).toEqual({ message: 'Not Found' });
  });
});
