import { randomUUID } from 'node:crypto';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccessLink } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { clientOf, read } from '../../support/http/checked-api.ts';
import {
  deliver,
  keepTranscript,
  liveSession,
  processed,
  sendToRoomEvents,
} from '../../support/insights/live-sessions.ts';
import { dynamodb, endpoints, invoke, organization, s3 } from '../../support/machine.ts';

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const rounds = 6;
const documents = DynamoDBDocumentClient.from(dynamodb);
const TableName = String(endpoints.tables.transcriptions);
const Bucket = String(endpoints.buckets.transcripts);
const files = ['a.md', 'b c+%2F.md'] as const;

/** Every organization has a live transcription of each id: four organizations and two ids. The last one is the stranger. */
type Owner = { readonly organizationId: string; readonly session: ReturnType<typeof liveSession> };

const owner = fc.nat(5);
/** The transcription of this owner has ended before the first step, and is not deleted. So one link opens in every round. */
const steady = 5;
/** Events of the three others may name the files of the stranger, too. The stranger sends none. */
const ownerOfFile = fc.nat(7);
const named = fc.record({
  kind: fc.constantFrom('own', 'own', 'foreign', 'generated', 'dots', 'elsewhere', 'recordings', 'none'),
  owner: ownerOfFile,
  file: fc.constantFrom(...files),
});
const event = fc.record({
  does: fc.constantFrom('started', 'finished', 'finished', 'failed'),
  owner,
  named,
  storageType: fc.constantFrom(undefined, 'SERVICE_HOSTED', 'SELF_HOSTED'),
  times: fc.integer({ min: 1, max: 2 }),
  isQueued: fc.boolean(),
});
const other = fc.record({ does: fc.constantFrom('deleted', 'given up'), owner: fc.nat(steady - 1) });
const step = fc.oneof({ weight: 5, arbitrary: event }, { weight: 1, arbitrary: other });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test(`any live events leave every file with its owner, and every ready transcript opens for its owner alone (FUZZ_SEED=${seed})`, {
  timeout: 120_000,
}, async () => {
  // All rounds at once, because each one waits for its dead letters.
  const histories = fc.sample(fc.array(step, { minLength: 15, maxLength: 30 }), { seed, numRuns: rounds });
  await Promise.all(histories.map(play));
});

/** Plays a history among new owners, and checks each transcription. At least one of their links must open. */
async function play(steps: readonly Step[]): Promise<void> {
  const owners = await newOwners();
  const strangers = owners.slice(-2);
  const ends = owners.map(({ session }) => session.finished(fileOf({ bucket: Bucket, key: session.key('a.md') })));
  const sent = await sendToRoomEvents(ends.slice(-2));
  expect(await deliver('record-room-events', ends.slice(steady, steady + 1))).toBe(0);
  for (const step of steps) sent.push(...(await take(step, owners)));
  sent.push(...(await sendToRoomEvents(ends)));
  await processed('record-room-events', sent);
  const opened: boolean[] = [];
  for (const each of owners.slice(0, -2)) opened.push(await expectOwnFilesOnly(each, strangers));
  for (const each of strangers) await expectOwnFilesOnly(each, strangers);
  expect(opened).toContain(true);
}

/** Writes two live files and a generated one for each transcription. Each contains its own key. */
async function newOwners(): Promise<Owner[]> {
  const [one, two] = [randomUUID(), randomUUID()];
  const organizations = [organization(), organization(), organization(), organization()];
  const owners = organizations.flatMap((organizationId) =>
    [one, two].map((transcriptionId) => ({
      organizationId,
      session: liveSession(organizationId, { transcriptionId }),
    })),
  );
  await Promise.all(owners.flatMap(keysOf).map((key) => keepTranscript(key, key)));
  return owners;
}

function keysOf({ organizationId, session }: Owner): string[] {
  return [`generated/${organizationId}/${session.transcriptionId}/a.md`, ...files.map((file) => session.key(file))];
}

/** Takes one step. Returns the ids of the messages that it sent to the queue. */
async function take(step: Step, owners: readonly Owner[]): Promise<string[]> {
  const own = owners[step.owner] as Owner;
  if (step.does === 'deleted') {
    expect((await clientOf(own.organizationId)('DELETE', own.session.path)).status).toBe(204);
  } else if (step.does === 'given up') {
    await giveUp(own);
  } else if ('named' in step) {
    const location = locationOf(step.named, own, owners[step.named.owner] as Owner);
    const facts = { storageType: step.storageType, ...(location && { location }) };
    const message = step.does === 'started' ? own.session.started() : own.session[step.does](facts);
    const messages = Array.from({ length: step.times }, () => message);
    if (step.isQueued) return sendToRoomEvents(messages);
    await deliver('record-room-events', messages);
  }
  return [];
}

function locationOf(
  { kind, file }: { readonly kind: string; readonly file: string },
  own: Owner,
  { organizationId, session }: Owner,
) {
  if (kind === 'none') return undefined;
  if (kind === 'own') return { bucket: Bucket, key: own.session.key(file) };
  if (kind === 'elsewhere') return { bucket: 'bucket-of-a-customer', key: session.key(file) };
  if (kind === 'recordings') return { bucket: String(endpoints.buckets.recordings), key: session.key(file) };
  if (kind === 'dots') return { bucket: Bucket, key: own.session.key(`../../../${session.key(file)}`) };
  const generated = `generated/${organizationId}/${session.transcriptionId}/a.md`;
  return { bucket: Bucket, key: kind === 'generated' ? generated : session.key(file) };
}

const fileOf = (location: object) => ({ storageType: 'SERVICE_HOSTED', location });

const rowKey = ({ organizationId, session }: Owner) => ({ organizationId, transcriptionId: session.transcriptionId });

/** Starts the transcription if nothing is known of it, and makes the reconciler give it up if it is in progress. */
async function giveUp(own: Owner): Promise<void> {
  await deliver('record-room-events', [own.session.started()]);
  const update = new UpdateCommand({
    TableName,
    Key: rowKey(own),
    UpdateExpression: 'SET dueAt = :past',
    ConditionExpression: 'attribute_exists(dueAt)',
    ExpressionAttributeValues: { ':past': '2026-01-01T00:00:00.000Z' },
  });
  const isInProgress = await documents.send(update).then(
    () => true,
    () => false,
  );
  if (isInProgress) await invoke('reconcile-transcriptions');
}

/**
 * Checks one transcription after all of its events. The stranger's transcription of the same id opens the stranger's file only.
 * Returns whether it has a link.
 */
async function expectOwnFilesOnly(own: Owner, strangers: readonly Owner[]): Promise<boolean> {
  const { session } = own;
  const { Item: row = {} } = await documents.send(
    new GetCommand({ TableName, Key: rowKey(own), ConsistentRead: true }),
  );
  const isDeleted = row.deletedAt !== undefined;
  if (!isDeleted) expect(['ready', 'failed'], session.path).toContain(row.state);
  expect(row.failure?.code, 'the reported end replaces a guessed one').not.toBe('end_not_reported');
  const [generated, ...live] = keysOf(own);
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: session.key('') }));
  expect(Contents.map(({ Key }) => Key)).toEqual(isDeleted ? [] : live);
  for (const Key of isDeleted ? [] : [generated, ...live]) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect(await Body?.transformToString()).toBe(Key);
  }
  const [stranger] = strangers.filter((each) => each.session.transcriptionId === session.transcriptionId);
  expect(await openedBy(stranger as Owner)).toBe(stranger?.session.key('a.md'));

  const text = await openedBy(own);
  if (isDeleted) expect(text).toBeUndefined();
  else if (row.state === 'ready' && row.storageType === 'SERVICE_HOSTED' && row.location?.bucket === Bucket)
    expect(text, 'a ready transcription with a file has a link').toBe(row.location.key);
  if (text !== undefined) expect(live).toContain(text);
  return text !== undefined;
}

/** What the link of a transcription opens, for its organization. Undefined if it has no link. */
async function openedBy({ organizationId, session }: Owner): Promise<string | undefined> {
  const link = await clientOf(organizationId)('GET', `${session.path}/access-link`);
  if (link.status !== 200) return undefined;
  const file = await fetch(read(AccessLink, link).accessLink);
  expect(file.status).toBe(200);
  return file.text();
}
