import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { TranscriptionPage } from '#shared/contracts/transcriptions/transcription-operations.ts';
import { eventually } from '../../support/eventually.ts';
import { clientOf, read, visible } from '../../support/http/checked-api.ts';
import { pageOf } from '../../support/http/listing.ts';
import { keepTranscript, known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { organization } from '../../support/machine.ts';
import { finishRecording, linkTo, registered } from '../../support/media/recordings.ts';
import { rowsOf } from '../../support/storage/storage.ts';

const acme = organization();
const victim = organization();
const victimRoom = `/secret-${randomUUID()}`;
const call = clientOf(acme);
const list = '/v1/transcriptions';

let foreignId: string;
let foreignRecordingId: string;
let before: unknown;

beforeAll(async () => {
  const session = liveSession(victim, { roomName: victimRoom });
  const location = await keepTranscript(session.key('minutes.md'), 'The secret plan.');
  await sendToRoomEvents([session.finished({ storageType: 'SERVICE_HOSTED', location })]);
  foreignId = session.transcriptionId;
  before = await known(victim, session.path, 'ready');
  foreignRecordingId = (await finishRecording(victim, { roomName: victimRoom })).recordingId;
  await registered(victim, foreignRecordingId);
});

/** Expects the victim's transcription and its file to be unchanged. */
async function expectUntouched(): Promise<void> {
  const path = `${list}/${foreignId}`;
  expect(await known(victim, path)).toEqual(before);
  const { accessLink } = await linkTo(victim, path);
  expect(await (await fetch(accessLink)).text()).toBe('The secret plan.');
}

describe("another organization's id", () => {
  const slots = [
    ['GET', (id: string) => `${list}/${id}`],
    ['GET', (id: string) => `${list}/${id}/access-link`],
    ['GET', (id: string) => `${list}/${id}/access-link?format=md&validForSeconds=60`],
    ['DELETE', (id: string) => `${list}/${id}`],
  ] as const;
  it.each(slots)('in %s %s gets the same answer as an unknown id', async (method, path) => {
    const foreign = await call(method, path(foreignId));
    const unknown = await call(method, path(randomUUID()));

    expect(visible(foreign)).toEqual(visible(unknown));
    await expectUntouched();
  });

  it('of a recording gets the same answer as an unknown one', async () => {
    const post = (recordingId: string) => call('POST', list, { body: { recordingId } });

    expect(visible(await post(foreignRecordingId))).toEqual(visible(await post(randomUUID())));
    expect((await rowsOf(victim)).map(({ transcriptionId }) => transcriptionId)).toEqual([foreignId]);
  });

  it('in a bulk delete has no more effect than an unknown one', async () => {
    const own = liveSession(acme);
    await sendToRoomEvents([own.finished()]);
    await known(acme, own.path);
    const remove = (transcriptionIds: string[]) => call('POST', `${list}/bulk-delete`, { body: { transcriptionIds } });

    const foreign = await remove([foreignId, own.transcriptionId]);
    const unknown = await remove([randomUUID()]);

    expect(visible(foreign)).toEqual(visible(unknown));
    await eventually(async () => expect((await call('GET', own.path)).status).toBe(404), 40_000);
    await expectUntouched();
  });

  it('in an event of the caller creates another transcription and leaves the first unchanged', async () => {
    const other = organization();
    const event = liveSession(other).failed();
    await sendToRoomEvents([{ ...event, data: { ...event.data, transcriptionId: foreignId } }]);

    expect(await known(other, `${list}/${foreignId}`, 'failed')).toMatchObject({ transcriptionId: foreignId });
    await expectUntouched();
    await clientOf(other)('DELETE', `${list}/${foreignId}`);
    await expectUntouched();
  });
});

describe('the organization', () => {
  it('comes from the token and never from headers', async () => {
    const names = [
      'x-tenant',
      'x-tenant-id',
      'x-organization',
      'x-organization-id',
      'client_id',
      'x-amzn-client-id',
      'cookie',
    ];
    const headers = Object.fromEntries(names.map((name) => [name, name === 'cookie' ? `client_id=${victim}` : victim]));

    expect((await call('GET', `${list}/${foreignId}`, { headers })).status).not.toBe(200);
    const page = read(TranscriptionPage, await call('GET', list, { headers }));
    expect(page.results.filter(({ roomName }) => roomName === victimRoom)).toEqual([]);
  });

  it('comes from the token and never from the body', async () => {
    const more = { organizationId: victim, tenantId: victim, client_id: victim };

    const created = await call('POST', list, { body: { recordingId: foreignRecordingId, ...more } });
    const deleted = await call('POST', `${list}/bulk-delete`, { body: { transcriptionIds: [foreignId], ...more } });

    expect([created.status, deleted.status]).toEqual([404, 204]);
    await expectUntouched();
  });

  it.each(['organizationId', 'tenantId', 'client_id', 'organization'])('cannot be set with ?%s', async (name) => {
    expect((await call('GET', `${list}?${name}=${victim}`)).status).toBe(400);
  });

  it('separates lists, even for rooms of the same name', async () => {
    const { results } = await pageOf(acme, { roomName: victimRoom });

    expect(results).toEqual([]);
    expect((await pageOf(victim, { roomName: victimRoom })).results).toHaveLength(1);
  });

  it('separates rooms whose organization and name concatenate to the same text', async () => {
    const [short, long] = [organization(), organization()];
    const session = liveSession(short, { roomName: `/${long}#/daily` });
    await sendToRoomEvents([session.finished()]);
    await known(short, session.path);

    expect((await pageOf(long, { roomName: '/daily' })).results).toEqual([]);
  });
});
