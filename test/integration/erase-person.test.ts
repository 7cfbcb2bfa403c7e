import { describe, expect, test } from 'vitest';
import { eraseInRunner, expireFactsOf, findEverywhere, openStoresFailingAfter, removedIn } from '../support/erasure.ts';
import { insightsOf, type SessionTeller, send, sessionOf, untilCounted } from '../support/insights.ts';
import { deliver, keepTranscript, known, liveSession, sendToRoomEvents } from '../support/live-sessions.ts';
import { eventually, organization } from '../support/machine.ts';

const ada = { userId: 'user-ada', deviceId: 'device-ada', displayName: 'Ada Kim', userAgent: 'Agent of Ada' };
/** Every value of Ada's that a row can contain. */
const traces = ['p-ada', 'user-ada', 'device-ada', 'Ada Kim', 'Agent of Ada', 'crm-ada', 'tag of ada', 'said by ada'];

/** Ada joins twice, the second time without her external id. Bob joins once. */
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

/** Creates two sessions with Ada and Bob. Ada has a different participant id in each. */
async function populate(acme: string) {
  const sessions = ['/daily', '/weekly'].map((roomName) => sessionOf(acme, { roomName }));
  const events = sessions.flatMap((session, index) => eventsOf(session, `p-ada-${index + 1}`));
  await send(...events);
  await untilCounted(acme, events);
  await eventually(async () => {
    const samples = (await findEverywhere(acme)).filter((each) => each.includes('samples'));
    if (samples.length < 4) throw new Error('Some samples are not stored yet.');
  });
  return { sessions, events };
}

/** Returns the rows of an organization that contain one of the texts. */
async function rowsWith(acme: string, texts: readonly string[]): Promise<string[]> {
  return (await findEverywhere(acme)).filter((row) => texts.some((text) => row.includes(text)));
}

describe('npm run organization -- erase with the id of a person', () => {
  test('removes the person from all rows, and changes no other rows and no totals', async () => {
    const [acme, other] = [organization(), organization()];
    await Promise.all([populate(acme), populate(other)]);
    const others = await findEverywhere(other);
    const totals = await insightsOf(acme).rooms(); // before the rows are read, because this request changes the row of the rate limit
    const hers = await rowsWith(acme, traces);
    const rest = (await findEverywhere(acme)).filter((row) => !hers.includes(row));

    const preview = await eraseInRunner([acme, '--external-id', 'crm-ada']);
    const report = await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);

    expect(report).toMatch(/^Sessions of .* in which the person participated: 2$/m);
    const removed = removedIn(report);
    expect(removedIn(preview)).toEqual(removed);
    expect(removed['rows of participants']).toBe(2);
    expect(Object.values(removed).reduce((sum, count) => sum + count)).toBe(hers.length);
    expect(await rowsWith(acme, traces)).toEqual([]);
    expect(await findEverywhere(acme)).toEqual(rest);
    expect(await insightsOf(acme).rooms()).toEqual(totals);
    expect(await findEverywhere(other)).toEqual(others);
    const again = eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
    await expect(again).rejects.toThrow(/external id crm-ada.* Is the id of the person right/);
    expect(await eraseInRunner([acme, '--external-id', 'crm-ada', '--check'])).toContain(
      'There is no data of the person',
    );
  });

  test('removes the marks of a participation whose facts have expired', async () => {
    const acme = organization();
    await populate(acme);
    await expireFactsOf(acme, 'p-ada-1');
    expect(await rowsWith(acme, ['user-ada'])).not.toEqual([]);
    for (const participantId of ['p-ada-1', 'p-ada-2'])
      await eraseInRunner([acme, '--participant-id', participantId, '--yes']);
    expect(await rowsWith(acme, traces)).toEqual([]);
  });

  test('removes events of the person that were taken back, with their retractions, and keeps those of others', async () => {
    const acme = organization();
    const session = sessionOf(acme);
    const kept = session.joined('p-ada-1', '09:01', { ...ada, externalId: 'crm-ada' });
    const again = session.joined('p-ada-1', '09:05', { ...ada, externalId: 'crm-ada' });
    const only = session.joined('p-ada-2', '09:06', { ...ada, externalId: 'crm-ada' });
    const ofBob = session.joined('p-bob', '09:07', { externalId: 'crm-bob' });
    const sameId = { ...session.joined('p-bob', '09:08', { externalId: 'crm-bob' }), id: again.id };
    const wrong = [again, only, ofBob];
    const retractions = [...wrong, { id: 'not-arrived' }].map((event) => session.retracted(event));
    const events = [session.started('09:00'), kept, sameId, ...wrong, ...retractions];
    await send(...events);
    await untilCounted(acme, events);
    const totals = await insightsOf(acme).rooms();

    await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);

    expect(await rowsWith(acme, [...traces, kept.id, only.id])).toEqual([]);
    for (const id of [ofBob.id, sameId.id]) expect(await rowsWith(acme, [id])).toHaveLength(2); // a join and its retraction
    expect(await rowsWith(acme, ['not-arrived'])).toHaveLength(1);
    expect(await insightsOf(acme).rooms()).toEqual(totals);
  });

  test('selects by participant id, or by either id if both are given', async () => {
    const acme = organization();
    await populate(acme);
    await eraseInRunner([acme, '--participant-id', 'p-ada-1', '--yes']);
    expect(await rowsWith(acme, ['p-ada-1'])).toEqual([]);
    expect(await rowsWith(acme, ['p-ada-2'])).not.toEqual([]);
    await eraseInRunner([acme, '--participant-id', 'p-ada-2', '--external-id', 'crm-bob', '--yes']);
    expect(await rowsWith(acme, [...traces, 'p-bob', 'crm-bob'])).toEqual([]);
  });

  test("lists the transcripts of the person's sessions first, and removes nothing without --yes", async () => {
    const acme = organization();
    const { sessions } = await populate(acme);
    const live = liveSession(acme, sessions[0]);
    const location = await keepTranscript(live.key('minutes.md'), 'Hello everyone.');
    await sendToRoomEvents([live.finished({ storageType: 'SERVICE_HOSTED', location })]);
    await known(acme, live.path, 'ready');
    const before = await findEverywhere(acme);
    expect(await eraseInRunner([acme, '--external-id', 'crm-ada'])).toMatch(
      /Totals do not change[\s\S]*erase \S+ --external-id crm-ada --data-dir \S+ --yes$/,
    );
    expect(await findEverywhere(acme)).toEqual(before);
    const output = await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
    expect(output).toMatch(new RegExp(`curl -X DELETE .*${live.path}'[\\s\\S]*Removed the data of the person`));
  });

  test('completes the erasure in a second run after a crash at any point', { timeout: 120_000 }, async () => {
    for (const calls of [3, 5, 7, 8, 9, 10, 11, 12, 14, 17]) {
      const acme = organization();
      await populate(acme);
      const { stores } = openStoresFailingAfter(calls);
      await expect(eraseInRunner([acme, '--external-id', 'crm-ada', '--yes'], stores)).rejects.toThrow('killed');
      expect(await rowsWith(acme, traces)).not.toEqual([]);
      await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
      expect(await rowsWith(acme, traces), `killed after ${calls} calls`).toEqual([]);
    }
  });

  test('removes the person again after the redelivery of an old event restored them', async () => {
    const acme = organization();
    const { events } = await populate(acme);
    await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
    const join = events.find(({ data }) => 'externalId' in data && data.externalId === 'crm-ada');
    expect(await deliver('record-room-events', [join ?? {}])).toBe(0);
    expect(await rowsWith(acme, traces)).not.toEqual([]);
    await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
    expect(await rowsWith(acme, traces)).toEqual([]);
  });
});
