import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { commandLine, program } from '../../support/client/command-line.ts';
import { roomscribeOnPath } from '../../support/docs/on-path.ts';

const run = promisify(execFile);

/** A user with two profiles. */
async function somebody() {
  const user = await commandLine();
  const account = { apiUrl: 'https://api.example', token: 'hush' };
  await mkdir(path.dirname(user.profilesFile), { recursive: true });
  await writeFile(user.profilesFile, JSON.stringify({ profiles: { dev: account, prod: account } }));
  const complete = async (...words: string[]) => {
    const { code, stdout, stderr } = await user.runProcess(['complete', '--', ...words]);
    expect([code, stderr]).toEqual([0, '']);
    const [, ...lines] = stdout.trimEnd().split('\n').reverse();
    return lines.reverse().map((line) => line.split('\t')[0]);
  };
  return { ...user, complete };
}

describe('roomscribe completion', () => {
  test('completes commands, options, choices and profiles', async () => {
    const { complete } = await somebody();
    expect(await complete('tr')).toEqual(['transcriptions']);
    expect(await complete('transcriptions', '')).toEqual(
      expect.arrayContaining(['create', 'list', 'get', 'download', 'delete']),
    );
    expect(await complete('transcriptions', 'list', '--room')).toEqual(['--room-name', '--room-session-id']);
    expect(await complete('transcriptions', 'list', '--state', '')).toEqual(['in_progress', 'ready', 'failed']);
    expect(await complete('transcriptions', 'download', 'id', '--format', 'v')).toEqual(['vtt']);
    expect(await complete('rooms', '--profile', '')).toEqual(['dev', 'prod']);
    expect(await complete('--profile', 'p')).toEqual(['prod']);
    expect(await complete('profiles', 'use', '')).toEqual(['dev', 'prod']);
    expect(await complete('rooms', '--js')).toEqual(['--json']);
    expect(await complete('--js')).toEqual(['--json']);
    expect(await complete('completion', '')).toEqual(['zsh', 'bash', 'fish', 'powershell']);
  });

  test('completes nothing if the profiles cannot be read', async () => {
    const { complete, profilesFile } = await somebody();
    await writeFile(profilesFile, '{');
    expect(await complete('rooms', '--profile', '')).toEqual([]);
  });

  test.each([
    ['roomscribe transcriptions lis', ['list']],
    ['roomscribe rooms --sort-by rating:', ['asc', 'desc']],
  ])('prints a script with which bash completes %j without another package', async (line, expected) => {
    const { run: roomscribe, folder } = await somebody();
    const { code, stdout } = await roomscribe(['completion', 'bash']);
    expect(code).toBe(0);
    await writeFile(path.join(folder, 'completion.bash'), stdout);
    const bin = await roomscribeOnPath(folder, program);

    const script = `compopt() { :; }; source completion.bash; COMP_LINE="${line}"; COMP_POINT=\${#COMP_LINE}
      COMP_WORDBREAKS=": "; set -- $(complete -p roomscribe); "$3"
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { PATH: `${bin}:${process.env.PATH}` };
    const replies = await run('bash', ['--norc', '-c', script], { cwd: folder, env });

    expect(replies).toEqual({ stdout: `${expected.join('\n')}\n`, stderr: '' });
  });

  test('rejects an unknown shell', async () => {
    const { run: roomscribe } = await somebody();
    expect(await roomscribe(['completion', 'tcsh'])).toMatchObject({ code: 2, stderr: expect.stringContaining('zsh') });
  });
});
