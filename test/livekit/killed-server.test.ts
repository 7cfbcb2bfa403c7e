import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { record } from '#tools/local/meeting/record.ts';
import { organization } from '../support/machine.ts';
import { connect, type OneMachine, runOrganization, sharedMachine } from './connect.ts';
import { inferred, observed, type SeenRoom, seen } from './insights.ts';
import { killPrograms, startLivekit, startParticipant } from './programs.ts';

const acme = organization();
const room = 'killed';
let machine: OneMachine;
/** The insights after LiveKit was killed. */
let open: SeenRoom;

beforeAll(async () => {
  machine = await sharedMachine();
  const file = path.join(inject('machine').temporaryFolder, 'quiet.wav');
  await record({ lines: [], from: 0, to: 60 }, file, ['-c:a', 'pcm_s16le'], AbortSignal.timeout(30_000));
  const livekit = await startLivekit(await connect(machine, acme));
  await startParticipant(livekit, room, 'ada', file).says('"participant":"joined"');
  await seen(machine, [acme, room], ({ participants }) => expect(participants).toHaveProperty('ada'));
  livekit.server.kill('SIGKILL');
  await livekit.server.ended;
  open = await seen(machine, [acme, room], () => {});
});
afterAll(killPrograms);

test('a session of a LiveKit that is killed stays open, and says what is missing when an operator closes it', async () => {
  const { asOf, roomSessionId } = open.session;
  expect(open.session).toMatchObject({ endedAt: null, completeness: observed });
  expect(open.room).toMatchObject({ asOf, completeness: observed });
  expect(open.participants.ada).toMatchObject({ asOf, leftAt: null, completeness: observed });

  await runOrganization(machine, ['close-session', acme, roomSessionId]);

  await seen(machine, [acme, room], ({ room, session, participants }) => {
    expect(session).toMatchObject({ endedAt: asOf, asOf, completeness: inferred('end', 'leave') });
    expect(room).toMatchObject({ asOf, completeness: inferred('end', 'leave') });
    expect(participants.ada).toMatchObject({ asOf, leftAt: asOf, completeness: inferred('leave') });
  });
  await expect(runOrganization(machine, ['close-session', acme, roomSessionId])).rejects.toThrow('has ended already');
});
