import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { RoomSessionInsight, SessionParticipant } from '#shared/contracts/insights.ts';
import type { TranscriptDocument } from '#shared/contracts/transcript-document.ts';
import { type Line, record } from '#tools/local/meeting/record.ts';
import type { Voice } from '#tools/local/meeting/speak.ts';
import { eventually } from '../support/eventually.ts';
import { api, organization } from '../support/machine.ts';
import { createTranscription, ended, linkTo } from '../support/recordings.ts';
import { wordErrorRate } from '../support/word-error-rate.ts';
import { connect } from './connect.ts';
import { killPrograms, type Livekit, type Program, startLivekit, startParticipant, startRecorder } from './programs.ts';

const acme = organization();
const room = `standup-${randomUUID()}`;
const wav = ['-c:a', 'pcm_s16le'];

const ada = [line('slt', 1, 'Good morning, and thank you for joining this meeting.')];
const ben = [line('kal16', 1, 'The first question is how many people want to work on Sunday.')];
const benAgain = [line('kal16', 1, 'We have three hundred dollars for the next month.')];
const cleo = [line('rms', 1, 'That is not enough money for a new computer.')];

/** What the script did, in milliseconds since 1970. */
const did = { adaJoined: 0, benJoined: 0, benRejoined: 0, cleoJoined: 0, cleoKilled: 0, adaLeft: 0, benLeft: 0 };

/** How far a time of LiveKit may be from the script's, which sees a join when its media flows. LiveKit dates leaves in whole seconds. */
const toleratedMs = 3_000;
/** LiveKit waits for a lost connection for about 20 seconds. */
const silentMs = 35_000;

let session: RoomSessionInsight;
let participants: readonly SessionParticipant[];
let transcript: TranscriptDocument;

beforeAll(async () => {
  const livekit = await startLivekit(await connect(acme));
  const recorder = startRecorder(livekit, room, acme);
  await recorder.says('"recording":"started"');
  await hold(livekit);
  expect(await recorder.ended, recorder.output()).toBe(0);
  const recordingId = /"recordingId":"([^"]+)"/.exec(recorder.output())?.[1] ?? recorder.output();
  const created = await createTranscription(acme, recordingId);
  expect(await ended(acme, created.path, 120_000)).toMatchObject({ state: 'ready' });
  const { accessLink } = await linkTo(acme, created.path, 'json');
  transcript = (await (await fetch(accessLink)).json()) as TranscriptDocument;
  session = await eventually(async () => {
    const query = { 'roomName[exact]': `/${room}` };
    const { body } = await api(acme)<{ results: RoomSessionInsight[] }>('GET', '/v1/insights/room-sessions', { query });
    const [only] = body.results;
    if (!only?.endedAt) throw new Error('The session has not ended yet.');
    return only;
  });
  const query = { roomSessionId: session.roomSessionId };
  const { body } = await api(acme)<{ results: SessionParticipant[] }>('GET', '/v1/insights/participants', { query });
  participants = body.results;
});
afterAll(killPrograms);

/** Three people meet. Ben leaves and comes back, and Cleo's program is killed. */
async function hold(livekit: Livekit): Promise<void> {
  const files = {
    ada: await spoken('ada', ada, 26),
    ben: await spoken('ben', ben, 6),
    benAgain: await spoken('ben-again', benAgain, 6),
    cleo: await spoken('cleo', cleo, 60),
  };
  const [first, second, third] = [
    startParticipant(livekit, room, 'ada', files.ada),
    startParticipant(livekit, room, 'ben', files.ben),
    startParticipant(livekit, room, 'cleo', files.cleo),
  ];
  did.adaJoined = await joined(first);
  did.benJoined = await joined(second);
  did.cleoJoined = await joined(third);
  expect(await second.ended, second.output()).toBe(0);
  third.kill('SIGKILL');
  did.cleoKilled = Date.now();
  const again = startParticipant(livekit, room, 'ben', files.benAgain);
  did.benRejoined = await joined(again);
  expect(await again.ended, again.output()).toBe(0);
  did.benLeft = Date.now();
  expect(await first.ended, first.output()).toBe(0);
  did.adaLeft = Date.now();
}

describe('insights of a meeting on a real LiveKit', () => {
  test('have the three people, and count the hidden recorder as a recorder', () => {
    expect(session).toMatchObject({ roomName: `/${room}`, totalUniqueParticipants: 3, totalUniqueRecorders: 1 });
    expect(participants.map(({ participantId }) => participantId).sort()).toEqual(['ada', 'ben', 'cleo']);
  });

  test('have the joins and leaves when they happened', () => {
    expectAt(of('ada').joinedAt, did.adaJoined);
    expectAt(of('ada').leftAt, did.adaLeft);
    expectAt(of('ben').joinedAt, did.benJoined);
    expectAt(of('ben').leftAt, did.benLeft);
    expectAt(of('cleo').joinedAt, did.cleoJoined);
  });

  test('have the leave of a killed participant when LiveKit gave it up, about 20 seconds late', () => {
    const late = Date.parse(of('cleo').leftAt ?? '') - did.cleoKilled;

    expect(late).toBeGreaterThan(toleratedMs);
    expect(late).toBeLessThan(silentMs);
  });

  test('end with the room, after the last leave', () => {
    const lastLeave = Math.max(...participants.map(({ leftAt }) => Date.parse(leftAt ?? '')));

    expect(Date.parse(session.endedAt ?? '')).toBeGreaterThanOrEqual(lastLeave);
    expect(Date.parse(session.endedAt ?? '') - lastLeave).toBeLessThan(10_000);
  });

  test('count both stays of who came back', async () => {
    const url = `/v1/insights/participant`;
    const query = { roomSessionId: session.roomSessionId, participantId: 'ben' };
    const { body } = await api(acme)<readonly unknown[]>('GET', url, { query });

    expect(body).toMatchObject([
      { events: [{ type: 'joined' }, { type: 'left' }] },
      { events: [{ type: 'joined' }, { type: 'left' }] },
    ]);
  });
});

describe('the recording of a hidden participant, transcribed from its tracks', () => {
  test.each([
    ['ada', [ada]],
    ['ben', [ben, benAgain]],
    ['cleo', [cleo]],
  ] as const)('has what %s said as theirs', (participantId, said) => {
    const speaker = transcript.speakers?.find((each) => each.participantId === participantId)?.speaker;
    const text = transcript.turns.flatMap((turn) => (turn.speaker === speaker ? [turn.text] : [])).join(' ');

    expect(speaker).toBeDefined();
    expect(
      wordErrorRate(
        said
          .flat()
          .map((each) => each.text)
          .join(' '),
        text,
      ),
    ).toBeLessThanOrEqual(0.35);
  });
});

function line(voice: Voice, at: number, text: string): Line {
  return { voice, at, text };
}

/** A WAV file of a participant. */
async function spoken(name: string, lines: readonly Line[], to: number): Promise<string> {
  const file = path.join(inject('machine').temporaryFolder, `${name}.wav`);
  await record({ lines, from: 0, to }, file, wav, AbortSignal.timeout(30_000));
  return file;
}

async function joined(participant: Program): Promise<number> {
  await participant.says('"participant":"joined"');
  return Date.now();
}

function of(participantId: string): SessionParticipant {
  const found = participants.find((participant) => participant.participantId === participantId);
  if (!found) throw new Error(`${participantId} is missing.`);
  return found;
}

function expectAt(date: string | null, time: number): void {
  expect(Math.abs(Date.parse(date ?? '') - time)).toBeLessThan(toleratedMs);
}
