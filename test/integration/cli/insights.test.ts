import { expect, test } from 'vitest';
import { commandLineOf } from '../../support/client/command-line.ts';
import { addUsage, insightsOf, send, sessionOf, untilCounted } from '../../support/insights/insights.ts';
import { organization } from '../../support/machine.ts';

/** Creates an organization with one room: Ann was there for half an hour, with samples, and Bob is still there. */
async function visited() {
  const acme = organization();
  const session = sessionOf(acme, { roomName: '/team/standup' });
  const events = [
    session.created('08:00'),
    session.started('09:00'),
    session.joined('ann', '09:00', { externalId: 'crm-1', displayName: 'Ann\u001b[31m', userAgent: 'Firefox/1' }),
    session.sampled('ann', '09:00', [1, 2, 3, null, 5]),
    session.rated('ann', '09:20', 4),
    session.left('ann', '09:30'),
    session.joined('bob', '09:10'),
  ];
  await send(...events);
  await untilCounted(acme, events);
  return { acme, session, ...(await commandLineOf(acme)), known: insightsOf(acme) };
}

const lines = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

test('rooms, sessions and participants are printed as tables, and with --json as in the API', async () => {
  const { run, json, session, known } = await visited();
  const { roomName, roomSessionId } = session;
  const participants = ['participants', '--room-session-id', roomSessionId];

  expect(lines((await run(['rooms', '--room-name-starts-with', '/team/'])).stdout)).toEqual([
    ['ROOM', 'LAST USED (UTC)', 'SESSIONS', 'PEOPLE', 'MINUTES', 'RATING'],
    ['/team/standup', '2026-03-02 09:00', '1', '2', '30', '4.0'],
  ]);
  expect(lines((await run(['sessions', roomName])).stdout)).toEqual([
    ['SESSION', 'START (UTC)', 'END (UTC)', 'PEOPLE', 'MINUTES', 'RATING'],
    [roomSessionId, '2026-03-02 09:00', '-', '2', '30', '4.0'],
  ]);
  expect(lines((await run(participants)).stdout)).toEqual([
    ['PARTICIPANT', 'NAME', 'ROLE', 'JOINED (UTC)', 'STAYED'],
    ['ann', 'Ann\ufffd[31m', 'guest', '2026-03-02 09:00', '30:00'],
    ['bob', 'bob', 'guest', '2026-03-02 09:10', '-'],
  ]);
  expect(lines((await run(['participants', '--external-id', 'crm-1'])).stdout)[1]).toEqual([
    ...[roomSessionId, 'ann', 'Ann\ufffd[31m', 'guest', '2026-03-02 09:00', '30:00'],
  ]);
  expect(await json(['rooms'])).toEqual(await known.rooms());
  expect(await json(['sessions', roomName])).toEqual(await known.roomSessions({ roomName }));
  expect(await json(participants)).toEqual(await known.participants({ roomSessionId }));
});

test('network draws charts, and prints the samples with --json', async () => {
  const { run, json, session, known } = await visited();
  const network = ['network', session.roomSessionId, 'ann'];

  const { code, stdout, stderr } = await run(network);

  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^Ann\ufffd\[31m \(guest\)\nJoined 2026-03-02 09:00:00 UTC\n/);
  expect(stdout).toMatch(/^Packet loss sent .*max 5/m);
  expect(stdout).toMatch(/^Firefox\/1$/m);
  const query = { roomSessionId: session.roomSessionId, participantId: 'ann' };
  expect(await json(network)).toEqual(await known.participant(query));
  const [narrowed] = await json([...network, '--from', '2026-03-02T09:00:02Z', '--to', '2026-03-02T09:00:06Z']);
  expect(narrowed.samples.bitrateSend).toEqual([2, 3]);
});

test('usage is printed as a table, and with --json and --csv as in the API', async () => {
  const acme = organization();
  const { run, json } = await commandLineOf(acme);
  const counts = { sessions: 2, participantMinutes: 62, recorderMinutes: 31, streamerMinutes: 0 };
  const day = { day: '2026-03-02', roomName: '/team/standup', ...counts, transcriptions: 1, transcribedSeconds: 1872 };
  await addUsage(acme, day);
  const usage = ['usage', '--from', '2026-03-01', '--to', '2026-03-31'];

  expect(lines((await run(usage)).stdout)).toEqual([
    ['DAY (UTC)', 'ROOM', 'SESSIONS', 'MINUTES', 'RECORDED', 'STREAMED', 'TRANSCRIPTIONS', 'TRANSCRIBED'],
    ['2026-03-02', '/team/standup', '2', '62', '31', '0', '1', '31:12'],
  ]);
  expect(await json(usage)).toEqual({ results: [day], cursor: null });
  expect((await run([...usage, '--room-name', '/team/standup', '--all', '--csv'])).stdout).toBe(
    `${Object.keys(day).join(',')}\r\n${Object.values(day).join(',')}\r\n`,
  );
  expect((await run(['usage', '--from', '2026-02-30'])).stderr).toContain('--from must be a day that exists');
});

test('an empty result is an empty list in JSON, and otherwise a message', async () => {
  const acme = organization();
  const { run, json } = await commandLineOf(acme);
  const { roomSessionId } = sessionOf(acme);
  const empty = { results: [], cursor: null };
  const cases = [
    [['rooms'], 'No rooms.\n', empty],
    [['sessions', '/team/standup'], 'No sessions.\n', empty],
    [['participants', '--external-id', 'nobody'], 'No participants.\n', empty],
    [['network', roomSessionId, 'nobody'], 'No connections.\n', []],
    [['usage'], 'No usage.\n', empty],
  ] as const;
  for (const [args, stderr, nothing] of cases) {
    expect(await run(args)).toEqual({ code: 0, stdout: '', stderr });
    expect(await json(args)).toEqual(nothing);
  }
});

test('errors of the service name options and arguments of the command', async () => {
  const { run } = await commandLineOf(organization());
  const refused = async (...args: string[]) => {
    const { code, stderr } = await run(args);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused('participants')).toBe('--room-session-id is required, unless --external-id is given.\n');
  expect(await refused('sessions', 'standup')).toBe('<room-name> must start with "/".\n');
  expect(await refused('sessions')).toBe("Missing required argument 'room-name'.\nFor help, add --help.\n");
  expect(await refused('network', 'x', 'ann')).toBe('<room-session-id> must be a UUID.\n');
  expect(await refused('rooms', '--sort-by', 'size:asc')).toMatch(/^Option '--sort-by <order>' argument 'size:asc'/);
});
