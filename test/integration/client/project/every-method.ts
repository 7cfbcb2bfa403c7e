import {
  type CallOptions,
  type CreatedWebhook,
  type Delivery,
  type List,
  type Notice,
  type Page,
  type RecordingLink,
  type Replay,
  Roomscribe,
  type RoomscribeOptions,
  type SessionMinute,
  type Speaker,
  type TranscriptDocument,
  type TranscriptFormat,
  type Transcription,
  type TranscriptionDetail,
  type Webhook,
  type WebhookTest,
} from 'roomscribe/client';
import { type ReceivedWebhook, verifyWebhook, WebhookVerificationError } from 'roomscribe/webhooks';

declare const process: { readonly argv: readonly string[] };

const [apiUrl = '', tokenUrl = '', clientId = '', recordingId = ''] = process.argv.slice(2);
const options: RoomscribeOptions = { apiUrl, tokenUrl, clientId, clientSecret: 'local', maxRetries: 2 };
const { transcriptions, insights, notices, webhooks } = new Roomscribe(options);
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
const played: RecordingLink = await transcriptions.recordingLink(id, call);
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
const network: SessionMinute[] = await insights.getSessionNetwork({ roomSessionId }).toArray();
const medians: readonly (number | null)[] = network.map(({ packetLossRecv }) => packetLossRecv.median);

const used: readonly number[] = (await insights.listUsage({ roomName, limit: 100 }).toArray()).map(
  ({ transcribedSeconds }) => transcribedSeconds,
);

const headers: string[] = [];
for await (const { header, rows: each } of list.rowPages('csv')) headers.push(header, ...each);
const { rows: firstRows } = await list.rowPage('csv'); // before the deletions: a bulk delete ends at any time after its answer
const texts: string[] = [];
for await (const piece of list.text('ndjson')) texts.push(piece);
const { rows: noRows } = await insights.getParticipantRows({ roomSessionId, participantId: 'nobody' }, 'ndjson');

const from = new Date(Date.now() - 3_600_000).toISOString();
const finished: Notice[] = [];
for await (const notice of notices.follow({ from, everySeconds: 1, ...call })) {
  if (notice.type !== 'transcription.finished') continue;
  const seconds: number = notice.data.durationInSeconds;
  if (seconds > 0) finished.push(notice);
  break;
}
const noticed: Notice[] = await notices.list({ from, limit: 10 }).toArray();
const webhook: CreatedWebhook = await webhooks.create({
  url: 'https://receiver.invalid/hooks',
  types: ['recording.refused'],
});
const { webhookId, secret } = webhook;
const changed: Webhook = await webhooks.update(webhookId, { description: 'Mine', types: null });
const tested: WebhookTest = await webhooks.test(webhookId);
const { secret: second } = await webhooks.rotateSecret(webhookId, { previousValidForSeconds: 0 });
const replay: Replay = await webhooks.replay(webhookId, { from });
const deliveries: Delivery[] = await webhooks.listDeliveries(webhookId).toArray();
const kept: string[] = (await webhooks.list().toArray()).map((each) => each.webhookId);
const { state: enabled } = await webhooks.get(webhookId);
await webhooks.delete(webhookId);

const received: ReceivedWebhook = { secrets: [secret, second], headers: new Headers(), body: new Uint8Array() };
const unsigned = await verifyWebhook(received).catch(
  (error) => error instanceof WebhookVerificationError && error.code,
);

await transcriptions.delete(id);
await transcriptions.bulkDelete([again.transcriptionId]);
console.log(
  JSON.stringify({
    states: states.slice(-1),
    named: named.displayName,
    same: [known.transcriptionId === id, ready.state],
    listed: [page.results.length, pages.length, listed.length, all.length],
    link: [accessLink.length > 0, expires > Date.now(), played.contentType],
    downloads: [(await response.text()) === text, text.startsWith('WEBVTT'), spoken.length > 0],
    rows: [headers.length > 1, texts.length, firstRows.length, noRows.length],
    notices: [finished.length, noticed.some((each) => each.id === finished[0]?.id)],
    webhooks: [
      changed.description,
      tested.failure?.code,
      second !== secret,
      replay.from === from,
      deliveries.length < 100,
    ],
    kept: [kept.includes(webhookId), enabled, unsigned],
    insights: [averages, sessions, tags, losses, medians, used].every(Array.isArray),
  }),
);
