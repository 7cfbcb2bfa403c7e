import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { bucketNames, tableNames } from '#shared/names.ts';
import { eraseInRunner, findEverywhere, openStoresFailingAfter, populate, removedIn } from '../support/erasure.ts';
import { endpoints, organization, s3 } from '../support/machine.ts';
import { finishRecording, registered, shortWav } from '../support/recordings.ts';

describe('npm run organization -- erase', () => {
  test('counts and then removes every row, object and job of one organization, and nothing of another', async () => {
    const [acme, other] = [organization(), organization()];
    await Promise.all([populate(acme, { body: shortWav }), populate(other)]);
    const unnamed = { Bucket: endpoints.buckets.recordings, Key: `${acme}/no-event-has-named-it.wav`, Body: 'a' };
    await s3.send(new PutObjectCommand(unnamed));
    const before = await findEverywhere(other);
    const ofAcme = await findEverywhere(acme);

    const preview = await eraseInRunner([acme]);
    expect(preview).toMatch(new RegExp(`organization -- erase ${acme} --data-dir \\S+ --yes$`));
    expect(await findEverywhere(acme)).toEqual(ofAcme);
    await expect(eraseInRunner([acme, '--check'])).rejects.toThrow('There is data of organization');

    const removed = removedIn(await eraseInRunner([acme, '--yes']));

    expect(await findEverywhere(acme)).toEqual([]);
    expect(await findEverywhere(other)).toEqual(before);
    expect(removedIn(preview)).toEqual(removed);
    expect(removed['objects of recordings']).toBe(2); // one is named by three rows, the other by none
    const kinds = [...tableNames.map((name) => `rows of ${name}`), ...bucketNames.map((name) => `objects of ${name}`)];
    expect(Object.keys(removed)).toEqual([...kinds, 'Transcribe jobs']);
    for (const kind of Object.keys(removed)) expect(removed[kind], kind).toBeGreaterThan(0);
    await expect(eraseInRunner([acme, '--yes'])).rejects.toThrow('Is the id right?');
    expect(await eraseInRunner([acme, '--check'])).toContain(`There is no data of organization ${acme}`);
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
