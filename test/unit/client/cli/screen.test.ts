import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { openProgress } from '#client/cli/output/progress.ts';
import { canRewrite, screenOf } from '#client/cli/output/screen.ts';

const terminal = { isTTY: true, columns: 100 };
const pipe = { isTTY: false, columns: 0 };

it.each<[string, { isTTY: boolean; columns: number }, NodeJS.ProcessEnv, boolean]>([
  ['a terminal', terminal, {}, true],
  ['a pipe', pipe, {}, false],
  ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }, false],
  ['a terminal with an empty NO_COLOR', terminal, { NO_COLOR: '' }, true],
  ['a terminal that is dumb', terminal, { TERM: 'dumb' }, false],
  ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, true],
  ['a pipe with an empty FORCE_COLOR', pipe, { FORCE_COLOR: '' }, true],
  ['a terminal with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
  ['both NO_COLOR and FORCE_COLOR', terminal, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
])('the screen decides on colours for %s', (_, stream, environment, isColored) => {
  expect(screenOf(stream, environment).colors.isColorSupported).toBe(isColored);
});

it('the screen is as wide as its terminal, 80 columns by default, and has no width in a pipe', () => {
  expect(screenOf(terminal, {}).columns).toBe(100);
  expect(screenOf({ isTTY: true, columns: 0 }, {}).columns).toBe(80);
  expect(screenOf(pipe, {}).columns).toBeUndefined();
});

it('the screen overwrites its output only on a terminal that is not dumb', () => {
  expect([canRewrite(terminal, {}), canRewrite(pipe, {}), canRewrite(terminal, { TERM: 'dumb' })]).toEqual([
    true,
    false,
    false,
  ]);
});

it('the screen writes each new progress text on its own line without a terminal', () => {
  const stream = new PassThrough();
  const progress = openProgress(stream as unknown as NodeJS.WriteStream, {});
  for (const text of ['Waiting', 'Waiting', 'Still waiting\u001b[2J']) progress.show(text);
  progress.stop();
  progress.stop();
  expect(String(stream.read())).toBe('Waiting\nStill waiting\ufffd[2J\n');
});
