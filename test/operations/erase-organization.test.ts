import { randomUUID } from 'node:crypto';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { bucketNames, tableNames } from '#shared/runtime/names.ts';
import { sessionOf } from '../support/insights/insights.ts';
import { deliver, liveSession } from '../support/insights/live-sessions.ts';
import { endpoints, organization, s3 } from '../support/machine.ts';
import { finishRecording, recordingEvent, registered, shortWav } from '../support/media/recordings.ts';
import {
  createSecret,
  eraseInRunner,
  findEverywhere,
  openStoresFailingAfter,
  populate,
  removedIn,
} from '../support/operations/erasure.ts';

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
    expect(removed['objects of recordings']).toBe(3); // one is named by three rows, one by a track, and one by none
    const kinds = [...tableNames.map((name) => `rows of ${name}`), ...bucketNames.map((name) => `objects of ${name}`)];
    expect(Object.keys(removed)).toEqual([...kinds, 'Transcribe jobs', 'secrets of connections']);
    for (const kind of Object.keys(removed)) expect(removed[kind], kind).toBeGreaterThan(0);
    expect(removed['rows of webhookDeliveries']).toBe(2); // one is of a webhook that was deleted
    await expect(eraseInRunner([acme, '--yes'])).rejects.toThrow('Is the id right?');
    expect(await eraseInRunner([acme, '--check'])).toContain(`There is no data of organization ${acme}`);
  });

  test('removes the secret of a connection whose row is gone, also if nothing else is left', async () => {
    const [acme, other] = [organization(), organization()];
    await createSecret(acme, `lost-of-${acme}`);
    await createSecret(other, `lost-of-${other}`);
    await expect(eraseInRunner([acme, '--check'])).rejects.toThrow(/secrets of connections +1$/m);
    expect(removedIn(await eraseInRunner([acme, '--yes']))).toMatchObject({ 'secrets of connections': 1 });
    expect(await findEverywhere(acme)).toEqual([]);
    expect(await findEverywhere(other)).toHaveLength(1);
  });

  test('removes the files that the organization owns, also those of earlier events, and lists and keeps all others', async () => {
    const [acme, other] = [organization(), organization()];
    const at = (key: string) => ({ bucket: String(endpoints.buckets.recordings), key });
    const [first, second, unnamed] = [at(`first-${acme}`), at(`second-${acme}`), at(`${acme}/unnamed`)];
    const [theirs, inFolder] = [at(`theirs-${acme}`), at(`${acme}/theirs`)];
    const archived = { bucket: 'archive-of-acme', key: 'a.wav' };
    for (const { bucket, key } of [first, second, unnamed, theirs, inFolder])
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'a' }));
    const recording = await finishRecording(acme, { location: first });
    await registered(acme, recording.recordingId);
    const later = [second, archived].map((location, index) =>
      recordingEvent(acme, { ...recording, location }, `2099-01-0${index + 1}T00:00:00Z`),
    );
    for (const event of later) expect(await deliver('record-room-events', [event])).toBe(0);
    const claims = [theirs, inFolder].map((location) =>
      recordingEvent(other, { ...recording, location, recordingId: randomUUID() }),
    );
    const live = liveSession(acme).finished({ location: theirs });
    expect(await deliver('record-room-events', [...claims, live])).toBe(0);

    const preview = await eraseInRunner([acme]);
    const report = await eraseInRunner([acme, '--yes']);

    const stays = 'Not removed, because the service does not own it: ';
    for (const text of [preview, report]) {
      expect(removedIn(text)).toMatchObject({ 'rows of recordingFiles': 3, 'objects of recordings': 3 });
      const printed = text.split('\n').filter((line) => line.startsWith(stays));
      const expected = [archived, theirs, inFolder].map(({ bucket, key }) => `${stays}s3://${bucket}/${key}`);
      expect(printed.sort()).toEqual(expected.sort());
    }
    const left = (await findEverywhere(acme)).filter((each) => each.startsWith('recordings ') && !each.includes('{'));
    expect(left).toEqual([`recordings ${acme}/theirs`, `recordings theirs-${acme}`]);
    expect(removedIn(await eraseInRunner([other]))).toMatchObject({ 'rows of recordingFiles': 2 });
  });

  test('finds a session whose events were all taken back before they arrived', async () => {
    const acme = organization();
    const { joined, retracted } = sessionOf(acme);
    const join = joined('ann', '09:00');
    for (const event of [retracted(join), join]) expect(await deliver('record-room-events', [event])).toBe(0);
    expect((await findEverywhere(acme)).join()).toContain('roomSessions');
    await eraseInRunner([acme, '--yes']);
    expect(await findEverywhere(acme)).toEqual([]);
  });

  test('completes the erasure in a second run after a crash at any point', { timeout: 180_000 }, async () => {
    const kills = [1, 2, 4, 9, 16, 29];
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
