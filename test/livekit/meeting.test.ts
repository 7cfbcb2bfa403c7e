import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { OrganizationId } from '#shared/contracts/organization/organization.ts';
import type { TranscriptDocument } from '#shared/contracts/transcriptions/transcript-document.ts';
import type { ParticipantSpan } from '#shared/domain/transcript/voices.ts';
import { sessionSpeech } from '#shared/storage/insights/session-speech.ts';
import { type Line, record } from '#tools/local/meeting/record.ts';
import type { Voice } from '#tools/local/meeting/speak.ts';
import { eventually } from '../support/eventually.ts';
import { dynamodb, endpoints, organization } from '../support/machine.ts';
import { createTranscription, ended, linkTo } from '../support/media/recordings.ts';
import { wordErrorRate } from '../support/transcriptions/word-error-rate.ts';
import { connect, type OneMachine, sharedMachine } from './connect.ts';
import { expectAt, hasEnded, observed, type SeenRoom, seen, staysOf, toleratedMs } from './insights.ts';
import {
  killPrograms,
  type Livekit,
  type Program,
  startLivekit,
  startParticipant,
  startRecorder,
  startSpeakers,
} from './programs.ts';

const acme = organization();
const room = `standup-${randomUUID()}`;

/** What people say, a stay for each row. Each begins a second after the file does. */
const said = {
  ada: [line('slt', 'Good morning, and thank you for joining this meeting.')],
  ben: [
    line('kal16', 'The first question is how many people want to work on Sunday.'),
    line('kal16', 'We have three hundred dollars for the next month.'),
  ],
  cleo: [line('rms', 'That is not enough money for a new computer.')],
} as const;
type Person = keyof typeof said;
const people = Object.keys(said) as Person[];

/** What the script did: the stays of each person, in milliseconds since 1970. Cleo's ends when her program is killed. */
const did: Record<Person, { joined: number; left: number }[]> = { ada: [], ben: [], cleo: [] };
/** How long LiveKit waits for a participant who is lost, at least and at most. It is about 20 seconds. */
const lostMs = { least: 10_000, most: 35_000 };
/** How long a participant is quiet between joining and speaking (examples/livekit-recorder/participant.ts). */
const quietMs = 2_000;

let machine: OneMachine;
let insights: SeenRoom;
let recorderOutput = '';
let transcript: TranscriptDocument;
let speech: readonly ParticipantSpan[];

beforeAll(async () => {
  machine = await sharedMachine();
  const livekit = await startLivekit(await connect(machine, acme));
  const recorder = startRecorder(livekit, room, acme);
  await recorder.says('"recording":"started"');
  const speakers = startSpeakers(livekit, room, acme);
  await speakers.says('"speakers":"started"');
  await hold(livekit);
  expect(await recorder.ended, recorder.output()).toBe(0);
  expect(await speakers.ended, speakers.output()).toBe(0);
  recorderOutput = recorder.output();
  const recordingId = /"recordingId":"([^"]+)"/.exec(recorderOutput)?.[1] ?? recorderOutput;
  const created = await createTranscription(acme, recordingId);
  expect(await ended(acme, created.path, 120_000)).toMatchObject({ state: 'ready' });
  const { accessLink } = await linkTo(acme, created.path, 'json');
  transcript = (await (await fetch(accessLink)).json()) as TranscriptDocument;
  insights = await seen(machine, [acme, room], hasEnded);
  speech = await eventually(() => storedSpeech(insights.session.roomSessionId), 30_000);
});
afterAll(killPrograms);

/** What the service has stored of who spoke in the session, of all three people. */
async function storedSpeech(roomSessionId: string): Promise<readonly ParticipantSpan[]> {
  const documents = DynamoDBDocumentClient.from(dynamodb);
  const spans = await sessionSpeech(documents, String(endpoints.tables.insightFacts)).spansOf({
    ...{ organizationId: OrganizationId.parse(acme), roomSessionId },
  });
  const heard = new Set(spans?.map(({ participantId }) => participantId));
  if (people.some((person) => !heard.has(person)))
    throw new Error(`Only ${[...heard].join()} are known to have spoken.`);
  return spans ?? [];
}

/** Three people meet. Ben leaves and comes back. Cleo's program is killed when Ben, who came after her, has spoken, so she has spoken, too. */
async function hold(livekit: Livekit): Promise<void> {
  const ada = await join(livekit, 'ada', { fileSeconds: 26 });
  const cleo = await join(livekit, 'cleo', { fileSeconds: 60 });
  const ben = await join(livekit, 'ben', { fileSeconds: 6 });
  await leave('ben', ben);
  cleo.kill('SIGKILL');
  leaves('cleo');
  await leave('ben', await join(livekit, 'ben', { fileSeconds: 6 }));
  await leave('ada', ada);
}

async function join(livekit: Livekit, person: Person, { fileSeconds: to }: { fileSeconds: number }): Promise<Program> {
  const stay = did[person].length;
  const file = path.join(inject('machine').temporaryFolder, `${person}-${stay}.wav`);
  await record(
    { lines: said[person].slice(stay, stay + 1), from: 0, to },
    file,
    ['-c:a', 'pcm_s16le'],
    AbortSignal.timeout(30_000),
  );
  const participant = startParticipant(livekit, room, person, file);
  await participant.says('"participant":"joined"');
  did[person].push({ joined: Date.now(), left: Number.NaN });
  return participant;
}

/** Waits until a participant has spoken and left. */
async function leave(person: Person, participant: Program): Promise<void> {
  expect(await participant.ended, participant.output()).toBe(0);
  leaves(person);
}

function leaves(person: Person): void {
  Object.assign(did[person].at(-1) ?? {}, { left: Date.now() });
}

describe('insights of a meeting on a real LiveKit', () => {
  test('have the three people, and the hidden recorder as a recorder', () => {
    const { session, participants } = insights;

    expect(session).toMatchObject({ totalUniqueParticipants: 3, totalUniqueRecorders: 1, totalUniqueStreamers: 0 });
    expect(Object.keys(participants).sort()).toEqual(people);
    for (const [name, participant] of Object.entries(participants))
      expect(participant).toMatchObject({ userId: name, displayName: name, deviceId: name, roleName: 'visitor' });
  });

  test('miss nothing, because LiveKit tells of each start, join, leave and end', () => {
    const { room, session, participants } = insights;

    for (const each of [room, session, ...Object.values(participants)]) expect(each.completeness).toEqual(observed);
    expect([room.asOf, session.asOf]).toEqual([session.endedAt, session.endedAt]);
  });

  test.each(['ada', 'ben'] as const)('have each join and leave of %s when it happened', async (person) => {
    const stays = await staysOf(machine, acme, insights.participants[person]);

    expect(stays).toHaveLength(did[person].length);
    for (const [index, { joined, left }] of did[person].entries()) {
      expectAt(stays[index]?.joined, joined);
      expectAt(stays[index]?.left, left);
    }
    expectAt(insights.participants[person]?.joinedAt, did[person][0]?.joined ?? Number.NaN);
    expectAt(insights.participants[person]?.leftAt, did[person].at(-1)?.left ?? Number.NaN);
  });

  test('have the leave of a killed participant when LiveKit gave it up, about 20 seconds late', async () => {
    const stays = await staysOf(machine, acme, insights.participants.cleo);
    const [killed] = did.cleo;

    expect(stays).toHaveLength(1);
    expectAt(stays[0]?.joined, killed?.joined ?? Number.NaN);
    const lateMs = (stays[0]?.left ?? Number.NaN) - (killed?.left ?? Number.NaN);
    expect(lateMs).toBeGreaterThan(lostMs.least);
    expect(lateMs).toBeLessThan(lostMs.most);
  });

  test('have the minutes that the stays of the script make, each rounded up', () => {
    const stays = people.flatMap((person) =>
      did[person].map(({ joined, left }) => ({
        least: left - joined - 2 * toleratedMs + (person === 'cleo' ? lostMs.least : 0),
        most: left - joined + 2 * toleratedMs + (person === 'cleo' ? lostMs.most : 0),
      })),
    );
    const minutes = (length: 'least' | 'most') =>
      stays.reduce((sum, stay) => sum + Math.ceil(Math.max(stay[length], 1) / 60_000), 0);

    for (const { totalParticipantMinutes } of [insights.session, insights.room]) {
      expect(totalParticipantMinutes).toBeGreaterThanOrEqual(minutes('least'));
      expect(totalParticipantMinutes).toBeLessThanOrEqual(minutes('most'));
    }
    expect(insights.session.totalRecorderMinutes).toBeGreaterThanOrEqual(1);
  });

  test('begin before the first join, and end with the room, after the last leave', () => {
    const { session, participants } = insights;
    const joins = Object.values(participants).map(({ joinedAt }) => Date.parse(joinedAt));
    const leaves = Object.values(participants).map(({ leftAt }) => Date.parse(leftAt ?? ''));

    expect(Date.parse(session.startedAt)).toBeLessThanOrEqual(Math.min(...joins));
    expect(Date.parse(session.endedAt ?? '')).toBeGreaterThanOrEqual(Math.max(...leaves));
    expect(Date.parse(session.endedAt ?? '') - Math.max(...leaves)).toBeLessThan(10_000);
  });
});

describe('the recording of a hidden participant, transcribed from its tracks', () => {
  test('has a file for each microphone that somebody published', () => {
    expect(recorderOutput).toContain('"recording":"finished"');
    expect(recorderOutput).toContain('"tracks":4');
  });

  test('belongs to the session of the webhooks', () => {
    const { roomName, roomSessionId } = insights.session;

    expect(transcript).toMatchObject({ roomName, roomSessionId });
  });

  test('has the three people as speakers, and nothing is missing', () => {
    expect(transcript.speakers?.map(({ participantId }) => participantId).sort()).toEqual(people);
    expect(transcript.speakers?.map(({ source, input }) => [source, input])).toEqual(
      people.map(() => ['track', 'microphone']),
    );
    expect(transcript.missing ?? []).toEqual([]);
  });

  test.each(people)('has what %s said as theirs, and nothing else', (person) => {
    const expected = said[person].map(({ text }) => text).join(' ');
    const heard = turnsOf(person).map(({ text }) => text);

    expect(wordErrorRate(expected, heard.join(' ')), heard.join(' ')).toBeLessThanOrEqual(0.35);
  });

  test.each(people)('has what %s said when it was said', (person) => {
    const zero = Date.parse(transcript.clockStartDate ?? transcript.startDate);
    const begins = turnsOf(person).map(({ startSeconds }) => zero + startSeconds * 1000);

    for (const { joined } of did[person]) {
      const speaks = joined + quietMs + 1000;
      expect(Math.min(...begins.map((time) => Math.abs(time - speaks)))).toBeLessThan(toleratedMs);
    }
  });
});

describe('the agent that tells who speaks', () => {
  test.each(people)('tells when %s spoke, and at no other time', (person) => {
    const spans = speech.filter(({ participantId }) => participantId === person);
    const speaks = did[person].map(({ joined }) => joined + quietMs + 1000);

    for (const time of speaks)
      expect(Math.min(...spans.map(({ from }) => Math.abs(from - time)))).toBeLessThan(toleratedMs);
    for (const { from } of spans) expect(Math.min(...speaks.map((time) => Math.abs(from - time)))).toBeLessThan(10_000);
  });
});

function line(voice: Voice, text: string): Line {
  return { voice, at: 1, text };
}

function turnsOf(person: Person): TranscriptDocument['turns'] {
  const speaker = transcript.speakers?.find(({ participantId }) => participantId === person)?.speaker;
  return transcript.turns.filter((turn) => turn.speaker === speaker);
}
