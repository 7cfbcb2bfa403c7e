import { randomUUID } from 'node:crypto';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AccessLink, Transcription } from '#shared/contracts/transcription.ts';
import { clientOf, read } from '../support/checked-api.ts';
import { deliver, keepTranscript, liveSession, sendToRoomEvents } from '../support/live-sessions.ts';
import { dynamodb, endpoints, eventually, invoke, organization, s3 } from '../support/machine.ts';

const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);
const rounds = 6;
const documents = DynamoDBDocumentClient.from(dynamodb);
const TableName = String(endpoints.tables.transcriptions);
const Bucket = String(endpoints.buckets.transcripts);
const files = ['a.md', 'b c+%2F.md'] as const;
const stranger = organization();

/** Every organization has a live transcription of each id: three organizations and two ids. */
type Owner = { readonly organizationId: string; readonly session: ReturnType<typeof liveSession> };

const owner = fc.nat(5);
const named = fc.record({
  kind: fc.constantFrom('own', 'own', 'foreign', 'generated', 'dots', 'elsewhere', 'recordings', 'none'),
  owner,
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
const other = fc.record({ does: fc.constantFrom('deleted', 'given up'), owner });
const step = fc.oneof({ weight: 5, arbitrary: event }, { weight: 1, arbitrary: other });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test(`any live events leave every file with its owner, and every ready transcript opens for its owner alone (FUZZ_SEED=${seed})`, {
  timeout: 120_000,
}, async () => {
  let opened = 0;
  const play = fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
    const owners = await newOwners();
    for (const step of steps) await take(step, owners);
    const last = owners.map(({ session }) => session.finished(fileOf({ bucket: Bucket, key: session.key('a.md') })));
    await sendToRoomEvents(last);
    for (const each of owners) opened += await expectOwnFilesOnly(each);
  });
  await fc.assert(play, { seed, numRuns: rounds, endOnFailure: true });
  expect(opened).toBeGreaterThan(0);
});

/** Writes two live files and a generated one for each transcription. Each contains its own key. */
async function newOwners(): Promise<Owner[]> {
  const [one, two] = [randomUUID(), randomUUID()];
  const organizations = [organization(), organization(), organization()];
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

async function take(step: Step, owners: readonly Owner[]): Promise<void> {
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
    await (step.isQueued ? sendToRoomEvents(messages) : deliver('record-room-events', messages));
  }
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

/** Checks one transcription after its last event. Returns 1 if its link was opened, and 0 if it has none. */
async function expectOwnFilesOnly(own: Owner): Promise<number> {
  const { organizationId, session } = own;
  const row = await eventually(async () => {
    const { Item } = await documents.send(new GetCommand({ TableName, Key: rowKey(own), ConsistentRead: true }));
    const isFinal = Item && Item.state !== 'in_progress' && Item.failure?.code !== 'end_not_reported';
    if (!isFinal) throw new Error(`${session.path} has not ended yet.`);
    return Item;
  }, 30_000);
  const isDeleted = row.deletedAt !== undefined;
  const [generated, ...live] = keysOf(own);
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket, Prefix: session.key('') }));
  expect(Contents.map(({ Key }) => Key)).toEqual(isDeleted ? [] : live);
  for (const Key of isDeleted ? [] : [generated, ...live]) {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    expect(await Body?.transformToString()).toBe(Key);
  }

  const path = `${session.path}/access-link`;
  expect((await clientOf(stranger)('GET', path)).status).toBe(404);
  const link = await clientOf(organizationId)('GET', path);
  if (link.status !== 200) {
    if (isDeleted) return 0;
    const { state, storageType } = read(Transcription, await clientOf(organizationId)('GET', session.path));
    const isOurs = state === 'ready' && storageType === 'SERVICE_HOSTED' && row.location?.bucket === Bucket;
    expect(isOurs, 'a ready transcription with a file has a link').toBe(false);
    return 0;
  }
  const file = await fetch(read(AccessLink, link).accessLink);
  expect([file.status, await file.text()]).toEqual([200, row.location.key]);
  expect(live).toContain(row.location.key);
  return 1;
}
