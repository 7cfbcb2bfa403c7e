import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { insightEndpoints } from '#shared/contracts/insights/insight-endpoints.ts';
import { type PlatformEvent, queueOf } from '#tools/simulation/events.ts';
import { answersSoFar, clientOf, type RawAnswer } from '../../support/http/checked-api.ts';
import {
  type InsightName,
  listNames,
  pathOf,
  paths,
  type Query,
  sessionOf,
  tellerOf,
} from '../../support/insights/insights.ts';
import { deliver } from '../../support/insights/live-sessions.ts';
import { logOf, organization } from '../../support/machine.ts';

const acme = organization();
const victim = organization();
const canary = (what: string) => `canary-${what}-${randomUUID().replaceAll('-', '')}`;

/** Personal data: no log may contain it. */
const personal = {
  displayName: canary('name'),
  comment: canary('comment'),
  tags: [canary('tag')],
  userAgent: canary('agent'),
  externalId: canary('external'),
};
const canaries = Object.values(personal).flat();
const roomName = `/${canary('room')}`;
const session = sessionOf(victim, { roomName });
const { roomSessionId } = session;
const participantId = canary('participant');

const { displayName, comment, tags, userAgent, externalId } = personal;
const history: readonly PlatformEvent[] = [
  session.created('08:00'),
  session.joined(participantId, '09:00', { displayName, userAgent, externalId }),
  session.rated(participantId, '09:10', 5, { comment, tags }),
  session.sampled(participantId, '09:00', [1]),
];

/** Calls every endpoint with valid requests, and with text in every other field. */
const queries: Readonly<Record<InsightName, readonly Query[]>> = {
  rooms: [{}, { limit: 100 }],
  roomSessions: [{ roomName }, { roomName, roomSessionId }],
  participants: [{ roomSessionId }, { externalId }, { roomSessionId, externalId }],
  participant: [{ roomSessionId, participantId }],
  network: [{ roomSessionId }],
  usage: [{}, { roomName }],
};
const wordsEverywhere = ['limit', 'sortBy', 'cursor', 'from', 'to', 'roomSessionId', 'roomName', displayName];

async function callEverything(organizationId: string): Promise<readonly RawAnswer[]> {
  const call = clientOf(organizationId);
  const before = answersSoFar().length;
  for (const name of [...listNames, 'participant' as const, 'network' as const, 'usage' as const]) {
    for (const query of queries[name]) await call('GET', pathOf(name, query));
    for (const word of wordsEverywhere) {
      for (const text of [displayName, comment]) await call('GET', pathOf(name, { ...queries[name][0], [word]: text }));
    }
    await call('GET', `${paths[name]}/${externalId}`);
  }
  return answersSoFar().slice(before);
}

/** Events that no worker can read, with text in every field. */
function unreadable(event: PlatformEvent): (object | string)[] {
  const { data } = event;
  const words = Object.keys(data).map((name) => ({ ...event, data: { ...data, [name]: { [displayName]: comment } } }));
  const tooLong = Object.keys(data).map((name) => ({ ...event, data: { ...data, [name]: comment.repeat(300) } }));
  return [
    ...words,
    ...tooLong,
    { ...event, type: displayName },
    { ...event, createdAt: comment },
    JSON.stringify(event).slice(1),
  ];
}

let answersToAcme: readonly RawAnswer[];
let answersToVictim: readonly RawAnswer[];
beforeAll(async () => {
  await tellerOf(victim)(...history);
  for (const event of history) {
    const worker = queueOf(event) === 'networkSamples' ? 'record-network-samples' : 'record-room-events';
    const bad = unreadable(event);
    expect(await deliver(worker, bad)).toBe(bad.length);
  }
  answersToAcme = await callEverything(acme);
  answersToVictim = await callEverything(victim);
});

describe("another organization's answers", () => {
  it('contain no data of the first organization', () => {
    expect(answersToAcme.length).toBeGreaterThan(60);
    const good = answersToAcme.filter(({ status }) => status !== 400); // a 400 may repeat a parameter of the request
    for (const secret of [...canaries, roomName, participantId, roomSessionId, victim]) {
      expect(good.filter(({ text, headers }) => `${text}${JSON.stringify(headers)}`.includes(secret))).toEqual([]);
    }
    for (const secret of [...tags, userAgent, roomName, participantId, victim]) {
      expect(answersToAcme.filter(({ text }) => text.includes(secret))).toEqual([]);
    }
  });

  it('are a valid comparison: the own answers contain all of the data', () => {
    const all = answersToVictim.map(({ text }) => text).join('\n');

    for (const told of [...canaries, roomName, participantId, roomSessionId]) expect(all).toContain(told);
    expect(all).not.toContain(victim);
  });
});

describe('the log of a function', () => {
  const functions = [
    ...Object.values(insightEndpoints).map(({ operationId }) => operationId),
    'record-room-events',
    'record-network-samples',
  ];
  it.each(functions)('names the organization and contains no personal data: %s', async (name) => {
    const log = await logOf(name);

    expect(log).toContain(name.startsWith('record-') ? roomSessionId : victim);
    for (const secret of [...canaries, roomName]) {
      expect(log.split('\n').filter((line) => line.includes(secret))).toEqual([]);
    }
  });
});
