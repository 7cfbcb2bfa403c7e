import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { RoomEvent } from '#shared/contracts/events.ts';
import type { PlatformSession } from '#shared/domain/platforms/platform-session.ts';
import { jitsi } from '#shared/platforms/jitsi/index.ts';
import { run } from '../../support/client/run-program.ts';
import { serveInTest } from '../../support/http/test-server.ts';
import { packetsOf, writeMultitrack } from '../../support/media/multitrack.ts';

const script = path.resolve(import.meta.dirname, '../../../examples/jitsi/finalize.sh');
const secret = 's'.repeat(43);
const end = 1_768_472_300;

/** Jibri's folder of a recording, a stub of the AWS CLI that writes its arguments to a file, and a server that gives these answers. */
async function recorder({ statuses = [200], awsCode = 0 }: { statuses?: readonly number[]; awsCode?: number } = {}) {
  const root = await mkdtemp(path.join(tmpdir(), 'finalize-'));
  onTestFinished(() => rm(root, { recursive: true }));
  const [bin, folder, calls] = [path.join(root, 'bin'), path.join(root, 'abc def'), path.join(root, 'calls')];
  for (const each of [bin, folder]) await mkdir(each);
  const stub = `printf '%s\\n' "$@" >>'${calls}'\n[ -f "$4" ] && cp -- "$4" '${root}'\nexit ${awsCode}\n`;
  await writeFile(path.join(bin, 'aws'), `#!/bin/sh\n${stub}`);
  await chmod(path.join(bin, 'aws'), 0o755);
  const posts: { authorization: string | undefined; body: string }[] = [];
  const url = await serveInTest(async (request, response) => {
    posts.push({ authorization: request.headers.authorization, body: await text(request) });
    response.writeHead(statuses[posts.length - 1] ?? 200).end();
  });
  const env = {
    ...{ PATH: `${bin}:${process.env.PATH}`, TZ: 'UTC', ROOMSCRIBE_CONF: path.join(root, 'conf') },
    ...{
      ROOMSCRIBE_URL: `${url}/v1/hooks/c/jitsi`,
      ROOMSCRIBE_SECRET: secret,
      ROOMSCRIBE_BUCKET: 'recordings-of-acme',
    },
  };
  return {
    root,
    folder,
    posts,
    uploads: async () => (await readFile(calls, 'utf8').catch(() => '')).split('\n').slice(0, -1),
    write: async (name: string, content = '') => {
      await writeFile(path.join(folder, name), content);
      await utimes(path.join(folder, name), end, end);
    },
    finalize: (args: readonly string[] = [folder], more: NodeJS.ProcessEnv = {}) =>
      run('/bin/sh', [script, ...args], { folder: root, env: { ...env, ...more } }),
  };
}

const time = '2026-01-15T10:00:00.000Z';
const ofRoom = { roomName: '/standup', sessionId: 'key', startedAt: time, endedAt: null };
const translated = (body: string, sessions: readonly PlatformSession[] = [ofRoom]) => {
  const connection = { connectionId: 'c'.repeat(43), organizationId: 'acme', platform: 'jitsi', settings: {} };
  const hook = {
    connection: { ...connection, createdAt: time },
    receivedAt: time,
    digest: 'd',
    payload: JSON.parse(body),
  };
  return jitsi.translate(hook as never, { sessions, manifest: undefined });
};

test.each([
  ['{"meeting_url":"https://meet.example/standup","participants":[],"share":true}', 'standup'],
  ['{\n "share": true,\n "meeting_url" : "https:\\/\\/meet.example\\/team%20room?jwt=x#config" }', 'team%20room'],
  ['{"meeting_url":"https://meet.example/acme/standup"}', '[acme]standup'],
  ['{"meeting_url":"https://meet.example/a \\"quoted\\" \\\\ café 会議"}', 'a "quoted" \\ café 会議'],
])('takes the room of the metadata %s', async (metadata, room) => {
  const { write, finalize, posts, uploads } = await recorder();
  await write('metadata.json', metadata);
  await write('standup_2026-01-15-10-01-00.mp4');

  expect(await finalize()).toMatchObject({ code: 0, stderr: '' });
  const key = 'recordings/abc def/standup_2026-01-15-10-01-00.mp4';
  expect((await uploads()).at(-1)).toBe(`s3://recordings-of-acme/${key}`);
  expect(posts).toHaveLength(1);
  expect(posts[0]?.authorization).toBe(`Bearer ${secret}`);
  expect(JSON.parse(posts[0]?.body ?? '')).toEqual({
    ...{ event_name: 'roomscribe-recording-finished', room_name: room, start: 1_768_471_260, end },
    ...{ bucket: 'recordings-of-acme', key },
  });
  expect(translated(posts[0]?.body ?? '').events).toMatchObject([{ type: 'recording.finished' }]);
});

test('takes the room of the file name if there is no metadata, with any characters', async () => {
  const { write, finalize, posts, uploads } = await recorder();
  await write('a "b" \\ $(c) \'d\'\n é_2026-01-15-10-01-00.mp4');

  expect(await finalize()).toMatchObject({ code: 0 });
  const { room_name: room, key } = JSON.parse(posts[0]?.body ?? '');
  expect(room).toBe('a "b" \\ $(c) \'d\' é');
  expect((await uploads()).at(-1)).toBe(`s3://recordings-of-acme/${key}`);
});

const meeting = '9a441d60-ceaf-4eba-b0a8-a7d940a76e1b';

/** A recording of three connections. Ada is in it twice, and Ben's second track begins with his first. */
const sounds = [
  { endpointId: '14f01c40', at: 0 },
  { endpointId: '5b6f2a10', at: 1.5 },
  { endpointId: '14f01c40', at: 3 },
  { endpointId: 'Zz1Y', at: 4 },
].map((sound, index) => ({ ...sound, input: ['-f', 'lavfi', '-i', `sine=frequency=${(index + 2) * 110}:duration=1`] }));

test('splits the recording of the multitrack recorder into its tracks, as they were encoded', async () => {
  const { root, folder, write, finalize, posts, uploads } = await recorder();
  const file = path.join(folder, 'recording.mka');
  await writeMultitrack(file, sounds, root);
  await utimes(file, end, end);
  await write('recording.log');

  expect(await finalize([meeting, folder, 'MKA'])).toMatchObject({ code: 0, stderr: '' });
  expect(posts).toHaveLength(1);
  const body = JSON.parse(posts[0]?.body ?? '');
  expect(body).toMatchObject({ meeting_id: meeting, end, bucket: 'recordings-of-acme' });
  expect(body.key).toBe('recordings/abc def/recording.mka');
  expect(body.start).toBeCloseTo(end - 5, 1); // the file is younger than its last change, so its length counts
  const names = sounds.map(({ endpointId }, index) => `recording-${index}-${endpointId}.webm`);
  expect((await uploads()).filter((each) => each.startsWith('s3:'))).toEqual(
    names.map((name) => `s3://recordings-of-acme/recordings/abc def/${name}`),
  );
  for (const [index, { endpointId, at }] of sounds.entries()) {
    const track = body.tracks[index];
    expect(track).toMatchObject({ endpoint_id: endpointId, key: `recordings/abc def/${names[index]}` });
    expect(track.start - body.start).toBeCloseTo(at, 1);
    expect(track.end - track.start).toBeCloseTo(1, 1);
    const uploaded = await packetsOf(path.join(root, `${index}.webm`), root);
    expect(uploaded.hashes).toEqual((await packetsOf(file, root, index)).hashes);
    expect(uploaded.first).toBeCloseTo(0, 1);
  }

  const startedAt = '2026-01-15T10:00:00.000Z';
  const session = { roomName: `meeting ${meeting}`, sessionId: '/standup', startedAt, endedAt: startedAt };
  const participants = { '14f01c40': 'ada', '5b6f2a10': 'ben' };
  const { events } = translated(posts[0]?.body ?? '', [{ ...session, participants }]);
  expect(events).toMatchObject([
    {
      type: 'recording.finished',
      data: {
        roomName: '/standup',
        roomSessionId: meeting,
        tracks: ['ada', 'ben', 'ada', 'Zz1Y'].map((participantId, index) => ({
          participantId,
          location: { bucket: 'recordings-of-acme', key: `recordings/abc def/${names[index]}` },
          startDate: new Date(body.tracks[index].start * 1000).toISOString(),
        })),
      },
    },
  ]);
  expect(RoomEvent.safeParse(events[0]).error).toBeUndefined();
  expect(translated(posts[0]?.body ?? '', [{ ...session, endedAt: null }])).toMatchObject({ events: [], waits: true });
});

test('publishes a Matroska file without endpoints as it is', async () => {
  const { root, folder, finalize, posts } = await recorder();
  const input = ['-f', 'lavfi', '-i', 'sine=duration=1'];
  const file = path.join(folder, 'standup_2026-01-15-10-01-00.mka');
  await run('ffmpeg', ['-loglevel', 'error', ...input, '-c:a', 'libopus', file], { folder: root });

  expect(await finalize()).toMatchObject({ code: 0 });
  const body = JSON.parse(posts[0]?.body ?? '');
  expect(body).toMatchObject({ room_name: 'standup', start: 1_768_471_260 });
  expect(body).not.toHaveProperty('tracks');
});

test('leaves no temporary files, also if an upload fails', async () => {
  for (const awsCode of [0, 1]) {
    const { root, folder, finalize } = await recorder({ awsCode });
    const temporary = path.join(root, 'tmp');
    await mkdir(temporary);
    await writeMultitrack(path.join(folder, 'recording.mka'), sounds.slice(0, 1), root);
    const { code } = await finalize([meeting, folder, 'MKA'], { TMPDIR: temporary });
    expect([code, await readdir(temporary)]).toEqual([awsCode === 0 ? 0 : 4, []]);
  }
});

test('posts again after a failure', async () => {
  const { write, finalize, posts } = await recorder({ statuses: [503, 200] });
  await write('standup_2026-01-15-10-01-00.mp4');

  expect(await finalize()).toMatchObject({ code: 0 });
  expect(posts.map(({ body }) => body)).toEqual([posts[0]?.body, posts[0]?.body]);
});

test('says what is wrong', async () => {
  const failing = await recorder({ awsCode: 1 });
  expect(await failing.finalize()).toMatchObject({ code: 3, stderr: expect.stringContaining('has no recording') });
  await failing.write('a.mp4');
  expect(await failing.finalize()).toMatchObject({ code: 4, stderr: expect.stringContaining('not be uploaded') });
  expect(failing.posts).toEqual([]);
  expect(await failing.finalize(['a', 'b'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Usage') });
  expect(await failing.finalize(['/missing'])).toMatchObject({ code: 3 });
  expect(await failing.finalize(undefined, { ROOMSCRIBE_SECRET: '' })).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('ROOMSCRIBE_SECRET is missing') },
  });

  const broken = await recorder();
  await broken.write('recording.mka', 'no Matroska');
  expect(await broken.finalize()).toMatchObject({ code: 3, stderr: expect.stringContaining('read by ffprobe') });

  const refused = await recorder({ statuses: [401] });
  await refused.write('a.mp4');
  const ended = await refused.finalize();
  expect(ended).toMatchObject({ code: 5, stderr: expect.stringContaining('refused the secret') });
  expect(refused.posts).toHaveLength(1);
  expect(`${ended.stdout}${ended.stderr}`).not.toContain(secret);
});

test('reads its settings from a file', async () => {
  const { folder, write, finalize, posts } = await recorder();
  await write('a.mp4');
  await writeFile(path.join(folder, '../conf'), "ROOMSCRIBE_PREFIX='jibri/one'\n");
  expect(await finalize()).toMatchObject({ code: 0 });
  expect(JSON.parse(posts[0]?.body ?? '').key).toBe('jibri/one/abc def/a.mp4');
});
