// Uses the types that openapi-typescript makes, with openapi-fetch. Prints what it got as JSON.
import createClient from 'openapi-fetch';
import type { paths } from './api.d.ts';

const world = JSON.parse(process.argv[2] ?? '');
const { from, to, ready, roomName } = world;
const api = createClient<paths, 'application/json'>({
  baseUrl: world.apiUrl,
  headers: { authorization: `Bearer ${world.token}` },
});

function body<Data>(answer: { data?: Data; error?: unknown }): Data {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const listed: string[] = [];
let cursor: string | null | undefined;
while (cursor !== null) {
  const query = { startDateFrom: from, startDateTo: to, sortBy: 'startDate:asc', limit: 1 } as const;
  const answer = await api.GET('/v1/transcriptions', {
    params: { query: { ...query, ...(cursor !== undefined && { cursor }) } },
  });
  const page: { results: { transcriptionId: string }[]; cursor: string | null } = body(answer);
  listed.push(...page.results.map((each) => each.transcriptionId));
  cursor = page.cursor;
}
const path = { transcriptionId: ready };
const got = body(await api.GET('/v1/transcriptions/{transcriptionId}', { params: { path } }));
const query = { validForSeconds: 60, format: 'vtt' } as const;
const link = body(await api.GET('/v1/transcriptions/{transcriptionId}/access-link', { params: { path, query } }));
const created = await api.POST('/v1/transcriptions', {
  params: { header: { 'idempotency-key': 'typescript' } },
  body: { recordingId: world.recordingId },
});
const corrected = body(
  await api.PUT('/v1/transcriptions/{transcriptionId}/speakers/{speaker}', {
    params: { path: { transcriptionId: world.spoken, speaker: 'Speaker 1' } },
    body: { displayName: 'Ada' },
  }),
);
const refused = await api.POST('/v1/transcriptions', { body: { recordingId: '00000000-0000-0000-0000-000000000001' } });
const code = refused.error && 'code' in refused.error ? refused.error.code : undefined;
const wrong = await api.GET('/v1/transcriptions', { params: { query: { cursor: 'wrong' } } });
const issues = wrong.error && 'issues' in wrong.error ? wrong.error.issues : undefined;
const inTime = { 'createdAt[from]': from, 'createdAt[to]': to };
const rooms = body(await api.GET('/v1/insights/rooms', { params: { query: inTime } }));
const ofRoom = { roomName, startedAtFrom: from, startedAtTo: to };
const sessions = body(await api.GET('/v1/insights/room-sessions', { params: { query: ofRoom } }));
const roomSessionId = sessions.results[0]?.roomSessionId ?? '';
const participants = async (cursor?: string | null) => {
  const query = { roomSessionId, limit: 1, ...(cursor && { cursor }) };
  return body(await api.GET('/v1/insights/participants', { params: { query } }));
};
const people = await participants();
const others = await participants(people.cursor);
const participantId = people.results[0]?.participantId ?? '';
const ofPerson = { roomSessionId, participantId, from, to };
const details = body(await api.GET('/v1/insights/participant', { params: { query: ofPerson } }));
const deleted = await api.POST('/v1/transcriptions/bulk-delete', { body: { transcriptionIds: [world.unwanted] } });
if (deleted.response.status !== 204) throw new Error(JSON.stringify(deleted.error));

process.stdout.write(
  JSON.stringify({
    listed,
    got: [got.state, got.durationInSeconds, Date.parse(got.startDate)],
    link: link.accessLink,
    expires: link.expires,
    created: created.response.status,
    corrected: [corrected.displayName, corrected.source],
    refused: code,
    issue: issues?.[0]?.path,
    rooms: rooms.results.map((each) => [each.roomName, each.totalParticipantMinutes, each.rating]),
    sessions: sessions.results.map((each) => [each.roomSessionId, each.rating]),
    people: [...people.results, ...others.results].map((each) => each.participantId),
    samples: details[0]?.samples.packetLossSend,
  }),
);
