import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { skipPauses } from '../../support/client/no-pauses.ts';
import { organization } from '../../support/machine.ts';
import { noticesOf } from '../../support/webhooks/stored-notices.ts';
import { cancelled } from '../support/dynamodb-faults.ts';
import { type FaultPlan, failing, killAt, meanwhileAt, pointsOfDeath, serviceError } from '../support/process.ts';
import { useWorld } from '../support/use-world.ts';

skipPauses();

const { world } = await useWorld();

type Owner = { readonly organizationId: string; readonly recordingId: string };
/** An event of a recording. Every call makes the same message for the same owner. */
type EventOf = (owner: Owner) => string;

const newOwner = (): Owner => ({ organizationId: organization(), recordingId: randomUUID() });
const session = { roomName: '/standup', roomSessionId: '5e551011-0000-4000-8000-000000000009' };
const dates = { startDate: '2026-03-01T09:00:00.000Z', endDate: '2026-03-01T09:01:00.000Z' };
const fileOf = ({ organizationId }: Owner, name: string) => ({
  location: { bucket: world.resources.buckets.recordings, key: `${organizationId}/${name}` },
});
const trackOf = (owner: Owner, participantId: string) => {
  const { startDate, endDate } = dates;
  return { participantId, startDate, endDate, ...fileOf(owner, `${participantId}.ogg`) };
};
const eventOf = ({ organizationId, recordingId }: Owner, type: string, second: number, data: object) => {
  const id = `${type} ${second} of ${recordingId}`;
  const createdAt = `2026-03-01T09:01:0${second}.000Z`;
  return JSON.stringify({ id, type, organizationId, createdAt, data: { recordingId, ...session, ...data } });
};
const finished =
  (second: number, facts: object = {}): EventOf =>
  (owner) =>
    eventOf(owner, 'recording.finished', second, {
      ...dates,
      filename: 'mixed.mp4',
      ...fileOf(owner, 'mixed.mp4'),
      ...facts,
    });
const closed =
  (second: number): EventOf =>
  (owner) =>
    eventOf(owner, 'recording.finished', second, { ...dates, tracks: [trackOf(owner, 'a'), trackOf(owner, 'b')] });
const track =
  (second: number, participantId: string): EventOf =>
  (owner) =>
    eventOf(owner, 'recording.track.finished', second, trackOf(owner, participantId));

const deliver = (owner: Owner, event: EventOf, plan?: FaultPlan) => world.work('roomEvents', [event(owner)], plan);
const toldOf = async ({ organizationId }: Owner) =>
  (await noticesOf(world.resources.tables.notices, organizationId)).map(({ data }) =>
    'state' in data ? `${data.state} ${data.revision}` : '',
  );

/** Events that came before, one that comes now, and all that is told afterwards. */
const scenes: Readonly<Record<string, readonly [before: readonly EventOf[], event: EventOf, told: readonly string[]]>> =
  {
    'a finished recording': [[], finished(1), ['finished 1']],
    'a later report of a finished recording': [[finished(1)], finished(2), ['finished 1', 'finished 2']],
    'an earlier report of a finished recording': [[finished(2)], finished(1), ['finished 1']],
    'another report of the same time': [
      [finished(1)],
      finished(1, { endDate: '2026-03-01T09:02:00.000Z' }),
      ['finished 1', 'finished 2'],
    ],
    'the first track of an open recording': [[], track(1, 'a'), ['open 1']],
    'a further track of an open recording': [[track(1, 'a')], track(1, 'b'), ['open 1']],
    'a later report of a track': [[track(1, 'a')], track(2, 'a'), ['open 1']],
    'an end after tracks': [[track(1, 'a')], finished(2), ['open 1', 'finished 2']],
    'an end that names the tracks': [[track(1, 'a')], closed(2), ['open 1', 'finished 2']],
    'an end with tracks alone': [[], closed(1), ['finished 1']],
    'a track after the end': [[finished(1)], track(2, 'a'), ['finished 1']],
  };

describe.each(Object.entries(scenes))('%s', (_name, [before, event, told]) => {
  const make = async () => {
    const owner = newOwner();
    for (const each of before) await deliver(owner, each);
    return owner;
  };

  test('is told once if the process dies before or after any of its calls, and if it comes again', async () => {
    const first = await make();
    await deliver(first, event);
    const calls = world.lastCalls.length;
    expect(await toldOf(first)).toEqual(told);
    for (const { call, when } of pointsOfDeath(calls)) {
      const owner = await make();
      await deliver(owner, event, killAt(call, when));
      for (const _ of [1, 2]) expect(await deliver(owner, event)).toBe(0);
      expect(await toldOf(owner), `died ${when} call ${call}`).toEqual(told);
    }
  });

  test('is told once if another worker records it at any of its calls', async () => {
    const first = await make();
    await deliver(first, event);
    for (let call = 1; call <= world.lastCalls.length; call++) {
      const owner = await make();
      const other = meanwhileAt(call, () => deliver(owner, event));
      expect(await deliver(owner, event, other)).toBe(0);
      expect(await toldOf(owner), `another one at call ${call}`).toEqual(told);
    }
  });

  test.each([
    ['its transactions conflict with others', cancelled('None', 'TransactionConflict'), 'before'],
    ['the answers to its transactions are lost', serviceError('InternalServerError', 500), 'after'],
  ] as const)('is told once if %s', async (_what, error, when) => {
    const owner = await make();
    await deliver(owner, event, failing('TransactWriteItemsCommand', error, when, 2));
    await deliver(owner, event);
    expect(await toldOf(owner)).toEqual(told);
  });
});

test('a track alone that comes while the tracks of the end are stored shows the recording, and is told', async () => {
  const owner = newOwner();
  const count = async () => {
    const other = newOwner();
    await deliver(other, closed(1));
    return world.lastCalls.length;
  };
  for (let call = 1, calls = await count(); call <= calls; call++) {
    const each = { ...owner, organizationId: organization() };
    await deliver(
      each,
      closed(1),
      meanwhileAt(call, () => deliver(each, track(2, 'a'))),
    );
    expect(['finished 1', 'open 1, finished 2']).toContain((await toldOf(each)).join(', '));
  }
});

test('a recording with a file of another organization is told to be refused, and not to be received', async () => {
  const [owner, other] = [newOwner(), newOwner()];
  await deliver(owner, finished(1));
  const stolen = finished(2, fileOf(owner, 'mixed.mp4'));
  expect(await deliver(other, stolen)).toBe(1);
  expect(await toldOf(other)).toEqual(['refused 1']);
});
