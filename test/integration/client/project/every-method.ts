import {
  type CallOptions,
  type List,
  type Page,
  Roomscribe,
  type RoomscribeOptions,
  type Speaker,
  type TranscriptDocument,
  type TranscriptFormat,
  type Transcription,
  type TranscriptionDetail,
} from 'roomscribe/client';

declare const process: { readonly argv: readonly string[] };

const [apiUrl = '', tokenUrl = '', clientId = '', recordingId = ''] = process.argv.slice(2);
const options: RoomscribeOptions = { apiUrl, tokenUrl, clientId, clientSecret: 'local', maxRetries: 2 };
const { transcriptions, insights } = new Roomscribe(options);
const call: CallOptions = { signal: AbortSignal.timeout(60_000) };

const states: Transcription['state'][] = [];
const created: Transcription = await transcriptions.createAndWait(
  { recordingId },
  { timeoutMs: 50_000, recordingWithinMs: 20_000, onProgress: ({ state }) => states.push(state), ...call },
);
const id: string = created.transcriptionId;
const again: { readonly transcriptionId: string } = await transcriptions.create(
  { recordingId },
  { idempotencyKey: 'mine' },
);
const ready = await transcriptions.wait(again.transcriptionId, call);
const known: TranscriptionDetail = await transcriptions.get(id);
const speaker = known.speakers?.[0]?.speaker ?? '';
const named: Speaker = await transcriptions.correctSpeaker(id, speaker, { displayName: 'Ada' });
await transcriptions.undoSpeakerCorrection(id, speaker);

const list: List<Transcription> = transcriptions.list({
  roomName: created.roomName,
  sortBy: 'startDate:asc',
  limit: 1,
});
const page: Page<Transcription> = await list.page();
const pages: number[] = [];
for await (const { results } of list.pages()) pages.push(results.length);
const listed: string[] = [];
for await (const { transcriptionId } of list) listed.push(transcriptionId);
const all: Transcription[] = await list.toArray();

const format: TranscriptFormat = 'vtt';
await transcriptions.revokeAccessLinks(id);
const { accessLink, expires } = await transcriptions.createAccessLink(id, { format, validForSeconds: 60 });
const response: Response = await transcriptions.download(id, { format });
const text: string = await transcriptions.downloadText(id, { format });
const document: TranscriptDocument = await transcriptions.downloadDocument(id);
const spoken: readonly string[] = document.turns.map((turn) => turn.text);

const rooms = await insights.listRooms({ sortBy: 'rating:desc' }).toArray();
const averages: readonly (number | null)[] = rooms.map(({ rating }) => rating);
const { roomName, roomSessionId } = created;
const sessions: readonly (string | null)[] = (await insights.listRoomSessions({ roomName }).toArray()).map(
  ({ endedAt }) => endedAt,
);
const tags: readonly string[] = (await insights.listParticipants({ roomSessionId }).toArray()).flatMap(
  (each) => each.tags,
);
const losses: readonly (number | null)[] = (
  await insights.getParticipant({ roomSessionId, participantId: 'nobody' })
).flatMap(({ samples }) => samples.packetLossSend);

const headers: string[] = [];
for await (const { header, rows: each } of list.rowPages('csv')) headers.push(header, ...each);
const { rows: firstRows } = await list.rowPage('csv'); // before the deletions: a bulk delete ends at any time after its answer
const texts: string[] = [];
for await (const piece of list.text('ndjson')) texts.push(piece);
const { rows: noRows } = await insights.getParticipantRows({ roomSessionId, participantId: 'nobody' }, 'ndjson');

await transcriptions.delete(id);
await transcriptions.bulkDelete([again.transcriptionId]);
console.log(
  JSON.stringify({
    states: states.slice(-1),
    named: named.displayName,
    same: [known.transcriptionId === id, ready.state],
    listed: [page.results.length, pages.length, listed.length, all.length],
    link: [accessLink.length > 0, expires > Date.now()],
    downloads: [(await response.text()) === text, text.startsWith('WEBVTT'), spoken.length > 0],
    rows: [headers.length > 1, texts.length, firstRows.length, noRows.length],
    insights: [averages, sessions, tags, losses].every(Array.isArray),
  }),
);
