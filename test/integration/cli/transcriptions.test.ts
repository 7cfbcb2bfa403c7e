import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { commandLineOf } from '../../support/client/command-line.ts';
import { eventually } from '../../support/eventually.ts';
import { known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { api, organization } from '../../support/machine.ts';
import { finishRecording, readyTranscription, registered, shortWav } from '../../support/media/recordings.ts';

test('create --wait waits for the transcript, and get shows it', async () => {
  const acme = organization();
  const { run, json } = await commandLineOf(acme);
  const { recordingId } = await finishRecording(acme, { body: shortWav, roomName: '/team/standup' });

  const waited = await run(['transcriptions', 'create', recordingId, '--wait']);

  const transcriptionId = /^Transcription +(\S+)$/m.exec(waited.stdout)?.[1] ?? '';
  expect(waited.code).toBe(0);
  expect(waited.stderr).toBe('Creating\nIn progress\n');
  expect(waited.stdout).toMatch(/^State +ready$/m);
  expect(waited.stdout).toMatch(/^Length +31 s$/m);
  const { body } = await api(acme)('GET', `/v1/transcriptions/${transcriptionId}`);
  expect(await json(['transcriptions', 'get', transcriptionId])).toEqual(body);
  expect(await run(['transcriptions', 'get', transcriptionId])).toEqual({ ...waited, stderr: '' });
  const list = await run(['transcriptions', 'list', '--recording-id', recordingId]);
  expect(list.stdout).toMatch(new RegExp(`\\n${transcriptionId} +/team/standup +2026-03-01 09:00 +ready, 31 s\n$`));
});

test('create without --wait prints only the id, says how to wait, and accepts an idempotency key', async () => {
  const acme = organization();
  const { run, json } = await commandLineOf(acme);
  const { recordingId } = await finishRecording(acme, { body: shortWav });
  await registered(acme, recordingId);
  const key = ['--idempotency-key', randomUUID()];

  const { code, stdout, stderr } = await run(['transcriptions', 'create', recordingId, ...key]);

  expect(code).toBe(0);
  expect(stderr).toContain(`roomscribe transcriptions get ${stdout.trim()} --wait`);
  expect(await json(['transcriptions', 'create', recordingId, ...key])).toEqual({ transcriptionId: stdout.trim() });
  const waited = await json(['transcriptions', 'get', stdout.trim(), '--wait']);
  expect(waited).toMatchObject({ transcriptionId: stdout.trim(), state: 'ready' });
  const other = await run(['transcriptions', 'create', randomUUID(), ...key]);
  expect(other).toMatchObject({ code: 2, stderr: expect.stringMatching(/key/i) });
});

test('a failed transcription exits with 5 after --wait, and with 0 in a plain get', async () => {
  const acme = organization();
  const { run } = await commandLineOf(acme);
  const { recordingId } = await finishRecording(acme);

  const waited = await run(['transcriptions', 'create', recordingId, '--wait', '--json']);

  expect(waited).toMatchObject({ code: 5, stdout: '' });
  const { error } = JSON.parse(waited.stderr);
  expect(error).toMatchObject({ code: 'transcription_failed', failure: { code: 'recording_missing' } });
  const { transcriptionId, failure } = error;
  expect(await run(['transcriptions', 'get', transcriptionId])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`recording_missing: ${failure.message}`),
  });
  expect(await run(['transcriptions', 'get', transcriptionId, '--wait'])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining(`The transcription ${transcriptionId} failed: ${failure.message}`),
  });
  expect(await run(['transcriptions', 'download', transcriptionId])).toMatchObject({ code: 1, stdout: '' });
});

test('--wait ends after --timeout or Ctrl-C, and prints the command to continue', async () => {
  const acme = organization();
  const { run, begin } = await commandLineOf(acme);
  const { transcriptionId, path, started } = liveSession(acme);
  await sendToRoomEvents([started()]);
  await known(acme, path);
  const goOn = `Run: roomscribe transcriptions get ${transcriptionId} --wait\n`;

  const late = await run(['transcriptions', 'get', transcriptionId, '--wait', '--timeout', '0.001']);
  expect(late).toMatchObject({ code: 6, stdout: '', stderr: expect.stringContaining(goOn) });

  expect(await run(['transcriptions', 'get', transcriptionId, '--timeout', '1'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--timeout needs --wait.'),
  });

  const { child, ended } = begin(['transcriptions', 'get', transcriptionId, '--wait']);
  const heard: string[] = [];
  child.stderr.on('data', (text) => heard.push(String(text)));
  await eventually(() => expect(heard.join('')).toMatch(/in progress/i));
  child.kill('SIGINT');
  expect(await ended).toMatchObject({
    code: 130,
    stdout: '',
    stderr: expect.stringContaining(`Interrupted. The transcription ${transcriptionId} continues.\n${goOn}`),
  });
});

test('delete removes one transcription at once and several in the background, and only with --yes', async () => {
  const acme = organization();
  const { run, json } = await commandLineOf(acme);
  const sessions = [1, 2, 3].map(() => liveSession(acme));
  await sendToRoomEvents(sessions.map((session) => session.finished()));
  await Promise.all(sessions.map(({ path }) => known(acme, path)));
  const [first = '', ...others] = sessions.map(({ transcriptionId }) => transcriptionId);

  const refused = await run(['transcriptions', 'delete', first, ...others]);
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') });
  expect((await json(['transcriptions', 'list'])).results).toHaveLength(3);

  expect(await run(['transcriptions', 'delete', first, '--yes'])).toMatchObject({ code: 0, stderr: 'Deleted.\n' });
  expect(await run(['transcriptions', 'get', first])).toMatchObject({ code: 4, stdout: '' });
  expect(await run(['transcriptions', 'delete', ...others, '--yes'])).toMatchObject({
    code: 0,
    stderr: '2 transcriptions are being deleted.\n',
  });
  await eventually(async () => expect((await json(['transcriptions', 'list'])).results).toEqual([]));
});

test('speakers lists who speaks, and rename corrects a speaker and undoes it', async () => {
  const acme = organization();
  const { run, json } = await commandLineOf(acme);
  const { transcriptionId, path } = await readyTranscription(acme);
  const { body } = await api(acme)('GET', path);
  const { speakers, language } = body as { readonly speakers: unknown; readonly language: unknown };
  const list = ['transcriptions', 'speakers', transcriptionId];
  const rename = ['transcriptions', 'rename', transcriptionId, 'Speaker 1'];

  expect(await json(list)).toEqual({ speakers, language });
  expect((await run(list)).stdout).toMatch(
    /^SPEAKER +NAME +PARTICIPANT +KNOWN BY +SPOKEN +SHARE +TURNS\nSpeaker 1 +Speaker 1 +- +recognizer +\d s +100 % +\d\n$/,
  );
  const named = await run([...rename, '--name', 'Ada \u001b[2JKim']);
  expect(named).toMatchObject({ code: 2, stdout: '', stderr: '--name must not have control characters.\n' });
  expect(await run([...rename, '--name', ' '])).toMatchObject({ code: 2, stderr: '--name must not be empty.\n' });
  expect(await run([...rename, '--name', 'Ada Kim'])).toMatchObject({
    ...{ code: 0, stderr: 'The files have the name in some seconds.\n' },
    stdout: expect.stringMatching(/^Speaker 1 +Ada Kim +- +corrected /m),
  });
  expect((await run(list)).stdout).toContain('Ada Kim');
  expect(await run([...rename, '--undo'])).toMatchObject({ code: 0, stdout: '' });
  expect(await json(list)).toEqual({ speakers, language });

  expect(await run([...rename, '--participant-id', 'nobody'])).toMatchObject({ code: 4, stdout: '' });
  expect(await run([...rename.slice(0, 3), 'Speaker 9', '--undo'])).toMatchObject({ code: 4, stdout: '' });
  expect(await run(rename)).toMatchObject({ code: 2, stderr: expect.stringContaining('--name, --participant-id or') });
  expect(await run([...rename, '--name', 'Ada', '--undo'])).toMatchObject({ code: 2, stdout: '' });
});

test('speakers says if a transcription has none', async () => {
  const acme = organization();
  const { run, json } = await commandLineOf(acme);
  const { transcriptionId, path, started } = liveSession(acme);
  await sendToRoomEvents([started()]);
  await known(acme, path);
  const list = ['transcriptions', 'speakers', transcriptionId];

  expect(await run(list)).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('No speakers.') });
  expect(await json(list)).toEqual({ speakers: [], language: null });
});
