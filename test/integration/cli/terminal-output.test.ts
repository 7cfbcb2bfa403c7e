import { expect, test } from 'vitest';
import { environmentOf } from '../../support/client/command-line.ts';
import { person } from '../../support/client/terminal.ts';
import { sessionOf, tellerOf } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';
import { readyTranscription } from '../../support/media/recordings.ts';

const roomName = `/部屋/${'a-room-with-a-long-name-'.repeat(5)}`;
const displayName = `アダ 🫠 ${'Augusta King, Countess of Lovelace '.repeat(4)}`.trimEnd();
const colour = '\u001b[';

/** A user of an organization with long and wide names, one of them with an escape sequence. */
async function personOfWideNames() {
  const acme = organization();
  const session = sessionOf(acme, { roomName });
  const tell = tellerOf(acme);
  await tell(
    session.created('09:00'),
    session.started('09:00'),
    session.joined('p-1', '09:00', { displayName, roleName: 'host', externalId: 'crm-1' }),
    session.sampled('p-1', '09:00:10', [0, 3, null, 12, 0.5]),
    session.joined('p-2', '09:01', { displayName: 'Mallory\u001b[2J\u001b]0;owned\u0007\nroot', externalId: 'crm-1' }),
    session.rated('p-1', '09:20', 4),
    session.ended('09:30'),
  );
  return { acme, session, ...(await person(environmentOf(acme))) };
}

test('output fits a terminal of 80 columns, and no name controls the terminal', async () => {
  const { acme, session, roomscribe } = await personOfWideNames();
  const { transcriptionId } = await readyTranscription(acme, { roomName });
  const commands = [
    ['rooms'],
    ['sessions', roomName],
    ['participants', '--room-session-id', session.roomSessionId],
    ['participants', '--external-id', 'crm-1'],
    ['network', session.roomSessionId, 'p-1'],
    ['transcriptions', 'list'],
    ['transcriptions', 'download', transcriptionId, '--format', 'vtt'],
    ['profiles'],
  ];
  for (const command of commands) {
    const terminal = roomscribe(command);
    expect(await terminal.exitCode, command.join(' ')).toBe(0);
    expect(await terminal.wrapped(), command.join(' ')).toEqual([]);
    expect(terminal.raw()).not.toContain('\u001b[2J');
    expect(terminal.raw()).not.toContain('\u001b]');
  }
});

test('columns stay aligned with all names', async () => {
  const { session, roomscribe } = await personOfWideNames();
  const list = roomscribe(['participants', '--room-session-id', session.roomSessionId], { columns: 100 });
  await list.exitCode;
  const [header = '', first = '', second = ''] = (await list.screen()).split('\n');
  expect(header).toMatch(/^PARTICIPANT {2}NAME /);
  expect([first, second].map((line) => list.widthBefore(line, '2026-03-02 09:0'))).toEqual([
    header.indexOf('JOINED'),
    header.indexOf('JOINED'),
  ]);
  expect(first).toMatch(/^p-1 {10}アダ 🫠 Augusta King.*… {2}host /u);
  expect(second).toContain('Mallory\ufffd[2J\ufffd]0;owned\ufffd root');
});

test('the help fits the terminal and uses its width', async () => {
  const { roomscribe } = await person();
  for (const command of [[], ['transcriptions', 'list']]) {
    const help = roomscribe([...command, '--help']);
    expect(await help.exitCode, command.join(' ')).toBe(0);
    expect(await help.screen()).toMatch(/^Usage: roomscribe/);
    expect(await help.wrapped(), command.join(' ')).toEqual([]);
  }
});

test('output at a terminal has colours, except with NO_COLOR and on a dumb terminal', async () => {
  const { session, roomscribe } = await personOfWideNames();
  for (const command of [['rooms'], ['network', session.roomSessionId, 'p-1']]) {
    const colored = roomscribe(command);
    await colored.exitCode;
    expect(colored.raw()).toContain(colour);
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      const plain = roomscribe(command, { env });
      await plain.exitCode;
      expect(plain.raw()).not.toContain(colour);
      expect(await plain.screen()).toBe(await colored.screen());
    }
  }
});

test('output in a pipe is not truncated, and has colours only with FORCE_COLOR', async () => {
  const { bash } = await personOfWideNames();
  const piped = bash('roomscribe rooms | cat');
  expect(await piped.exitCode).toBe(0);
  expect(piped.raw()).not.toContain('\u001b');
  expect(piped.raw()).toContain(roomName);
  const forced = bash('roomscribe rooms | cat', { env: { FORCE_COLOR: '1' } });
  await forced.exitCode;
  expect(forced.raw()).toContain(colour);
});

test.each(['head -1', 'true'])('a command ends without an error if its output goes to `%s`', async (reader) => {
  const { bash, session } = await personOfWideNames();
  const list = bash(
    `for _ in 1 2 3; do roomscribe participants --room-session-id ${session.roomSessionId} | ${reader} > first; ` +
      `echo "=> $\{PIPESTATUS[*]}"; done; cat first`,
  );
  expect(await list.exitCode).toBe(0);
  expect(await list.screen()).toMatch(/^(=> 0 0\n?){3}(PARTICIPANT .*)?$/s);
});
