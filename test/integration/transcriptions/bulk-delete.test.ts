import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { clientOf, issuePaths } from '../../support/http/checked-api.ts';
import { listedSessions, pageOf } from '../../support/http/listing.ts';
import { keepTranscript, known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { organization } from '../../support/machine.ts';
import { readyTranscription } from '../../support/media/recordings.ts';
import { rowsOf, transcriptKeysWith } from '../../support/storage/storage.ts';
import { jobOf } from '../../support/transcriptions/transcribe-jobs.ts';

const path = '/v1/transcriptions/bulk-delete';
const remove = (organizationId: string, transcriptionIds: readonly string[]) =>
  clientOf(organizationId)('POST', path, { body: { transcriptionIds } });
const unknownIds = (count: number) => Array.from({ length: count }, () => randomUUID());

/** Shuffles by a fixed rule, so that a failure is reproducible. */
const mixed = (ids: readonly string[]) =>
  ids
    .map((id, index) => [(index * 7919) % ids.length, id] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, id]) => id);

describe.concurrent('a bulk delete', { timeout: 90_000 }, () => {
  it('deletes every existing transcription among 3 000 ids, many of them duplicate, unknown or already deleted', async () => {
    const acme = organization();
    const live = (
      await listedSessions(
        acme,
        Array.from({ length: 100 }, () => ({})),
      )
    ).map((each) => each.transcriptionId);
    for (const id of live.slice(0, 30)) await clientOf(acme)('DELETE', `/v1/transcriptions/${id}`);
    const [spared] = await Promise.all([bystander(acme), remove(acme, live.slice(30, 40))]);
    const ids = mixed([...live, ...live, ...live, ...unknownIds(2_700)]);

    const answer = await remove(acme, ids);

    expect([answer.status, answer.text]).toEqual([204, '']);
    await eventually(async () => {
      const tooMany = await remove(acme, unknownIds(9_000)); // the first one can have been in the hour before
      expect([tooMany.status, JSON.parse(tooMany.text)]).toMatchObject([429, { code: 'too_many_deletions' }]);
      expect(Number(tooMany.headers['retry-after'])).toBeLessThanOrEqual(3600);
    });
    await eventually(async () => {
      expect((await rowsOf(acme)).filter(({ deletedAt }) => deletedAt === undefined)).toHaveLength(1);
    }, 80_000);
    expect((await pageOf(acme)).results).toEqual([spared]);
  });

  it('removes files, row, list entry and job, as a single delete does', async () => {
    const acme = organization();
    const ready = await readyTranscription(acme);
    const session = liveSession(acme);
    const location = await keepTranscript(session.key('minutes.md'), 'Hello');
    await sendToRoomEvents([session.finished({ storageType: 'SERVICE_HOSTED', location })]);
    await known(acme, session.path);

    await remove(acme, [ready.transcriptionId.toUpperCase(), session.transcriptionId]);

    await eventually(async () => {
      expect((await rowsOf(acme)).map(({ state }) => state)).toEqual([undefined, undefined]);
    }, 80_000);
    expect(await transcriptKeysWith(ready.transcriptionId, `generated/${acme}/`)).toEqual([]);
    expect(await transcriptKeysWith(session.transcriptionId, `live/${acme}/`)).toEqual([]);
    expect(await jobOf(acme, ready.transcriptionId)).toBeUndefined();
  });

  it('returns the same answer for repeated and for unknown ids', async () => {
    const acme = organization();
    const [one] = await listedSessions(acme, [{}]);
    const ids = [String(one?.transcriptionId)];

    const answers = [await remove(acme, ids), await remove(acme, ids), await remove(acme, unknownIds(1))];

    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [204, '']));
  });

  it('rejects 10 001 ids and a list with an invalid id, and deletes nothing', async () => {
    const acme = organization();
    const [spared] = await listedSessions(acme, [{}]);
    const id = String(spared?.transcriptionId);

    const tooMany = await remove(acme, [id, ...unknownIds(10_000)]);
    const twice = await remove(
      acme,
      Array.from({ length: 10_001 }, () => id),
    );
    const notAnId = await remove(acme, [id, ...unknownIds(500), 'x']);

    expect([tooMany, twice, notAnId].map(({ status }) => status)).toEqual([400, 400, 400]);
    expect([tooMany, twice].map(issuePaths)).toEqual([['transcriptionIds'], ['transcriptionIds']]);
    expect(issuePaths(notAnId)).toEqual(['transcriptionIds.501']);
    // Once this later deletion is done, the rejected ones would be done too.
    const [later] = (await listedSessions(acme, [{}, {}])).filter((each) => each.transcriptionId !== id);
    await remove(acme, [String(later?.transcriptionId)]);
    await eventually(async () => {
      expect((await clientOf(acme)('GET', `/v1/transcriptions/${later?.transcriptionId}`)).status).toBe(404);
    }, 80_000);
    expect(await known(acme, `/v1/transcriptions/${id}`)).toEqual(spared);
  });
});

/** A transcription that must not be deleted. */
async function bystander(organizationId: string) {
  const session = liveSession(organizationId);
  await sendToRoomEvents([session.finished()]);
  return known(organizationId, session.path, 'ready');
}
