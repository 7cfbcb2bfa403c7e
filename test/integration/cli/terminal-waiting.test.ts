import { expect, test } from 'vitest';
import { environmentOf } from '../../support/client/command-line.ts';
import { person } from '../../support/client/terminal.ts';
import { known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { organization } from '../../support/machine.ts';
import {
  createTranscription,
  ended,
  finishRecording,
  registered,
  sampleWav,
  shortWav,
  unheard,
} from '../../support/media/recordings.ts';
import { cutWav } from '../../support/media/wav.ts';

/** Half of the sample: its transcription takes seconds. */
const longWav = cutWav(sampleWav, 0, 16);

test('--wait shows its progress and then erases it', async () => {
  const acme = organization();
  const { roomscribe } = await person(environmentOf(acme));
  const { recordingId } = await finishRecording(acme, { body: unheard(shortWav) });
  await registered(acme, recordingId);

  const create = roomscribe(['transcriptions', 'create', recordingId, '--wait']);
  await create.until(/In progress, \d+ s/);
  expect(create.hasCursor()).toBe(false);
  const shown = await create.until(/^Transcription +(\S+)\n(.*\n)*File .*$/, 50_000);

  expect(await create.exitCode).toBe(0);
  expect(shown.index).toBe(0);
  expect(await create.screen()).not.toContain('In progress');
  expect(create.hasCursor()).toBe(true);
});

test('Ctrl-C during get --wait says that the transcription continues, and it does', async () => {
  const acme = organization();
  const { bash } = await person(environmentOf(acme));
  const session = liveSession(acme);
  const { path, transcriptionId } = session;
  await sendToRoomEvents([session.started()]);
  await known(acme, path);

  const get = bash(`roomscribe transcriptions get ${transcriptionId} --wait; echo "=> $?"`);
  await get.until(/In progress, \d+ s/);
  get.press('ctrl-c');
  await get.until(/=> 130/);

  expect(await get.screen()).toBe(
    [
      `Interrupted. The transcription ${transcriptionId} continues.`,
      `Run: roomscribe transcriptions get ${transcriptionId} --wait`,
      '=> 130',
    ].join('\n'),
  );
  expect(get.hasCursor()).toBe(true);
  await sendToRoomEvents([session.finished()]);
  expect(await ended(acme, path)).toMatchObject({ state: 'ready' });
});

test('Ctrl-C during create --wait says which transcription continues', async () => {
  const acme = organization();
  const { bash } = await person(environmentOf(acme));
  const { recordingId } = await finishRecording(acme, { body: longWav });
  await registered(acme, recordingId);

  const create = bash(`roomscribe transcriptions create ${recordingId} --wait; echo "=> $?"`);
  await create.until(/In progress, [1-9]\d* s/);
  create.press('ctrl-c');

  const [, transcriptionId = ''] = await create.until(/The transcription (\S+) continues\./);
  await create.until(/=> 130/);
  expect(create.hasCursor()).toBe(true);
  expect(await ended(acme, `/v1/transcriptions/${transcriptionId}`)).toMatchObject({ state: 'ready' });
});

test('delete asks for confirmation, and deletes nothing after a no', async () => {
  const acme = organization();
  const { roomscribe } = await person(environmentOf(acme));
  const { recordingId } = await finishRecording(acme, { body: shortWav });
  const { path, transcriptionId } = await createTranscription(acme, recordingId);
  await ended(acme, path);

  const no = roomscribe(['transcriptions', 'delete', transcriptionId]);
  await no.until(/Delete transcription \S+ permanently\?/);
  no.type('n\r');
  await no.until(/Nothing was deleted\./);
  expect(await no.exitCode).toBe(0);

  const interrupted = roomscribe(['transcriptions', 'delete', transcriptionId]);
  await interrupted.until(/permanently\?/);
  interrupted.press('ctrl-c');
  expect(await interrupted.exitCode).toBe(130);
  expect(interrupted.hasCursor()).toBe(true);
  expect(await ended(acme, path)).toMatchObject({ state: 'ready' });

  const yes = roomscribe(['transcriptions', 'delete', transcriptionId]);
  await yes.until(/permanently\?/);
  yes.type('y\r');
  await yes.until(/Deleted\./);
  expect(await yes.exitCode).toBe(0);
  const gone = roomscribe(['transcriptions', 'get', transcriptionId]);
  expect(await gone.exitCode).toBe(4);
});
