import { describe, expect, it } from 'vitest';
import { dyingAfter, eraseOnMachine, everythingWith, removedIn } from '../support/erasure.ts';
import { insightsOf, type SessionTeller, send, sessionOf, untilCounted } from '../support/insights.ts';
import { deliver, keepTranscript, known, liveSession, sendToRoomEvents } from '../support/live-sessions.ts';
import { eventually, organization } from '../support/machine.ts';

const ada = { userId: 'user-ada', deviceId: 'device-ada', displayName: 'Ada Kim', userAgent: 'Agent of Ada' };
/** Everything of hers that a row could hold. */
const traces = ['p-ada', 'user-ada', 'device-ada', 'Ada Kim', 'Agent of Ada', 'crm-ada', 'tag of ada', 'said by ada'];

/** Ada comes twice, the second time without her external id; Bob is there too. */
function eventsOf(session: SessionTeller, participantId: string) {
  return [
    session.created('08:00'),
    session.started('09:00'),
    session.joined(participantId, '09:01', { ...ada, externalId: 'crm-ada' }),
    session.left(participantId, '09:04'),
    session.joined(participantId, '09:05', ada),
    session.joined('p-bob', '09:02', { externalId: 'crm-bob' }),
    session.rated(participantId, '09:06', 4, { comment: 'said by ada', tags: ['tag of ada'] }),
    session.sampled(participantId, '09:01', [1, 2, 3]),
    session.sampled('p-bob', '09:02', [1, 2, 3]),
    session.ended('09:30'),
  ];
}

/** Two sessions in which Ada and Bob were, under ids of participants that differ. */
async function populate(acme: string) {
  const sessions = ['/daily', '/weekly'].map((roomName) => sessionOf(acme, { roomName }));
  const events = sessions.flatMap((session, index) => eventsOf(session, `p-ada-${index + 1}`));
  await send(...events);
  await untilCounted(acme, events);
  await eventually(async () => {
    const samples = (await everythingWith(acme)).filter((each) => each.includes('samples'));
    if (samples.length < 4) throw new Error('Not all samples are there.');
  });
  return { sessions, events };
}

/** The rows of an organization in which one of the texts is. */
async function rowsWith(acme: string, texts: readonly string[]): Promise<string[]> {
  return (await everythingWith(acme)).filter((row) => texts.some((text) => row.includes(text)));
}

describe('npm run organization -- erase, of a person', () => {
  it('leaves nothing of them in any row, and everybody else and all totals as they were', async () => {
    const [acme, other] = [organization(), organization()];
    await Promise.all([populate(acme), populate(other)]);
    const others = await everythingWith(other);
    const totals = await insightsOf(acme).rooms(); // which counts a request
    const hers = await rowsWith(acme, traces);
    const rest = (await everythingWith(acme)).filter((row) => !hers.includes(row));

    const report = await eraseOnMachine([acme, '--external-id', 'crm-ada', '--yes']);

    expect(report).toContain('the person was in 2 sessions');
    const removed = removedIn(report);
    expect(removed['rows of participants']).toBe(2);
    expect(Object.values(removed).reduce((sum, count) => sum + count)).toBe(hers.length);
    expect(await rowsWith(acme, traces)).toEqual([]);
    expect(await everythingWith(acme)).toEqual(rest);
    expect(await insightsOf(acme).rooms()).toEqual(totals);
    expect(await everythingWith(other)).toEqual(others);
    expect(removedIn(await eraseOnMachine([acme, '--external-id', 'crm-ada', '--yes']))).toEqual({
      'rows of participants': 0,
      'rows of insightFacts': 0,
    });
  });

  it('takes one session by the id that a person had in it, and both ids together for all', async () => {
    const acme = organization();
    await populate(acme);
    await eraseOnMachine([acme, '--participant-id', 'p-ada-1', '--yes']);
    expect(await rowsWith(acme, ['p-ada-1'])).toEqual([]);
    expect(await rowsWith(acme, ['p-ada-2'])).not.toEqual([]);
    await eraseOnMachine([acme, '--participant-id', 'p-ada-2', '--external-id', 'crm-bob', '--yes']);
    expect(await rowsWith(acme, [...traces, 'p-bob', 'crm-bob'])).toEqual([]);
  });

  it('names the transcripts of their sessions before, and removes nothing unless it is meant', async () => {
    const acme = organization();
    const { sessions } = await populate(acme);
    const live = liveSession(acme, sessions[0]);
    const location = await keepTranscript(`live/${acme}/minutes.md`, 'Hello everyone.');
    await sendToRoomEvents([live.finished({ storageType: 'SERVICE_HOSTED', location })]);
    await known(acme, live.path, 'ready');
    const before = await everythingWith(acme);
    await expect(eraseOnMachine([acme, '--external-id', 'crm-ada'])).rejects.toThrow(
      /Totals stay[\s\S]*erase \S+ --external-id crm-ada --data-dir \S+ --yes$/,
    );
    expect(await everythingWith(acme)).toEqual(before);
    const said = await eraseOnMachine([acme, '--external-id', 'crm-ada', '--yes']);
    expect(said).toMatch(new RegExp(`curl -X DELETE .*${live.path}'[\\s\\S]*Removed of the person`));
  });

  it('ends its work when it is run again, wherever it was killed', { timeout: 120_000 }, async () => {
    for (const calls of [3, 5, 7, 8, 9, 10, 11, 12, 14, 17]) {
      const acme = organization();
      await populate(acme);
      const { stores } = dyingAfter(calls);
      await expect(eraseOnMachine([acme, '--external-id', 'crm-ada', '--yes'], stores)).rejects.toThrow('killed');
      expect(await rowsWith(acme, traces)).not.toEqual([]);
      await eraseOnMachine([acme, '--external-id', 'crm-ada', '--yes']);
      expect(await rowsWith(acme, traces), `killed after ${calls} calls`).toEqual([]);
    }
  });

  it('is undone by an old event that is delivered again, and does its work again', async () => {
    const acme = organization();
    const { events } = await populate(acme);
    await eraseOnMachine([acme, '--external-id', 'crm-ada', '--yes']);
    const join = events.find(({ data }) => 'externalId' in data && data.externalId === 'crm-ada');
    expect(await deliver('record-room-events', [join ?? {}])).toBe(0);
    expect(await rowsWith(acme, traces)).not.toEqual([]);
    await eraseOnMachine([acme, '--external-id', 'crm-ada', '--yes']);
    expect(await rowsWith(acme, traces)).toEqual([]);
  });
});
