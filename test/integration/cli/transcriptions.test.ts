import { expect, test } from 'vitest';
import { commandLineOf } from '../../support/command-line.ts';
import { api, organization } from '../../support/machine.ts';
import { finishRecording, readyTranscription, registered, shortWav } from '../../support/recordings.ts';

test('create prints the id, and --wait waits for the transcript', async () => {
  const acme = organization();
  const { run, json } = await commandLineOf(acme);
  const { recordingId } = await finishRecording(acme, { body: shortWav, roomName: '/team/standup' });

  const waited = await run(['transcriptions', 'create', recordingId, '--wait']);

  const transcriptionId = /^Transcription +(\S+)$/m.exec(waited.stdout)?.[1] ?? '';
  const { body } = await api(acme)('GET', `/v1/transcriptions/${transcriptionId}`);
  expect(waited).toMatchObject({ code: 0, stderr: 'In progress\n' });
  expect(waited.stdout).toMatch(/^State +ready$/m);
  expect(await json(['transcriptions', 'get', transcriptionId])).toEqual(body);
  const created = await run(['transcriptions', 'create', recordingId]);
  expect(created).toMatchObject({ code: 0, stderr: expect.stringContaining(created.stdout.trim()) });
  const again = await run(['transcriptions', 'get', created.stdout.trim(), '--wait']);
  expect(again.stdout).toMatch(/^State +ready$/m);
});

test('look', async () => {
  const acme = organization();
  const { run } = await commandLineOf(acme);
  const { transcription, recording } = await readyTranscription(acme);
  await registered(acme, recording.recordingId);
  const id = transcription.transcriptionId;
  for (const args of [
    ['transcriptions', 'list'],
    ['transcriptions', 'list', '--json'],
    ['transcriptions', 'list', '--limit', '0'],
    ['transcriptions', 'list', '--start-date-from', 'x'],
    ['transcriptions', 'list', '--start-date-from', 'x', '--json'],
    ['transcriptions', 'get', id],
    ['transcriptions', 'get', 'x'],
    ['transcriptions', 'create', recording.recordingId, '--json'],
    ['transcriptions', 'download', id, '--format', 'vtt'],
    ['transcriptions', 'download', id, '--output', 'x.srt'],
    ['transcriptions', 'download', id, '--output', 'x.srt'],
    ['transcriptions', 'delete', id],
    ['transcriptions', 'delete', id, '--yes'],
    ['transcriptions', 'get', id],
    ['transcriptions', 'get', id, '--json'],
    ['rooms'],
    ['sessions', '/x'],
    ['sessions', 'x'],
    ['participants'],
    ['participants', '--external-id', 'x', '--json'],
    ['network', id, 'x'],
    ['complete', '--', 'rooms', '--sort-by', 'r'],
    ['complete', '--', 'rooms', '--'],
    ['complete', '--', 'tr'],
  ]) {
    const { code, stdout, stderr } = await run(args);
    console.log(`$ ${args.join(' ')}\n${stdout}--\n${stderr}=> ${code}`);
  }
});
