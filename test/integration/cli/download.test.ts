import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { commandLineOf } from '../../support/client/command-line.ts';
import { known, liveSession, sendToRoomEvents } from '../../support/insights/live-sessions.ts';
import { organization } from '../../support/machine.ts';
import { linkTo, readyTranscription } from '../../support/media/recordings.ts';

const acme = organization();
let id: string;
let vtt: string;

beforeAll(async () => {
  const ready = await readyTranscription(acme);
  id = ready.transcriptionId;
  vtt = await (await fetch((await linkTo(acme, ready.path, 'vtt')).accessLink)).text();
});

test('download writes to stdout in the requested format', async () => {
  const { run } = await commandLineOf(acme);
  const expected = { code: 0, stdout: vtt, stderr: '' };
  expect(await run(['transcriptions', 'download', id, '--format', 'vtt'])).toEqual(expected);
  expect((await run(['transcriptions', 'download', id])).stdout).toMatch(/^# /);
});

test('download writes a file in the format of its extension, and leaves no other file', async () => {
  const { runProcess: run, folder } = await commandLineOf(acme);
  expect(await run(['transcriptions', 'download', id, '--output', 'standup.VTT'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Written to standup.VTT.\n',
  });
  expect(await readFile(path.join(folder, 'standup.VTT'), 'utf8')).toBe(vtt);
  expect((await readdir(folder)).filter((name) => name !== 'cache')).toEqual(['standup.VTT']);
});

test('download overwrites a file only with --force, and never anything else', async () => {
  const { runProcess: run, folder } = await commandLineOf(acme);
  const file = path.join(folder, 'notes.txt');
  await writeFile(file, 'mine');
  await mkdir(path.join(folder, 'notes'));
  const download = ['transcriptions', 'download', id, '--format', 'vtt', '--output'];

  const refused = await run([...download, 'notes.txt']);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('--force') });
  expect(await readFile(file, 'utf8')).toBe('mine');
  expect(await run([...download, 'notes.txt', '--force'])).toMatchObject({ code: 0 });
  expect(await readFile(file, 'utf8')).toBe(vtt);
  expect(await run([...download, 'notes', '--force'])).toMatchObject({ code: 2 });
  expect(await run([...download, '/dev/null', '--force'])).toMatchObject({ code: 2 });
  expect(await run([...download, 'nowhere/notes.txt'])).toMatchObject({
    code: 1,
    stderr: 'nowhere/notes.txt cannot be written: the folder nowhere does not exist.\n',
  });
});

test.each([
  ['-', { code: 0, stdout: expect.stringMatching(/^# /) }],
  ['', { code: 2, stderr: '--output must name a file.\n' }],
  [
    'out.html',
    { code: 2, stderr: 'The extension of out.html is not a format.\nAdd --format: md, txt, vtt, srt, json.\n' },
  ],
  [`${'x'.repeat(300)}.md`, { code: 1, stderr: expect.stringMatching(/cannot be written: ENAMETOOLONG\.\n$/) }],
])('download handles --output "%s"', async (file, expected) => {
  const { runProcess: run, folder } = await commandLineOf(acme);
  expect(await run(['transcriptions', 'download', id, '--output', file])).toMatchObject(expected);
  expect((await readdir(folder)).filter((name) => name !== 'cache')).toEqual([]);
});

test('download --json prints the turns, or the name of the file', async () => {
  const { json, runProcess } = await commandLineOf(acme);
  const download = ['transcriptions', 'download', id];
  expect(await json(download)).toMatchObject({ transcriptionId: id, turns: expect.any(Array) });
  const { stdout } = await runProcess([...download, '--output', 'turns.md', '--json']);
  expect(JSON.parse(stdout)).toEqual({ file: 'turns.md' });
});

test('download of a transcription in progress writes nothing and prints a hint', async () => {
  const { runProcess: run, folder } = await commandLineOf(acme);
  const { transcriptionId, path: its, started } = liveSession(acme);
  await sendToRoomEvents([started()]);
  await known(acme, its);

  const { code, stdout, stderr } = await run(['transcriptions', 'download', transcriptionId, '--output', 'x.md']);

  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`roomscribe transcriptions get ${transcriptionId} --wait`);
  expect(await readdir(folder)).not.toContain('x.md');
});
