import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'vitest';
import { person } from '../../support/client/terminal.ts';

/** Starts bash with only the script of `roomscribe completion bash`, for a user with two profiles. */
async function shell() {
  const { env, shell } = await person();
  const account = { apiUrl: 'https://api.example', token: 'x' };
  await mkdir(env.ROOMSCRIBE_CONFIG_DIR, { recursive: true });
  await writeFile(
    path.join(env.ROOMSCRIBE_CONFIG_DIR, 'profiles.json'),
    JSON.stringify({ profiles: { production: account, staging: account } }),
  );
  const source = 'source <(roomscribe completion bash)';
  const terminal = await shell(`${source}\n${source}`); // twice, as after a change of the startup file
  await terminal.until(/^\$$/);
  return terminal;
}

test.each([
  ['a command', 'roomscribe tran', 'roomscribe transcriptions '],
  ['a command of a command', 'roomscribe transcriptions down', 'roomscribe transcriptions download '],
  ['an option', 'roomscribe rooms --room-name-st', 'roomscribe rooms --room-name-starts-with '],
  [
    'a choice of an option',
    'roomscribe transcriptions list --state fai',
    'roomscribe transcriptions list --state failed ',
  ],
  [
    'a choice with a colon',
    'roomscribe rooms --sort-by lastSessionStartedAt:d',
    'roomscribe rooms --sort-by lastSessionStartedAt:desc ',
  ],
  [
    'what follows a quoted value',
    'roomscribe rooms --room-name-starts-with "a b" --js',
    'roomscribe rooms --room-name-starts-with "a b" --json ',
  ],
  ['an option of all commands', 'roomscribe rooms --prof', 'roomscribe rooms --profile '],
  ['the name of a profile', 'roomscribe rooms --profile sta', 'roomscribe rooms --profile staging '],
  ['the profile to use', 'roomscribe profiles use prod', 'roomscribe profiles use production '],
])('bash completes %s', async (_, typed, completed) => {
  const terminal = await shell();
  terminal.type(typed);
  terminal.press('tab');
  terminal.type('|'); // makes the blank after the completion visible
  await terminal.until(new RegExp(`\\$ ${completed}\\|`));
});

test('bash offers the choices', async () => {
  const terminal = await shell();
  terminal.type('roomscribe transcriptions ');
  terminal.press('tab');
  terminal.press('tab');
  for (const choice of ['create', 'delete', 'download', 'get', 'link', 'list', 'revoke']) // bash orders them in columns
    await terminal.until(new RegExp(`\\b${choice}\\b`));
});

test('completion runs no part of the typed line', async () => {
  const terminal = await shell();
  terminal.type("roomscribe $(echo ran >&2; touch 'it ran') transcriptions down");
  terminal.press('tab');
  terminal.type('\u0015test -e \'it ran\'; echo "=> $?"\r'); // \u0015 clears the line
  await terminal.until(/=> 1/);
});
