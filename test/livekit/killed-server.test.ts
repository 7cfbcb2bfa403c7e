import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { record } from '#tools/local/meeting/record.ts';
import { organization } from '../support/machine.ts';
import { connect, type OneMachine, runOrganization, sharedMachine } from './connect.ts';
import { inferred, observed, type SeenRoom, seen } from './insights.ts';
import { killPrograms, startLivekit, startParticipant } from './programs.ts';

const acme = organization();
const room = 'killed';
let machine: OneMachine;
/** The insights after LiveKit was killed, and after the operator closed the session. */
let [open, closed]: SeenRoom[] = [];

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
  await runOrganization(machine, ['close-session', acme, open.session.roomSessionId]);
  closed = await seen(machine, [acme, room], ({ session }) => expect(session.endedAt).not.toBeNull());
});
afterAll(killPrograms);

describe('a session of a LiveKit that is killed', () => {
  test('stays open, and misses nothing yet', () => {
    expect(open?.session).toMatchObject({ endedAt: null, completeness: observed });
    expect(open?.room).toMatchObject({ completeness: observed });
    expect(open?.participants.ada).toMatchObject({ leftAt: null, completeness: observed });
  });

  test('ends at its latest event when an operator closes it, and says that its end and a leave are missing', () => {
    const asOf = open?.session.asOf;

    expect(closed?.session).toMatchObject({ endedAt: asOf, asOf, completeness: inferred('end', 'leave') });
    expect(closed?.room).toMatchObject({ asOf, completeness: inferred('end', 'leave') });
    expect(closed?.participants.ada).toMatchObject({ leftAt: asOf, completeness: inferred('leave') });
  });

  test('cannot be closed again', async () => {
    const again = runOrganization(machine, ['close-session', acme, String(open?.session.roomSessionId)]);

    await expect(again).rejects.toThrow('has ended already');
  });
});
