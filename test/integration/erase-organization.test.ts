import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { bucketNames, tableNames } from '#shared/names.ts';
import { eraseInRunner, findEverywhere, openStoresFailingAfter, populate, removedIn } from '../support/erasure.ts';
import { endpoints, organization, s3 } from '../support/machine.ts';
import { finishRecording, registered, shortWav } from '../support/recordings.ts';

describe('npm run organization -- erase', () => {
  test('shows what it would remove, and removes nothing without --yes', async () => {
    const acme = organization();
    const { recordingId } = await finishRecording(acme);
    await registered(acme, recordingId);
    await expect(eraseInRunner([acme])).rejects.toThrow(
      new RegExp(
        `rows in all ${tableNames.length} tables[\\s\\S]*${endpoints.buckets.recordings}[\\s\\S]*organization -- erase ${acme} .* --yes`,
      ),
    );
    expect(await findEverywhere(acme)).toHaveLength(1);
  });

  test('removes every row, object and job of one organization and nothing of another, and then finds nothing more', async () => {
    const [acme, other] = [organization(), organization()];
    await Promise.all([populate(acme, { body: shortWav }), populate(other)]);
    const unnamed = { Bucket: endpoints.buckets.recordings, Key: `${acme}/no-event-has-named-it.wav`, Body: 'a' };
    await s3.send(new PutObjectCommand(unnamed));
    const before = await findEverywhere(other);

    const removed = removedIn(await eraseInRunner([acme, '--yes']));

    expect(await findEverywhere(acme)).toEqual([]);
    expect(await findEverywhere(other)).toEqual(before);
    expect(removed['objects of recordings']).toBe(2); // one is named by three rows, the other by none
    const kinds = [...tableNames.map((name) => `rows of ${name}`), ...bucketNames.map((name) => `objects of ${name}`)];
    expect(Object.keys(removed)).toEqual([...kinds, 'Transcribe jobs']);
    for (const kind of Object.keys(removed)) expect(removed[kind], kind).toBeGreaterThan(0);
    const again = removedIn(await eraseInRunner([acme, '--yes']));
    expect(again).toEqual(Object.fromEntries(Object.keys(removed).map((kind) => [kind, 0])));
  });

  test('lists and keeps files in other buckets, and keeps transcripts of other organizations', async () => {
    const [acme, other] = [organization(), organization()];
    await populate(other);
    const before = await findEverywhere(other);
    const theirs = before.find((each) => each.startsWith(`transcripts generated/${other}/`))?.split(' ')[1] ?? '';
    const transcripts = endpoints.buckets.transcripts ?? '';
    for (const location of [
      { bucket: 'archive-of-acme', key: 'a.wav' },
      { bucket: transcripts, key: theirs },
    ]) {
      const { recordingId } = await finishRecording(acme, { location });
      await registered(acme, recordingId);
    }
    expect(await eraseInRunner([acme, '--yes'])).toContain('s3://archive-of-acme/a.wav');
    expect(await findEverywhere(acme)).toEqual([]);
    expect(await findEverywhere(other)).toEqual(before);
  });

  test('completes the erasure in a second run after a crash at any point', { timeout: 180_000 }, async () => {
    const kills = [1, 2, 4, 7, 11, 16, 22, 29];
    const killed = kills.map((calls) => ({ acme: organization(), ...openStoresFailingAfter(calls) }));
    for (const { acme } of killed) await populate(acme);
    for (const { acme, stores, done } of killed) {
      await expect(eraseInRunner([acme, '--yes'], stores), `after ${done()} calls`).rejects.toThrow('killed');
      expect((await findEverywhere(acme)).length).toBeGreaterThan(0);
      await eraseInRunner([acme, '--yes']);
      expect(await findEverywhere(acme), `killed after ${done()} calls`).toEqual([]);
    }
  });
});
