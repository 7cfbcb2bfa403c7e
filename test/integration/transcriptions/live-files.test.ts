import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { HeadObjectCommand, NotFound } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { AccessLink } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { clientOf, codeOf, read } from '../../support/http/checked-api.ts';
import { deliver, keepTranscript, known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { dynamodb, endpoints, invoke, organization, s3 } from '../../support/machine.ts';
import { redrive, sendDeadLetter } from '../../support/operations/dead-letters.ts';

const bucket = String(endpoints.buckets.transcripts);

/** A ready live transcription with one file, which contains its own key. */
async function readyLive(organizationId: string, file = 'minutes.md') {
  const session = liveSession(organizationId);
  const location = await keepTranscript(session.key(file), session.key(file));
  await sendToRoomEvents([session.finished({ storageType: 'SERVICE_HOSTED', location })]);
  await known(organizationId, session.path, 'ready');
  return { ...session, location };
}

/** What the link of a transcription opens. */
async function opened(organizationId: string, path: string): Promise<string> {
  const { accessLink } = read(AccessLink, await clientOf(organizationId)('GET', `${path}/access-link`));
  const file = await fetch(accessLink);
  expect(file.status).toBe(200);
  return file.text();
}

const isThere = async (key: string) => {
  try {
    await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key }));
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
};

/** Makes the reconciler give a live transcription up, as if 48 hours had passed. */
async function giveUp(organizationId: string, { transcriptionId, path }: ReturnType<typeof liveSession>) {
  await dynamodb.send(
    new UpdateItemCommand({
      TableName: endpoints.tables.transcriptions,
      Key: { organizationId: { S: organizationId }, transcriptionId: { S: transcriptionId } },
      UpdateExpression: 'SET dueAt = :past',
      ExpressionAttributeValues: { ':past': { S: '2026-01-01T00:00:00.000Z' } },
    }),
  );
  await invoke('reconcile-transcriptions');
  return known(organizationId, path, 'failed');
}

describe.concurrent('the late end of a live transcription that was given up', () => {
  it('makes it ready with its file, also from the dead-letter queue. A second end changes nothing', async () => {
    const acme = organization();
    const session = liveSession(acme);
    await sendToRoomEvents([session.started()]);
    await known(acme, session.path);
    const location = await keepTranscript(session.key('minutes.md'), 'the only copy');
    const finished = session.finished({ storageType: 'SERVICE_HOSTED', location });
    await sendDeadLetter(finished);
    expect(await giveUp(acme, session)).toMatchObject({ failure: { code: 'end_not_reported' } });

    await redrive(finished.id);

    const ready = await known(acme, session.path, 'ready');
    expect(ready.failure).toBeUndefined();
    expect(await opened(acme, session.path)).toBe('the only copy');
    expect(await deliver('record-room-events', [session.failed(), session.started(), finished])).toBe(0);
    expect(await known(acme, session.path)).toEqual(ready);
    expect(await opened(acme, session.path)).toBe('the only copy');
  });
});

describe.concurrent('a file of a live transcription', () => {
  it('is neither deleted nor linked by an event of another transcription or organization', async () => {
    const [acme, mallory] = [organization(), organization()];
    const [victim, own] = [await readyLive(acme), liveSession(mallory)];
    const claim = { storageType: 'SERVICE_HOSTED', location: victim.location };
    const neighbour = liveSession(acme);
    await deliver('record-room-events', [own.started(), neighbour.started()]);

    const claims = [own.finished(claim), own.failed(claim), neighbour.finished(claim)];
    expect(await deliver('record-room-events', claims)).toBe(claims.length);
    await deliver('record-room-events', [own.failed(), neighbour.failed()]);
    expect(await deliver('record-room-events', [own.finished(claim), neighbour.finished(claim)])).toBe(2);
    for (const [who, path] of [[mallory, own.path] as const, [acme, neighbour.path] as const]) {
      expect((await clientOf(who)('GET', `${path}/access-link`)).status).toBe(403);
      expect((await clientOf(who)('DELETE', path)).status).toBe(204);
    }
    expect(await deliver('record-room-events', [own.finished(claim), neighbour.finished(claim)])).toBe(2);

    expect(await opened(acme, victim.path)).toBe(victim.location.key);
  });

  it('stays the named one if a second end names a corrected key. Both go with the transcription', async () => {
    const acme = organization();
    const session = await readyLive(acme);
    const corrected = await keepTranscript(session.key('corrected.md'), 'corrected');

    const late = session.finished({ storageType: 'SERVICE_HOSTED', location: corrected });
    expect(await deliver('record-room-events', [late, session.failed({ location: corrected })])).toBe(0);

    expect(await opened(acme, session.path)).toBe(session.location.key);
    expect(await isThere(corrected.key)).toBe(true);
    await clientOf(acme)('DELETE', session.path);
    expect(await Promise.all([session.location.key, corrected.key].map(isThere))).toEqual([false, false]);
  });

  it('cannot be reached by dot segments in the key of another', async () => {
    const [acme, mallory] = [organization(), organization()];
    const victim = await readyLive(acme);
    const own = liveSession(mallory);

    const keys = [`../../../${victim.location.key}`, `./x/../../../../${victim.location.key}`, '/a.md', 'a//b.md'];
    const claims = keys.map((key) => own.finished({ location: { bucket, key: own.key(key) } }));
    expect(await deliver('record-room-events', claims)).toBe(claims.length);

    const answer = await clientOf(mallory)('GET', `${own.path}/access-link`);
    expect([answer.status, codeOf(answer)]).toEqual([404, 'transcription_not_found']);
    expect(await opened(acme, victim.path)).toBe(victim.location.key);
  });

  it.each([
    ...['a b.md', 'a+b.md', '100%.md', 'a%2Fb.md', '%2e%2e/a.md', 'a?b.md', 'a#b.md', 'a&b=c.md', "it's (1)!*.md"],
    ...[
      '\u043f\u0440\u043e\u0442\u043e\u043a\u043e\u043b.md',
      '\u4f1a\u8b70/\u00fc.md',
      '...md',
      '.a/b..md',
      'a\\..\\b.md',
      '<a>"\'.md',
    ],
  ])('is opened by its link, and deleted, with exactly the key %j', async (file) => {
    const acme = organization();
    const decoy = liveSession(acme);
    const session = await readyLive(acme, file);
    await keepTranscript(decoy.key('a.md'), 'decoy');

    expect(await opened(acme, session.path)).toBe(session.key(file));
    await clientOf(acme)('DELETE', session.path);

    expect(await isThere(session.key(file))).toBe(false);
    expect(await isThere(decoy.key('a.md'))).toBe(true);
  });
});
