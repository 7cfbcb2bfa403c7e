import { randomUUID } from 'node:crypto';
import {
  type DynamoDBDocumentClient,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { InitializeMiddleware } from '@smithy/types';
import { describe, expect, test } from 'vitest';
import { openStores } from '#operations/erasure/deployment.ts';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import { fingerprintOf } from '#shared/domain/insights/room-visitors.ts';
import { platformSessions } from '#shared/storage/platforms/platform-sessions.ts';
import { workRepository } from '#shared/storage/transcriptions/works.ts';
import { eventually } from '../support/eventually.ts';
import { clientOf } from '../support/http/checked-api.ts';
import { at, insightsOf, send, sessionOf, tellerOf, untilCounted } from '../support/insights/insights.ts';
import { deliver, keepTranscript, known, liveSession, sendToRoomEvents } from '../support/insights/live-sessions.ts';
import { endpoints, organization } from '../support/machine.ts';
import { ended, finishRecording, linkTo, registered, shortWav } from '../support/media/recordings.ts';
import { stereoWav } from '../support/media/wav.ts';
import {
  ada,
  listRowsOf,
  populate,
  restore,
  rowsWith,
  shownOf,
  traces,
  visitor,
  withoutAda,
} from '../support/operations/erased-person.ts';
import {
  addPart,
  connectPlatform,
  eraseInRunner,
  expireFactsOf,
  findEverywhere,
  finishTrack,
  openStoresFailingAfter,
  removedIn,
  untilRelayed,
} from '../support/operations/erasure.ts';
import { mixedMeeting } from '../support/transcriptions/mixed-meetings.ts';
import { moveApart } from '../support/transcriptions/speakers-apart.ts';

describe('npm run organization -- erase with the id of a person', () => {
  test('removes the person from all rows, and changes no other rows and no totals', async () => {
    const [acme, other] = [organization(), organization()];
    const [{ sessions }] = await Promise.all([populate(acme), populate(other)]);
    const others = await findEverywhere(other);
    const detailsOf = async (participantId: string) => {
      const { participant } = insightsOf(acme);
      return (
        await Promise.all(sessions.map(({ roomSessionId }) => participant({ roomSessionId, participantId })))
      ).flat();
    };
    expect((await detailsOf('p-ada-1'))[1]?.events).toEqual([
      { type: 'joined', timeStamp: at('09:05') },
      { type: 'rated', timeStamp: at('09:06') },
    ]);
    const bobs = await detailsOf('p-bob');
    const peopleByMinute = async () => {
      const networks = await Promise.all(
        sessions.map(({ roomSessionId }) => insightsOf(acme).network({ roomSessionId })),
      );
      return networks.map(({ results }) => results.map(({ minute, participants }) => [minute, participants]));
    };
    expect(await peopleByMinute()).toEqual(
      sessions.map(() => [
        [at('09:01'), 1],
        [at('09:02'), 1],
      ]),
    );
    const before = await shownOf(acme, sessions); // before the rows are read, because requests change the row of the rate limit
    const hers = await rowsWith(acme, traces);
    const rest = (await findEverywhere(acme)).filter((row) => !hers.includes(row));

    const preview = await eraseInRunner([acme, '--external-id', 'crm-ada']);
    const report = await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);

    expect(report).toMatch(/^Sessions of .* in which the person participated: 2$/m);
    const counts = removedIn(report);
    expect(removedIn(preview)).toEqual(counts);
    expect(counts['rows of insightFacts']).toBe(4); // a block of samples and one of speech in each session
    for (const label of ['rows of participants', 'changed rows of participants', 'changed rows of insightFacts'])
      expect(counts[label], label).toBeGreaterThan(0);
    expect(await rowsWith(acme, traces)).toEqual([]);
    const now = await findEverywhere(acme);
    expect(rest.filter((row) => !row.startsWith('participants ') && !now.includes(row))).toEqual([]);
    expect(await shownOf(acme, sessions)).toEqual({ ...before, participants: before.participants.map(withoutAda) });
    expect(await findEverywhere(other)).toEqual(others);
    expect([await detailsOf('p-ada-1'), await detailsOf('p-bob')]).toEqual([[], bobs]);
    expect(await peopleByMinute()).toEqual(sessions.map(() => [[at('09:02'), 1]])); // only Bob
    const again = eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
    await expect(again).rejects.toThrow(/external id crm-ada.* Is the id of the person right/);
    expect(await eraseInRunner([acme, '--external-id', 'crm-ada', '--check'])).toContain(
      'There is no data of the person',
    );
  });

  test("removes the person's tracks with their files, and nothing of others or of other sessions", async () => {
    const acme = organization();
    const { sessions } = await populate(acme);
    const roomSessionId = String(sessions[0]?.roomSessionId);
    const [hers, archived] = [
      await finishTrack(acme, { participantId: 'p-ada-1', roomSessionId }),
      await finishTrack(acme, {
        ...{ participantId: 'p-ada-1', roomSessionId },
        location: { bucket: 'archive-of-acme', key: `${acme}/said by ada.ogg` },
      }),
    ];
    const bobs = await finishTrack(acme, { participantId: 'p-bob', roomSessionId });
    const elsewhere = await finishTrack(acme, { participantId: 'p-ada-1' }); // somebody with the same id in another session
    const isLeft = async ({ key }: { readonly key: string }) =>
      (await findEverywhere(acme)).filter((each) => each.includes(key)).length > 0;

    const preview = await eraseInRunner([acme, '--external-id', 'crm-ada']);
    const report = await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
    expect(removedIn(preview)).toEqual(removedIn(report));
    expect(removedIn(report)).toMatchObject({
      ...{ 'rows of recordingTracks': 2, 'rows of recordingFiles': 2, 'objects of recordings': 1 },
    });
    expect(report).toContain(`Not removed, because the service does not own it: s3://archive-of-acme/${acme}/said`);
    expect([await isLeft(hers), await isLeft(archived)]).toEqual([false, false]);
    expect([await isLeft(bobs), await isLeft(elsewhere)]).toEqual([true, true]);

    const all = await eraseInRunner([acme, '--participant-id', 'p-ada-1', '--yes']);
    expect(removedIn(all)).toMatchObject({ 'rows of recordingTracks': 1, 'objects of recordings': 1 });
    expect([await isLeft(bobs), await isLeft(elsewhere)]).toEqual([true, false]);
  });

  test('removes the webhooks that name the person, what waits for them, and the entries of remembered sessions', async () => {
    const [acme, other] = [organization(), organization()];
    const { sessions } = await populate(acme);
    const named = [
      { participant: { identity: 'p-ada-1' } },
      { data: [{ user_id: 'user-ada' }] },
      { talkTime: { 'device-ada': 3 } },
      { jid: 'p-ada-2@conference.example.com/1' },
      { customer: 'crm-ada' },
    ];
    for (const payload of named) await connectPlatform(acme, payload);
    await connectPlatform(acme, { identity: 'p-ada-10', text: 'about p-ada-1' });
    await connectPlatform(other, { identity: 'p-ada-1' });
    const { documents } = openStores(endpoints);
    const store = platformSessions(documents, String(endpoints.tables.platformSessions), { hookDays: 7 });
    const room = { organizationId: OrganizationId.parse(acme), connectionId: 'c'.repeat(43), roomName: '/daily' };
    const remembered = { roomName: '/daily', sessionId: 's', startedAt: at('09:00'), endedAt: null };
    await store.remember(room, { ...remembered, participants: { one: 'p-ada-1', two: 'p-bob' } });
    expect(sessions).toHaveLength(2);

    const preview = await eraseInRunner([acme, '--external-id', 'crm-ada']);
    const report = await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
    expect(removedIn(preview)).toEqual(removedIn(report));
    expect(removedIn(report)).toMatchObject({
      ...{ 'rows of platformSessions': 5, 'changed rows of platformSessions': 1, 'objects of transcripts': 5 },
    });
    const left = (await findEverywhere(acme)).filter((each) => /hooks\//.test(each));
    expect(left).toHaveLength(2); // one body, and the row with which it waits
    expect(await store.sessionsOf(room)).toEqual([{ ...remembered, participants: { two: 'p-bob' } }]);
    expect((await findEverywhere(other)).filter((each) => /hooks\//.test(each))).toHaveLength(2);
  });

  test('removes the webhooks that name the person by a number, or in the name of a file alone', async () => {
    const acme = organization();
    const call = '0b1c2d3e-0000-4000-8000-000000000001';
    await connectPlatform(acme, { eventType: 'FEEDBACK', data: { userId: 470011, comments: 'private' } });
    await connectPlatform(acme, { event: 'egress_ended', file: { filename: `${acme}/470011-TR_Abc.ogg` } });
    await connectPlatform(acme, {
      payload: { tracks: [{ s3Key: `d/r/1700000000000-${call}-cam-audio-1700000000001` }] },
    });
    await connectPlatform(acme, { data: { userId: 4700112, count: 470011 }, filename: '4700112-TR_Abc.ogg' });
    const store = platformSessions(openStores(endpoints).documents, String(endpoints.tables.platformSessions), {
      hookDays: 7,
    });
    const room = { organizationId: OrganizationId.parse(acme), connectionId: 'c'.repeat(43), roomName: '/daily' };
    const times = { startedAt: at('09:00'), endedAt: null };
    await store.remember(room, { roomName: '/daily', sessionId: 's', ...times, participants: { [call]: '470011' } });

    const person = [acme, '--participant-id', '470011'];
    await expect(eraseInRunner([...person, '--check'])).rejects.toThrow('objects of transcripts');
    expect(removedIn(await eraseInRunner([...person, '--yes']))).toMatchObject({
      ...{ 'rows of platformSessions': 3, 'changed rows of platformSessions': 1, 'objects of transcripts': 3 },
    });
    expect(await eraseInRunner([...person, '--check'])).toContain('no data');
    expect((await findEverywhere(acme)).filter((each) => /hooks\//.test(each))).toHaveLength(2);
  });

  test('removes nothing while audio of the person is at Transcribe', async () => {
    const acme = organization();
    const track = await finishTrack(acme, { participantId: 'p-ada-1' });
    const workId = await addPart(acme, 'p-ada-1');
    const person = ['--participant-id', 'p-ada-1'];
    expect(await eraseInRunner([acme, ...person])).toContain(`Ids of the works: ${workId}`);
    await untilRelayed(acme);
    const before = await findEverywhere(acme);
    for (const mode of ['--yes', '--check'])
      await expect(eraseInRunner([acme, ...person, mode])).rejects.toThrow(`Ids of the works: ${workId}`);
    expect(await findEverywhere(acme)).toEqual(before);
    expect(before.join()).toContain(track.key);
    const { documents } = openStores(endpoints);
    const organizationId = OrganizationId.parse(acme);
    await workRepository(documents, String(endpoints.tables.transcriptionParts)).remove({ organizationId, workId });
    expect(removedIn(await eraseInRunner([acme, ...person, '--yes']))).toMatchObject({ 'rows of recordingTracks': 1 });
    expect(await eraseInRunner([acme, ...person, '--check'])).toContain('There is no data of the person');
  });

  test('removes a person from the lists and visitors of sessions whose facts have expired', async () => {
    const acme = organization();
    const { sessions } = await populate(acme);
    const before = await shownOf(acme, sessions);
    await expireFactsOf(acme, 'p-ada-1');
    expect(await rowsWith(acme, [visitor])).toHaveLength(2);
    await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
    expect(await rowsWith(acme, traces)).toEqual([]);
    expect(await shownOf(acme, sessions)).toEqual({ ...before, participants: before.participants.map(withoutAda) });
  });

  test('removes every device of a person that a room has counted, also when the facts that name it have expired', async () => {
    const acme = organization();
    const session = sessionOf(acme);
    const devices = ['first phone of ada', 'second phone of ada'];
    const [first, second] = devices.map((deviceId, index) =>
      session.joined('p-ada-1', `09:0${index + 1}`, { userId: undefined, deviceId }),
    );
    const renamed = session.updated('p-ada-1', '09:03', { deviceId: 'headset of ada' });
    const bob = session.joined('p-bob', '09:04', { userId: undefined, deviceId: 'phone of bob' });
    const events = [session.started('09:00'), first, second, renamed, bob].filter((event) => event !== undefined);
    await send(...events);
    await untilCounted(acme, events);
    const fingerprints = [...devices, 'phone of bob'].map((visitorId) =>
      fingerprintOf({ kind: 'participant', visitorId }),
    );
    const counted = async (fingerprint: string) => (await rowsWith(acme, [fingerprint])).length;
    expect(await Promise.all(fingerprints.map(counted))).toEqual([1, 1, 1]);
    await expireFactsOf(acme, 'p-ada-1');
    await eraseInRunner([acme, '--participant-id', 'p-ada-1', '--yes']);
    expect(await Promise.all(fingerprints.map(counted))).toEqual([0, 0, 1]);
    await eraseInRunner([acme, '--participant-id', 'p-bob', '--yes']);
    expect(await Promise.all(fingerprints.map(counted))).toEqual([0, 0, 0]);
  });

  test('leaves totals as they are also when the session goes on', async () => {
    const [acme, control] = [organization(), organization()];
    const roomSessionId = randomUUID();
    const histories = [acme, control].map((owner) => {
      const [one, two] = ['/daily', '/weekly'].map((roomName) => sessionOf(owner, { roomName, roomSessionId }));
      if (!one || !two) throw new Error('There are two rooms.');
      const wrong = one.joined('p-ada-1', '09:20', ada);
      const first = [
        ...[one.started('09:00'), one.joined('p-ada-1', '09:01', { ...ada, externalId: 'crm-ada' }), wrong],
        ...[two.joined('p-ada-1', '09:03', ada), two.left('p-ada-1', '09:08'), one.retracted(wrong)],
        ...[one.joined('p-ada-2', '09:02', { ...ada, externalId: 'crm-ada' }), one.rated('p-ada-2', '09:09', 5)],
        one.joined('p-carl', '09:04', { userId: 'account-of-two' }), // the person shares this account with Carl
        one.joined('p-ada-3', '09:05', { userId: 'account-of-two', externalId: 'crm-ada' }),
      ];
      const later = [one.joined('p-bob', '09:10'), one.left('p-carl', '09:15'), one.ended('09:30'), two.ended('09:31')];
      return { owner, first, later };
    });
    for (const { first } of histories) expect(await deliver('record-room-events', first)).toBe(0);
    await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
    for (const { later } of histories) expect(await deliver('record-room-events', later)).toBe(0);

    const [shown, expected] = await Promise.all(
      histories.map(async ({ owner }) => {
        const { rooms, roomSessions } = await shownOf(owner, [{ roomName: '/daily' }, { roomName: '/weekly' }]);
        return { rooms, roomSessions };
      }),
    );
    expect(shown).toEqual(expected);
    expect(shown?.rooms).toHaveLength(2);
    expect(await rowsWith(acme, traces)).toEqual([]);
    const { results } = await insightsOf(acme).participants({ roomSessionId });
    expect(results.map(({ participantId }) => participantId).sort()).toEqual(['p-bob', 'p-carl']);
  });

  test('makes events of the person anonymous that were taken back, with their retractions, and keeps those of others', async () => {
    const acme = organization();
    const session = sessionOf(acme);
    const kept = session.joined('p-ada-1', '09:01', { ...ada, externalId: 'crm-ada' });
    const again = session.joined('p-ada-1', '09:05', { ...ada, externalId: 'crm-ada' });
    const only = session.joined('p-ada-2', '09:06', { ...ada, externalId: 'crm-ada' });
    const ofBob = session.joined('p-bob', '09:07', { externalId: 'crm-bob' });
    const sameId = { ...session.joined('p-bob', '09:08', { externalId: 'crm-bob' }), id: again.id };
    const wrong = [again, only, ofBob];
    const retractions = [...wrong, { id: 'not-arrived' }].map((event) => session.retracted(event));
    const events = [session.started('09:00'), kept, sameId, ...wrong, ...retractions];
    await send(...events);
    await untilCounted(acme, events);
    const before = await shownOf(acme, [session]);

    await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);

    expect(await rowsWith(acme, [...traces, kept.id, only.id])).toEqual([]);
    for (const id of [ofBob.id, sameId.id, 'not-arrived']) expect(await rowsWith(acme, [id])).not.toEqual([]);
    expect(await deliver('record-room-events', [session.started('09:00:30')])).toBe(0); // everything is counted again
    expect((await shownOf(acme, [session])).rooms).toEqual(before.rooms);
  });

  test('removes the person again from lists that a slow worker has written meanwhile', async () => {
    const acme = organization();
    const { sessions } = await populate(acme);
    const before = await shownOf(acme, sessions);
    const lists = await listRowsOf(acme, sessions);
    const stores = openStores(endpoints);
    let restored = 0;
    const restoring: InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => async (args) => {
      const input = JSON.stringify(args.input);
      const isReplacing = input.includes('events = :read');
      const ofSession = lists.filter((row) => isReplacing && input.includes(String(row.organizationSession)));
      await restore(ofSession);
      restored += ofSession.length;
      return next(args);
    };
    (stores.documents as Pick<DynamoDBDocumentClient, 'middlewareStack'>).middlewareStack.add(restoring, {
      step: 'initialize',
    });
    await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes'], stores);
    expect(restored).toBeGreaterThan(0);
    expect(await rowsWith(acme, traces)).toEqual([]);
    expect(await shownOf(acme, sessions)).toEqual({ ...before, participants: before.participants.map(withoutAda) });
  });

  test('erases two people of one session at the same time, and restores neither', async () => {
    const acme = organization();
    const session = sessionOf(acme, {});
    const people = ['one', 'two'].map((name) => session.joined(`p-${name}`, '09:00', { userId: `user-${name}` }));
    await send(...people);
    await untilCounted(acme, people);
    const stores = openStores(endpoints);
    let isOtherErased = false;
    const eraseOther: InitializeMiddleware<ServiceInputTypes, ServiceOutputTypes> = (next) => async (args) => {
      if (!isOtherErased && JSON.stringify(args.input).includes('events = :read')) {
        isOtherErased = true;
        await eraseInRunner([acme, '--participant-id', 'p-two', '--yes']);
      }
      return next(args);
    };
    (stores.documents as Pick<DynamoDBDocumentClient, 'middlewareStack'>).middlewareStack.add(eraseOther, {
      step: 'initialize',
    });
    await eraseInRunner([acme, '--participant-id', 'p-one', '--yes'], stores);
    expect(isOtherErased).toBe(true);
    expect(await rowsWith(acme, ['p-one', 'p-two', 'user-one', 'user-two'])).toEqual([]);
  });

  test('selects by participant id, or by either id if both are given', async () => {
    const acme = organization();
    await populate(acme);
    await eraseInRunner([acme, '--participant-id', 'p-ada-1', '--yes']);
    expect(await rowsWith(acme, ['p-ada-1'])).toEqual([]);
    expect(await rowsWith(acme, ['p-ada-2'])).not.toEqual([]);
    await eraseInRunner([acme, '--participant-id', 'p-ada-2', '--external-id', 'crm-bob', '--yes']);
    expect(await rowsWith(acme, [...traces, 'p-bob', 'crm-bob'])).toEqual([]);
  });

  test('removes nothing while a transcript of their session is being made, because it can name them when it is done', async () => {
    const { acme, path } = await mixedMeeting((session) => [
      session.started('08:59'),
      session.joined('p-ada', '08:59', { displayName: 'Ada Lovelace' }),
      session.ended('09:10'),
    ]);
    const transcriptionId = path.split('/').at(-1) ?? '';
    const { documents } = openStores(endpoints);
    const become = (state: string) =>
      documents.send(
        new UpdateCommand({
          TableName: String(endpoints.tables.transcriptions),
          Key: { organizationId: acme, transcriptionId },
          UpdateExpression: 'SET #state = :state',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: { ':state': state },
        }),
      );
    const person = ['--participant-id', 'p-ada'];
    await become('in_progress');
    await untilRelayed(acme);
    const before = await findEverywhere(acme);
    expect(await eraseInRunner([acme, ...person])).toContain(`Ids of the transcriptions: ${transcriptionId}`);
    for (const mode of ['--yes', '--check'])
      await expect(eraseInRunner([acme, ...person, mode])).rejects.toThrow('Nothing is removed before that');
    expect(await findEverywhere(acme)).toEqual(before);
    await become('ready');
    expect(await eraseInRunner([acme, ...person, '--yes'])).toContain('Removed the data of the person');
  });

  test.each([
    ['beside their transcription', false],
    ['apart from it, as before', true],
  ])(
    'removes what a person says in a mixed recording in which only their presence names them, and speakers are %s',
    async (_, isApart) => {
      const { acme, path, session, speakers } = await mixedMeeting((session) => [
        session.started('08:59'),
        session.joined('p-ada', '08:59', { displayName: 'Ada Lovelace' }),
        session.left('p-ada', '09:10'),
        session.ended('09:10'),
      ]);
      const { roomSessionId } = session;
      await eventually(async () => {
        const [ada] = (await insightsOf(acme).participants({ roomSessionId })).results;
        expect(ada?.spokenSeconds, 'what still counts the talk time would store her again').toBeGreaterThan(0);
      });
      expect(speakers).toMatchObject([{ displayName: 'Ada Lovelace', source: 'presence' }]);
      if (isApart) await moveApart({ organizationId: acme, transcriptionId: path.split('/').at(-1) ?? '' });
      const counts = removedIn(await eraseInRunner([acme, '--participant-id', 'p-ada', '--yes']));
      expect(counts['speakers of transcripts']).toBe(1);
      expect((await ended(acme, path)).speakers).toEqual([]);
      const { accessLink } = await linkTo(acme, path, 'txt');
      expect(await (await fetch(accessLink)).text()).not.toMatch(/Ada|good|morning/i);
      expect(await rowsWith(acme, ['p-ada', 'Ada Lovelace'])).toEqual([]);
    },
  );

  test('puts a random id in the place of the person in the channels of transcriptions, made or failed', async () => {
    const acme = organization();
    const session = sessionOf(acme, { roomName: '/channels' });
    const joins = ['p-ada', 'p-bob'].map((id) => session.joined(id, '08:59', { displayName: `Name of ${id}` }));
    await tellerOf(acme)(session.started('08:59'), ...joins, session.ended('09:10'));
    const { roomName, roomSessionId } = session;
    const transcribed = async (body: Buffer) => {
      const { recordingId } = await finishRecording(acme, { body, roomName, roomSessionId });
      await registered(acme, recordingId);
      const answer = await clientOf(acme)('POST', '/v1/transcriptions', {
        body: { recordingId, options: { language: 'en-US', channels: ['p-ada', 'p-bob'] } },
        headers: { 'idempotency-key': recordingId },
      });
      const path = String(answer.headers.location);
      return { path, before: await ended(acme, path) };
    };
    const silence = Buffer.alloc(shortWav.length);
    const [made, failed] = await Promise.all([stereoWav(shortWav, silence), shortWav].map(transcribed));
    if (!made || !failed) throw new Error('There are two transcriptions.');
    expect(made.before).toMatchObject({ state: 'ready', options: { channels: ['p-ada', 'p-bob'] } });
    expect(failed.before).toMatchObject({ state: 'failed', failure: { code: 'not_two_channels' } });
    // The rows of the recordings and of the idempotency keys have hashes of the options.
    const hashed = await rowsWith(acme, ['otherTranscriptions', 'idempotencyKeys ']);
    expect(hashed).toHaveLength(4);
    expect(hashed.filter((row) => row.includes('p-ada'))).toEqual([]);
    await eventually(async () => {
      const [ada] = (await insightsOf(acme).participants({ roomSessionId })).results;
      expect(ada?.spokenSeconds, 'the speech of Ada, the only one who speaks').toBeGreaterThan(0);
    });

    const person = [acme, '--participant-id', 'p-ada'];
    const preview = await eraseInRunner(person);
    const report = await eraseInRunner([...person, '--yes']);
    expect(removedIn(preview)).toEqual(removedIn(report));
    expect(removedIn(report)).toMatchObject({ 'changed rows of transcriptions': 2 });
    expect(await rowsWith(acme, ['p-ada'])).toEqual([]);
    for (const { path, before } of [made, failed]) {
      const { options } = await ended(acme, path);
      expect(options).toEqual({ ...before.options, channels: [expect.stringMatching(/^[0-9a-f-]{36}$/), 'p-bob'] });
    }
    expect(await eraseInRunner([...person, '--check'])).toContain('There is no data of the person');
  });

  test("lists the transcripts of the person's sessions first, and removes nothing without --yes", async () => {
    const acme = organization();
    const { sessions } = await populate(acme);
    const live = liveSession(acme, sessions[0]);
    const location = await keepTranscript(live.key('minutes.md'), 'Hello everyone.');
    await sendToRoomEvents([live.finished({ storageType: 'SERVICE_HOSTED', location })]);
    await known(acme, live.path, 'ready');
    await untilRelayed(acme);
    const before = await findEverywhere(acme);
    expect(await eraseInRunner([acme, '--external-id', 'crm-ada'])).toMatch(
      /Totals do not change[\s\S]*erase \S+ --external-id=crm-ada --data-dir \S+ --yes$/,
    );
    expect(await findEverywhere(acme)).toEqual(before);
    const output = await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
    expect(output).toMatch(new RegExp(`curl -X DELETE .*${live.path}'[\\s\\S]*Removed the data of the person`));
  });

  test('completes the erasure in a second run after a crash at any point', { timeout: 180_000 }, async () => {
    const populated = await Promise.all(
      Array.from({ length: 11 }, async () => {
        const acme = organization();
        return { acme, ...(await populate(acme)) };
      }),
    );
    const [whole, ...others] = populated;
    const { stores, done } = openStoresFailingAfter(Number.POSITIVE_INFINITY);
    await eraseInRunner([String(whole?.acme), '--external-id', 'crm-ada', '--yes'], stores);
    let incomplete = 0;
    for (const [index, { acme, sessions }] of others.entries()) {
      const before = await shownOf(acme, sessions);
      const calls = Math.round(done() * (0.4 + 0.06 * index)); // the first ones only read
      const killed = openStoresFailingAfter(calls);
      await expect(eraseInRunner([acme, '--external-id', 'crm-ada', '--yes'], killed.stores)).rejects.toThrow('killed');
      if ((await rowsWith(acme, traces)).length > 0) {
        incomplete += 1;
        await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
      }
      expect(await rowsWith(acme, traces), `killed after ${calls} calls`).toEqual([]);
      expect(await shownOf(acme, sessions)).toEqual({ ...before, participants: before.participants.map(withoutAda) });
    }
    expect(incomplete).toBeGreaterThan(5);
  });

  test('removes the person again after the redelivery of an old event restored them', async () => {
    const acme = organization();
    const { events } = await populate(acme);
    await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
    const join = events.find(({ data }) => 'externalId' in data && data.externalId === 'crm-ada');
    expect(await deliver('record-room-events', [join ?? {}])).toBe(0);
    expect(await rowsWith(acme, traces)).not.toEqual([]);
    await eraseInRunner([acme, '--external-id', 'crm-ada', '--yes']);
    expect(await rowsWith(acme, traces)).toEqual([]);
  });
});
