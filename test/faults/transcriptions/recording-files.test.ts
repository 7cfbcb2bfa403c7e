import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dynamodb, organization } from '../../support/machine.ts';
import { recordingEvent } from '../../support/media/recordings.ts';
import { cancelled } from '../support/dynamodb-faults.ts';
import { type FaultPlan, failing, killAt, meanwhileAt, noFaults, serviceError } from '../support/process.ts';
import { useWorld } from '../support/use-world.ts';

const { world } = await useWorld();
const documents = DynamoDBDocumentClient.from(dynamodb);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

type Event = ReturnType<typeof event>;

/** The event of a recording at a key and a minute. */
function event(organizationId: string, recordingId: string, key: string, minute = 0) {
  const data = {
    recordingId,
    roomName: '/standup',
    roomSessionId: '0d3cf4c2-6a0f-4c55-8d67-9f2f5f3f3a10',
    startDate: '2026-03-01T09:00:00.000Z',
    endDate: '2026-03-01T09:01:00.000Z',
    filename: 'standup.wav',
    location: { bucket: world.resources.buckets.recordings, key },
  };
  return recordingEvent(organizationId, data, `2026-03-01T10:0${minute}:00.000Z`);
}

async function rowsOf(table: 'recordings' | 'recordingFiles', organizations: readonly string[]) {
  const { Items = [] } = await documents.send(new ScanCommand({ TableName: world.resources.tables[table] }));
  return Items.filter(({ organizationId }) => organizations.includes(organizationId));
}

/** The key of each recording's file, and the owner of each file. */
async function stored(organizations: readonly string[]) {
  const recordings = await rowsOf('recordings', organizations);
  const files = await rowsOf('recordingFiles', organizations);
  return {
    keys: Object.fromEntries(
      recordings.map(({ organizationId, recordingId, location }) => [`${organizationId} ${recordingId}`, location.key]),
    ),
    owners: Object.fromEntries(
      files.map((file) => [file.fileLocation, [file.organizationId, file.recordingId, file.claimedAt].join(' ')]),
    ),
  };
}

/** Delivers an event until no process dies. Returns whether it was refused. */
async function deliver(each: Event, plan: FaultPlan = noFaults): Promise<boolean> {
  const body = [JSON.stringify(each)];
  const first = await world.work('roomEvents', body, plan);
  return (first === 0 ? first : await world.work('roomEvents', body)) !== 0;
}

/** What must be stored after events in this order, without faults. */
function expected(events: readonly Event[]) {
  const reported = new Map<string, Event>();
  const owners: Record<string, string> = {};
  const refused = events.map((each) => {
    const { organizationId, createdAt, data } = each;
    const location = `s3://${world.resources.buckets.recordings}/${data.location.key}`;
    if (owners[location] !== undefined && !owners[location].startsWith(`${organizationId} `)) return true;
    const name = `${organizationId} ${data.recordingId}`;
    if (createdAt >= (reported.get(name)?.createdAt ?? '')) reported.set(name, each);
    owners[location] ??= `${organizationId} ${data.recordingId} ${createdAt}`;
    return false;
  });
  const keys = Object.fromEntries([...reported].map(([name, { data }]) => [name, data.location.key]));
  return { refused, stored: { keys, owners } };
}

const plans: Readonly<Record<string, () => FaultPlan>> = {
  none: () => noFaults,
  'killed before': () => killAt(1, 'before'),
  'killed after': () => killAt(1, 'after'),
  'killed before the claim of an older event': () => killAt(2, 'before'),
  'answer lost': () => failing('TransactWriteItemsCommand', serviceError('InternalServerError', 500), 'after', 4),
  conflict: () => failing('TransactWriteItemsCommand', cancelled('None', 'TransactionConflict'), 'before'),
  'conflict of the claim of an older event': () => (call) =>
    call.index === 2 ? { error: cancelled('TransactionConflict'), when: 'before' } : undefined,
  throttled: () => failing('TransactWriteItemsCommand', serviceError('ThrottlingException', 400), 'before', 4),
};

test(`a file has one owner, and every recording a file of its organization, after any events and faults (FUZZ_SEED=${seed})`, async () => {
  const step = fc.record({
    organization: fc.nat(1),
    recording: fc.nat(1),
    key: fc.nat(2),
    minute: fc.nat(3),
    plan: fc.constantFrom(...Object.keys(plans)),
    isRepeated: fc.boolean(),
  });
  const play = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 20 }), async (steps) => {
    const organizations = [organization(), organization()];
    const [ids, folder] = [[randomUUID(), randomUUID()], randomUUID()];
    const events: Event[] = [];
    const refused: boolean[] = [];
    for (const { plan, isRepeated, ...of } of steps) {
      const owner = organizations[of.organization] ?? '';
      const each = event(owner, ids[of.recording] ?? '', `${folder}/${of.key}.wav`, of.minute);
      for (const _ of isRepeated ? [1, 2] : [1]) {
        events.push(each);
        refused.push(await deliver(each, plans[plan]?.()));
      }
    }
    expect({ refused, stored: await stored(organizations) }).toEqual(expected(events));
  });
  await fc.assert(play, { seed, numRuns: 6, endOnFailure: true });
});

test('of two organizations that claim a file at the same time, one gets it', async () => {
  const [acme, other] = [organization(), organization()];
  const [first, second] = [event(acme, randomUUID(), 'meanwhile.wav'), event(other, randomUUID(), 'meanwhile.wav')];
  expect(
    await deliver(
      first,
      meanwhileAt(1, () => deliver(second)),
    ),
  ).toBe(true);
  expect(Object.values((await stored([acme, other])).owners)).toEqual([expect.stringContaining(other)]);

  const both = [acme, other].map((each) => JSON.stringify(event(each, randomUUID(), 'together.wav')));
  expect(await world.work('roomEvents', both)).toBe(1);
  expect(Object.keys((await stored([acme, other])).keys)).toHaveLength(2);
});

test('an older event that arrives later claims its file, unless another organization owns it', async () => {
  const [acme, other] = [organization(), organization()];
  const [recordingId, folder] = [randomUUID(), randomUUID()];
  const [earlier, later, foreign] = ['earlier', 'later', 'foreign'].map((name) => `${folder}/${name}.wav`) as [
    string,
    string,
    string,
  ];
  const events = [
    event(other, randomUUID(), foreign),
    event(acme, recordingId, later, 1),
    event(acme, recordingId, earlier),
    event(acme, recordingId, foreign),
  ];
  const refused: boolean[] = [];
  for (const each of events) refused.push(await deliver(each));
  expect({ refused, stored: await stored([acme, other]) }).toEqual(expected(events));
  expect(refused).toEqual([false, false, false, true]);
  expect((await stored([acme])).owners).toMatchObject({
    [`s3://${world.resources.buckets.recordings}/${earlier}`]: expect.stringContaining(acme),
  });
});

test('a refused event does not fail another event of the recording that has its id, in one batch', async () => {
  const [acme, other] = [organization(), organization()];
  const [recordingId, folder] = [randomUUID(), randomUUID()];
  const foreign = `${folder}/foreign.wav`;
  await deliver(event(other, randomUUID(), foreign));
  const both = [event(acme, recordingId, `${folder}/own.wav`), event(acme, recordingId, foreign)];
  const ofOneId = both.map((each) => JSON.stringify({ ...each, id: 'evt-1' }));
  expect(await world.work('roomEvents', ofOneId)).toBe(1);
  expect(Object.keys((await stored([acme])).keys)).toHaveLength(1);
});
