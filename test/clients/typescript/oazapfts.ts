// Uses the client that oazapfts makes. Prints what it got as JSON.
import * as api from './api.ts';

const world = JSON.parse(process.argv[2] ?? '');
const { from, to, ready, roomName } = world;
api.defaults.baseUrl = world.apiUrl;
api.defaults.headers = { authorization: `Bearer ${world.token}` };

/** The body of an answer, whose type depends on the status. */
function body<Answer extends { status: number; data?: unknown }, Status extends Answer['status']>(
  answer: Answer,
  status: Status,
) {
  if (answer.status !== status) throw new Error(JSON.stringify(answer));
  return answer.data as Extract<Answer, { status: Status; data: unknown }>['data'];
}

const listed: string[] = [];
let cursor: string | null | undefined;
while (cursor !== null) {
  const page: api.TranscriptionPage = body(
    await api.listTranscriptions({
      startDateFrom: from,
      startDateTo: to,
      sortBy: 'startDate:asc',
      limit: 1,
      ...(cursor !== undefined && { cursor }),
    }),
    200,
  );
  listed.push(...page.results.map((each) => each.transcriptionId));
  cursor = page.cursor;
}
const got = body(await api.getTranscription({ transcriptionId: ready }), 200);
const link = body(await api.createAccessLink({ transcriptionId: ready, validForSeconds: 60, format: 'vtt' }), 200);
const created = await api.createTranscription({
  idempotencyKey: 'typescript',
  createTranscription: { recordingId: world.recordingId },
});
const corrected = body(
  await api.correctSpeaker({
    transcriptionId: world.spoken,
    speaker: 'Speaker 1',
    correctSpeaker: { displayName: 'Ada' },
  }),
  200,
);
const unknown = { recordingId: '00000000-0000-0000-0000-000000000001' };
const refused = body(await api.createTranscription({ createTranscription: unknown }), 404);
const code: 'recording_not_found' | undefined = 'code' in refused ? refused.code : undefined;
const wrong = body(await api.listTranscriptions({ cursor: 'wrong' }), 400);
const rooms = body(await api.listRoomInsights({ createdAtFrom: from, createdAtTo: to }), 200);
const sessions = body(await api.listRoomSessionInsights({ roomName, startedAtFrom: from, startedAtTo: to }), 200);
const roomSessionId = sessions.results[0]?.roomSessionId ?? '';
const people = body(await api.listParticipants({ roomSessionId, limit: 1 }), 200);
const others = body(await api.listParticipants({ roomSessionId, limit: 1, cursor: people.cursor ?? '' }), 200);
const participantId = people.results[0]?.participantId ?? '';
const details = body(await api.getParticipant({ roomSessionId, participantId, $from: from, to }), 200);
const unwanted = { transcriptionIds: [world.unwanted] };
body(await api.bulkDeleteTranscriptions({ bulkDeleteTranscriptions: unwanted }), 204);

process.stdout.write(
  JSON.stringify({
    listed,
    got: [got.state, got.durationInSeconds, Date.parse(got.startDate)],
    link: link.accessLink,
    expires: link.expires,
    created: created.status,
    corrected: [corrected.displayName, corrected.source],
    refused: code,
    issue: 'issues' in wrong ? wrong.issues?.[0]?.path : undefined,
    rooms: rooms.results.map((each) => [each.roomName, each.totalParticipantMinutes, each.rating]),
    sessions: sessions.results.map((each) => [each.roomSessionId, each.rating]),
    people: [...people.results, ...others.results].map((each) => each.participantId),
    samples: details[0]?.samples.packetLossSend,
  }),
);
