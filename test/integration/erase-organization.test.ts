import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { bucketNames, tableNames } from '#shared/names.ts';
import { dyingAfter, eraseOnMachine, everythingWith, populate, removedIn } from '../support/erasure.ts';
import { endpoints, organization, s3 } from '../support/machine.ts';
import { finishRecording, registered, shortWav } from '../support/recordings.ts';

describe('npm run organization -- erase', () => {
  it('says what would go, and removes nothing', async () => {
    const acme = organization();
    const { recordingId } = await finishRecording(acme);
    await registered(acme, recordingId);
    await expect(eraseOnMachine([acme])).rejects.toThrow(
      new RegExp(
        `rows in all 8 tables[\\s\\S]*${endpoints.buckets.recordings}[\\s\\S]*organization -- erase ${acme} .* --yes`,
      ),
    );
    expect(await everythingWith(acme)).toHaveLength(1);
  });

  it('removes every row, object and job of one organization, and nothing of another; then there is nothing', async () => {
    const [acme, other] = [organization(), organization()];
    await Promise.all([populate(acme, { body: shortWav }), populate(other)]);
    const unnamed = { Bucket: endpoints.buckets.recordings, Key: `${acme}/no-event-has-named-it.wav`, Body: 'a' };
    await s3.send(new PutObjectCommand(unnamed));
    const before = await everythingWith(other);

    const removed = removedIn(await eraseOnMachine([acme, '--yes']));

    expect(await everythingWith(acme)).toEqual([]);
    expect(await everythingWith(other)).toEqual(before);
    expect(removed['objects of recordings']).toBe(2); // one that three rows name, and one that none does
    const kinds = [...tableNames.map((name) => `rows of ${name}`), ...bucketNames.map((name) => `objects of ${name}`)];
    expect(Object.keys(removed)).toEqual([...kinds, 'Transcribe jobs']);
    for (const kind of Object.keys(removed)) expect(removed[kind], kind).toBeGreaterThan(0);
    const again = removedIn(await eraseOnMachine([acme, '--yes']));
    expect(again).toEqual(Object.fromEntries(Object.keys(removed).map((kind) => [kind, 0])));
  });

  it('names files in other buckets, and leaves them and what other organizations have generated', async () => {
    const [acme, other] = [organization(), organization()];
    await populate(other);
    const before = await everythingWith(other);
    const theirs = before.find((each) => each.startsWith(`transcripts generated/${other}/`))?.split(' ')[1] ?? '';
    const transcripts = endpoints.buckets.transcripts ?? '';
    for (const location of [
      { bucket: 'archive-of-acme', key: 'a.wav' },
      { bucket: transcripts, key: theirs },
    ]) {
      const { recordingId } = await finishRecording(acme, { location });
      await registered(acme, recordingId);
    }
    expect(await eraseOnMachine([acme, '--yes'])).toContain('s3://archive-of-acme/a.wav');
    expect(await everythingWith(acme)).toEqual([]);
    expect(await everythingWith(other)).toEqual(before);
  });

  it('ends its work when it is run again, wherever it was killed', { timeout: 180_000 }, async () => {
    const kills = [1, 2, 4, 7, 11, 16, 22, 29];
    const killed = kills.map((calls) => ({ acme: organization(), ...dyingAfter(calls) }));
    for (const { acme } of killed) await populate(acme);
    for (const { acme, stores, done } of killed) {
      await expect(eraseOnMachine([acme, '--yes'], stores), `after ${done()} calls`).rejects.toThrow('killed');
      expect((await everythingWith(acme)).length).toBeGreaterThan(0);
      await eraseOnMachine([acme, '--yes']);
      expect(await everythingWith(acme), `killed after ${done()} calls`).toEqual([]);
    }
  });
});
