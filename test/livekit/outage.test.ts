import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { record } from '#tools/local/meeting/record.ts';
import { makeDataFolder } from '../support/data-folder.ts';
import { organization } from '../support/machine.ts';
import { npmStart, readEndpoints, type StartedService } from '../support/npm-start.ts';
import { connect, type OneMachine, runOrganization } from './connect.ts';
import { expectAt, hasEnded, inferred, observed, seen, staysOf } from './insights.ts';
import { killPrograms, type Livekit, type Program, startLivekit, startParticipant } from './programs.ts';

// LiveKit 1.8 tries to send a webhook five times within 15 seconds. It sends those of a room one after the other, so four of one room are
// lost in a minute, and the fifth arrives. Rooms share ten queues by a hash of their names. These three have a queue each.
const [goesOn, ends, begins] = ['standup', 'review', 'retro'];
const givesUpMs = 90_000;

const acme = organization();
let dataDir = '';
let service: StartedService | undefined;
let machine: OneMachine;
let livekit: Livekit;
let quiet = '';

/** What the script did, in milliseconds: when Dan joined and left, and for how long the machine was down. */
const did = { danJoined: 0, danLeft: 0, down: 0 };

beforeAll(async () => {
  dataDir = await makeDataFolder('roomscribe-outage-');
  quiet = path.join(inject('machine').temporaryFolder, 'quiet-for-minutes.wav');
  await record({ lines: [], from: 0, to: 300 }, quiet, ['-c:a', 'pcm_s16le'], AbortSignal.timeout(30_000));
  machine = await serve(0);
  livekit = await startLivekit(await connect(machine, acme));
  const [ada, ben, cleo, eve] = await Promise.all([
    ...['ada', 'ben', 'cleo'].map((name) => joined(goesOn, name)),
    joined(ends, 'eve'),
  ]);
  await seen(machine, [acme, goesOn], ({ participants }) => expect(Object.keys(participants)).toHaveLength(3));
  await seen(machine, [acme, ends], ({ participants }) => expect(Object.keys(participants)).toHaveLength(1));

  const dan = await duringOutage(async () => {
    await leave(ada, ben, eve);
    const joins = await joined(begins, 'dan');
    did.danJoined = Date.now();
    for (const identity of ['ada', 'ben']) await lost(goesOn, 'participant_left', identity);
    await lost(ends, 'room_finished');
    await lost(begins, 'participant_joined', 'dan');
    return joins;
  });

  await leave(dan, cleo);
  did.danLeft = Date.now();
}, 400_000);
afterAll(async () => {
  killPrograms();
  kill('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts the one machine. Port 0 is any free one. */
async function serve(port: number): Promise<OneMachine> {
  service = npmStart(['--no-demo', '--port', String(port), '--data-dir', dataDir]);
  await service.says('Serving', 120_000);
  return { dataDir, endpoints: await readEndpoints(dataDir) };
}

function kill(signal: NodeJS.Signals): void {
  const { pid, exitCode, signalCode } = service?.process ?? {};
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal);
}

/** Stops the one machine, and starts it again at the same address when `during` is done. */
async function duringOutage<Result>(during: () => Promise<Result>): Promise<Result> {
  kill('SIGINT');
  expect(await service?.ended, service?.output()).toBe(0);
  const stopped = Date.now();
  const result = await during();
  const { apiUrl } = machine.endpoints;
  machine = await serve(Number(new URL(apiUrl).port));
  did.down = Date.now() - stopped;
  expect(machine.endpoints.apiUrl).toBe(apiUrl);
  return result;
}

async function joined(room: string, identity: string): Promise<Program> {
  const participant = startParticipant(livekit, room, identity, quiet);
  await participant.says('"participant":"joined"');
  return participant;
}

async function leave(...participants: readonly (Program | undefined)[]): Promise<void> {
  for (const participant of participants) participant?.kill('SIGINT');
  for (const participant of participants) expect(await participant?.ended, participant?.output()).toBe(0);
}

/** Waits until LiveKit gives up a webhook. */
function lost(room: string, event: string, identity?: string): Promise<void> {
  const participant = identity === undefined ? '' : `.*"participant": "${identity}"`;
  const line = new RegExp(`failed to send webhook.*"event": "${event}".*"room": "${room}"${participant}`);
  return livekit.server.says(line, givesUpMs);
}

test('the one machine was down for a minute', () => {
  expect(did.down).toBeGreaterThan(55_000);
});

test('a session that outlasts the outage says whose leaves are missing', async () => {
  await seen(machine, [acme, goesOn], (now) => {
    hasEnded(now);
    const { room, session, participants } = now;
    const asOf = session.endedAt;
    expect(session).toMatchObject({ asOf, totalUniqueParticipants: 3, completeness: inferred('leave') });
    expect(room).toMatchObject({ asOf, totalSessions: 1, completeness: inferred('leave') });
    expect(participants.ada).toMatchObject({ leftAt: asOf, completeness: inferred('leave') });
    expect(participants.ben).toMatchObject({ leftAt: asOf, completeness: inferred('leave') });
    expect(participants.cleo).toMatchObject({ completeness: observed });
  });
});

test('a session that begins in the outage lacks nobody, because each leave tells its join, and says that a join was not told', async () => {
  const filled = { state: 'inferred', missing: ['participant'] };
  const { session, participants } = await seen(machine, [acme, begins], (now) => {
    hasEnded(now);
    expect(now.session).toMatchObject({ totalUniqueParticipants: 1, completeness: filled });
    expect(now.room).toMatchObject({ totalSessions: 1, completeness: filled });
    expect(now.participants.dan).toMatchObject({ completeness: filled });
  });

  expectAt(session.startedAt, did.danJoined);
  const [stay] = await staysOf(machine, acme, participants.dan);
  expectAt(stay?.joined, did.danJoined);
  expectAt(stay?.left, did.danLeft);
});

test('a session that ends in the outage stays open, and says what is missing when an operator closes it', async () => {
  const open = await seen(machine, [acme, ends], ({ session }) =>
    expect(session).toMatchObject({ endedAt: null, completeness: observed }),
  );

  await runOrganization(machine, ['close-session', acme, open.session.roomSessionId]);

  const { asOf } = open.session;
  await seen(machine, [acme, ends], ({ room, session, participants }) => {
    expect(session).toMatchObject({ endedAt: asOf, asOf, completeness: inferred('end', 'leave') });
    expect(room).toMatchObject({ asOf, completeness: inferred('end', 'leave') });
    expect(participants.eve).toMatchObject({ leftAt: asOf, completeness: inferred('leave') });
  });
});
