import { describe, expect, it } from 'vitest';
import { MeasuredEvent } from '#shared/contracts/insights/network-samples.ts';
import { asciiJson } from '#shared/runtime/ascii-json.ts';
import { queueOf } from '#tools/simulation/events.ts';
import { recount } from '#tools/simulation/recount.ts';
import { generateLongSession } from '../../support/insights/long-session.ts';

const plan = { organizationId: 'acme', roomName: '/long', seed: 7, startedAt: Date.parse('2026-03-02T09:00:00.000Z') };
const dayMs = 24 * 3_600_000;
/** What every queue accepts. */
const maxMessageBytes = 262_144;

describe('generateLongSession', () => {
  const session = generateLongSession(plan);
  const sampled = session.events.filter((event) => event.type === 'room.client.sampled');
  const counted = recount('acme', session.events);
  const network = counted.networkOf(session.roomSessionId);

  it('generates a day with a thousand people in few events', () => {
    expect(counted.rooms).toMatchObject([{ roomName: '/long', totalSessions: 1 }]);
    expect(counted.participantsOf(session.roomSessionId)).toHaveLength(1000);
    expect([session.endedAt - plan.startedAt, network.length]).toEqual([dayMs, 1440]);
    expect(session.events.length).toBeLessThan(5_500);
    expect(sampled.length).toBeLessThan(450);
  });

  it('generates samples of the whole day for some, with bad minutes, and of ten minutes for others', () => {
    const countOf = (id: string) =>
      sampled
        .filter(({ data }) => data.participantId === id)
        .reduce((sum, { data }) => sum + data.packetLossSend.length, 0);
    const throughout = session.sampledThroughout.map(countOf);
    expect(throughout).toHaveLength(6);
    expect(Math.min(...throughout)).toBeGreaterThan(42_000);
    expect(session.sampledBriefly.map(countOf)).toEqual(Array.from({ length: 200 }, () => 300));
    const bad = network.filter(({ badParticipants }) => badParticipants > 0);
    expect(bad.length).toBeGreaterThan(50);
    expect(bad.length).toBeLessThan(1000);
  });

  it('generates messages that queues and the contract accept', () => {
    for (const event of session.events) expect(asciiJson(event).length).toBeLessThan(maxMessageBytes);
    for (const event of session.events.filter((each) => queueOf(each) === 'networkSamples')) MeasuredEvent.parse(event);
  });

  it('generates the same for the same plan, and another size for another', () => {
    const smallPlan = { ...plan, hours: 2, participants: 20, sampledThroughout: 2, sampledBriefly: 3 };
    const small = generateLongSession(smallPlan);
    expect(generateLongSession(smallPlan)).toEqual(small);
    expect([small.sampledThroughout.length, small.sampledBriefly.length]).toEqual([2, 3]);
    expect(small.roomSessionId).toBe(session.roomSessionId);
    expect(recount('acme', small.events).participantsOf(small.roomSessionId)).toHaveLength(20);
  });
});
